import { Card, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { formatTaka } from '../../ui/format.ts';
import { ProductImage } from '../catalogue/product-image.tsx';
import styles from './product-facts.module.css';

/** What a shopper should know before buying; price and stock are always the newest (P1). */
export function ProductFacts({ product }: { product: ProductView }) {
  return (
    <Card withBorder padding="lg">
      <Card.Section>
        <ProductImage src={product.img1} alt={product.name} />
      </Card.Section>
      <Title order={1} size="h2" mt="lg">
        {product.name}
      </Title>
      <Text fw={700} size="xl" mt={4} className={styles.figure}>
        {formatTaka(product.price)}
      </Text>
      <dl className={styles.facts}>
        <Fact term="Supported processor" value={product.processor} />
        <Fact term="Graphics card" value={product.gpu} />
        <Fact term="Best build for" value={product.description} />
        <Fact term="Rated" value={product.rated} />
        <Fact term="Available" value={String(product.quantity)} />
        <Fact term="Minimum order" value={String(product.minorder)} />
      </dl>
    </Card>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value || 'Not stated'}</dd>
    </>
  );
}
