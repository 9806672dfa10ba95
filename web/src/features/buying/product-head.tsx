import { Group, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { ProductPictures } from '../../shop/products/product-pictures.tsx';
import { StockBadge, stockWarning } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import styles from './buy-page.module.css';

/** The product being bought. Its price and stock are always up to date (P1). */
export function ProductHead({ product }: { product: ProductView }) {
  return (
    <>
      <div className={styles.picture}>
        <ProductPictures product={product} />
      </div>
      <div className={styles.head}>
        <Title order={1} lang={languageOf(product.name)}>
          {product.name}
        </Title>
        <Group align="baseline" gap="md" mt="sm">
          <span className={styles.amount}>{formatTaka(product.price)}</span>
          {stockWarning(product) === null ? (
            <Text component="span" size="sm" c="dimmed">
              {product.quantity} in stock
            </Text>
          ) : (
            <StockBadge product={product} />
          )}
        </Group>
      </div>
    </>
  );
}
