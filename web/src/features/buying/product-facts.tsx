import { Card, Group, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { StockBadge } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';
import styles from './product-facts.module.css';
import { ProductPictures } from './product-pictures.tsx';

/** What a shopper should know before buying; price and stock are always the newest (P1). */
export function ProductFacts({ product }: { product: ProductView }) {
  return (
    <Card withBorder padding="lg">
      <Card.Section>
        <ProductPictures product={product} />
      </Card.Section>
      <Title order={1} size="h2" mt="lg">
        {product.name}
      </Title>
      <Group justify="space-between" mt={4}>
        <Text fw={700} size="lg">
          {formatTaka(product.price)}
        </Text>
        <StockBadge product={product} />
      </Group>
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
