import { Button, Card, Group, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { useIsChanged, useLastView } from '../../live/use-live.ts';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import styles from './product-card.module.css';
import { ProductImage } from './product-image.tsx';
import { isBuyable, StockBadge } from './stock.tsx';

interface ProductCardProps {
  id: string;
  /** the product from an API response, used if the store has no view of the product */
  answered?: ProductView;
  /** loads the picture eagerly, for cards above the fold */
  eager?: boolean;
}

/** A product's card in the catalogue. It always shows the newest version of the product (H4). */
export const ProductCard = memo(function ProductCard({ id, answered, eager = false }: ProductCardProps) {
  const product = useLastView('product', id) ?? answered;
  const changed = useIsChanged(id);
  if (product === undefined) return null;
  const buyable = isBuyable(product);
  return (
    <Card withBorder padding="md" className={styles.card} component="article" aria-label={product.name}>
      <Card.Section>
        <ProductImage src={product.img1} alt={product.name} dimmed={!buyable} eager={eager} />
      </Card.Section>
      <Title order={3} size="h4" mt="md" lineClamp={2} lang={languageOf(product.name)}>
        <Link to={`/items/${product._id}`} className={styles.name}>
          {product.name}
        </Link>
      </Title>
      <Group justify="space-between" gap="xs" className={styles.price} data-changed={changed || undefined}>
        <Text fw={700} size="lg">
          {formatTaka(product.price)}
        </Text>
        <StockBadge product={product} />
      </Group>
      <dl className={styles.facts}>
        <dt>Quantity</dt>
        <dd data-changed={changed || undefined}>{product.quantity}</dd>
        <dt>Minimum Order Required</dt>
        <dd>{product.minorder}</dd>
        <dt>Best build for</dt>
        <dd lang={languageOf(product.description)} className={styles.words}>
          {product.description || 'Any build'}
        </dd>
      </dl>
      {buyable ? (
        <LinkButton
          to={`/buypage/${product._id}`}
          variant="default"
          className={styles.buy}
          aria-label={`Buy now: ${product.name}`}
        >
          Buy now
        </LinkButton>
      ) : (
        <Button className={styles.buy} disabled aria-label={`Sold out: ${product.name}`}>
          Sold out
        </Button>
      )}
    </Card>
  );
});
