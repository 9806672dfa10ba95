import { Group, Title } from '@mantine/core';
import { useMemo } from 'react';
import { problemText } from '../../api/problem.ts';
import { useLiveList } from '../../live/use-live.ts';
import { productsFound } from '../../shop/products/product.api.ts';
import { FEATURED_COLUMNS, ProductGrid, ProductGridLoading } from '../../shop/products/product-grid.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ErrorState } from '../../ui/states.tsx';

const FEATURED = 3;

/** The first three products in the catalogue, with a loading indicator while there are none (H3). */
export function FeaturedItems() {
  const { list, error, refetch } = useLiveList(productsFound());
  const ids = list?.ids;
  const featured = useMemo(() => ids?.slice(0, FEATURED) ?? [], [ids]);
  return (
    <section aria-labelledby="featured">
      <Group justify="space-between" mb="lg">
        <Title order={2} id="featured">
          Featured Items
        </Title>
        <LinkButton to="/allproducts" variant="default">
          All Products
        </LinkButton>
      </Group>
      {featured.length > 0 ? (
        <ProductGrid ids={featured} name="featured" columns={FEATURED_COLUMNS} />
      ) : error === null ? (
        <ProductGridLoading cards={FEATURED} columns={FEATURED_COLUMNS} label="Loading products" />
      ) : (
        <ErrorState title="The products could not be loaded" text={problemText(error)} onRetry={refetch} />
      )}
    </section>
  );
}
