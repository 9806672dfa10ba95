import { Badge, Button, Card, Group, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { formatTaka } from '../../ui/format.ts';
import styles from './product-card.module.css';
import { ProductImage } from './product-image.tsx';

/** Whether the stock still covers the smallest order that is taken. */
export function isBuyable(product: ProductView): boolean {
  return product.quantity > 0 && product.quantity >= product.minorder;
}

/** One product in the catalogue, as its newest version says (H4). */
export const ProductCard = memo(
  function ProductCard({ product }: { product: ProductView }) {
    const buyable = isBuyable(product);
    return (
      <Card withBorder padding="md" className={styles.card} component="article" aria-label={product.name}>
        <Card.Section>
          <ProductImage src={product.img1} alt={product.name} dimmed={!buyable} />
        </Card.Section>
        <Title order={3} size="h4" mt="md" lineClamp={2}>
          {product.name}
        </Title>
        <Group justify="space-between" mt={4} wrap="nowrap">
          <Text fw={700} size="lg" className={styles.figure}>
            {formatTaka(product.price)}
          </Text>
          {buyable ? null : (
            <Badge color="gray" variant="light">
              Sold out
            </Badge>
          )}
        </Group>
        <dl className={styles.facts}>
          <dt>Quantity</dt>
          <dd className={styles.figure}>{product.quantity}</dd>
          <dt>Minimum Order Required</dt>
          <dd className={styles.figure}>{product.minorder}</dd>
          <dt>Best build for</dt>
          <dd className={styles.words}>{product.description || 'Any build'}</dd>
        </dl>
        {buyable ? (
          <Button
            component={Link}
            to={`/buypage/${product._id}`}
            fullWidth
            mt="md"
            aria-label={`Buy now: ${product.name}`}
          >
            Buy now
          </Button>
        ) : (
          <Button fullWidth mt="md" disabled aria-label={`Sold out: ${product.name}`}>
            Sold out
          </Button>
        )}
      </Card>
    );
  },
  (before, after) => before.product._id === after.product._id && before.product.version === after.product.version,
);
