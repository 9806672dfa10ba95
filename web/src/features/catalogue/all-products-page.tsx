import { Anchor, Button, Checkbox, Group, SimpleGrid, TextInput, VisuallyHidden } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch } from '../../app/hooks.ts';
import { growWindow } from '../../live/grow-window.ts';
import { RefreshFailed } from '../../live/refresh-failed.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { catalogueApi, useListProductsQuery } from './catalogue.api.ts';
import { isBuyable, ProductCard } from './product-card.tsx';

/** The products whose words contain every word of `search`, upper and lower case alike. */
export function filterProducts(products: readonly ProductView[], search: string, inStock: boolean): ProductView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return products.filter((product) => {
    if (inStock && !isBuyable(product)) return false;
    const text = [product.name, product.processor, product.gpu, product.rated, product.description]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export default function AllProductsPage() {
  usePageTitle('All Items');
  return (
    <>
      <PageHeading title="All Items" text="Casings and complete builds, newest first.">
        <Anchor component={Link} to="/blogs">
          Read our blogs
        </Anchor>
      </PageHeading>
      <VisuallyHidden component="h2">Products</VisuallyHidden>
      <Products />
    </>
  );
}

function Products() {
  const { data, error, isLoading, isFetching, refetch } = useListProductsQuery();
  const dispatch = useAppDispatch();
  const [search, setSearch] = useState('');
  const [inStock, setInStock] = useState(false);
  const wanted = useDeferredValue(search);
  const items = data?.items;
  const found = useMemo(() => filterProducts(items ?? [], wanted, inStock), [items, wanted, inStock]);

  if (isLoading) return <LoadingState label="Loading the products" />;
  if (data === undefined) {
    return <ErrorState title="The products could not be loaded" text={problemText(error)} onRetry={refetch} />;
  }
  if (data.items.length === 0) {
    return <EmptyState title="No products yet" text="The shop is being stocked. Please come back soon." />;
  }
  const showMore = () => {
    dispatch(catalogueApi.util.updateQueryData('listProducts', undefined, growWindow));
    void refetch();
  };
  return (
    <>
      {error ? <RefreshFailed error={error} onRetry={refetch} /> : null}
      <Group mb="lg" gap="lg">
        <TextInput
          type="search"
          aria-label="Search products"
          placeholder="Search by name, processor, graphics card"
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          flex="1 1 280px"
          maw={480}
        />
        <Checkbox
          label="In stock only"
          checked={inStock}
          onChange={(event) => setInStock(event.currentTarget.checked)}
        />
      </Group>
      {found.length === 0 ? (
        <EmptyState
          title="Nothing matches"
          text="Try fewer words, or show sold-out items too."
          action={
            <Button
              variant="default"
              onClick={() => {
                setSearch('');
                setInStock(false);
              }}
            >
              Show all items
            </Button>
          }
        />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="lg">
          {found.map((product) => (
            <ProductCard key={product._id} product={product} />
          ))}
        </SimpleGrid>
      )}
      {data.next === null ? null : (
        <Group justify="center" mt="xl">
          <Button variant="default" onClick={showMore} loading={isFetching}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
