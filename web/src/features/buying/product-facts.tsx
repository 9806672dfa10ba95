import { Card, Group, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { ProductDetails } from '../../shop/products/product-details.tsx';
import { ProductPictures } from '../../shop/products/product-pictures.tsx';
import { StockBadge } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';

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
      <ProductDetails product={product} />
    </Card>
  );
}
