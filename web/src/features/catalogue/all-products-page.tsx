import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useAppDispatch } from '../../app/hooks.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { LARGEST_PAGE } from '../../live/follow-pushes.ts';
import { growWindow } from '../../live/grow-window.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState } from '../../ui/states.tsx';
import { catalogueApi, useListProductsQuery } from './catalogue.api.ts';
import { CatalogueControls } from './catalogue-controls.tsx';
import { type CatalogueFilter, inOrder } from './catalogue-filter.ts';

import { ProductGrid, ProductGridLoading } from './product-grid.tsx';
import { isBuyable } from './stock.ts';
import { useCatalogueFilter } from './use-catalogue-filter.ts';

const CARDS_WHILE_LOADING = 8;

/** The whole catalogue, searched, sorted and narrowed as the address says (R2). */
export default function AllProductsPage() {
  usePageTitle('All Items');
  const [filter, change] = useCatalogueFilter();
  const { query, grow } = useProducts(filter);
  return (
    <>
      <PageHeading title="All Items" text="Casings and complete builds.">
        <Anchor component={Link} to="/blogs">
          Read our blogs
        </Anchor>
      </PageHeading>
      <CatalogueControls filter={filter} onChange={change} />
      <VisuallyHidden component="h2">Products</VisuallyHidden>
      <LiveListView
        query={query}
        what="the products"
        loading={
          <>
            <Count />
            <ProductGridLoading cards={CARDS_WHILE_LOADING} label="Loading the products" />
          </>
        }
        onGrow={grow}
      >
        {(list) => <Found list={list} filter={filter} onClear={() => change({ q: '', inStock: false })} />}
      </LiveListView>
    </>
  );
}

/** The products that the server finds. While it looks for others, the ones before stay on the screen. */
function useProducts({ q, inStock, order }: CatalogueFilter) {
  const dispatch = useAppDispatch();
  const search = q === '' && !inStock ? undefined : { q, inStock };
  const { data, currentData, error, isFetching, refetch } = useListProductsQuery(search);
  const grow = (rows?: number) =>
    void dispatch(catalogueApi.util.updateQueryData('listProducts', search, (list) => growWindow(list, rows)));

  // Lists are kept newest first (LIST1): any other order is that of what is loaded, so as much as one page holds is loaded.
  const tooFew = order !== undefined && currentData?.next != null && currentData.wanted < LARGEST_PAGE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that is too short
  useEffect(() => {
    if (!tooFew) return;
    grow(LARGEST_PAGE);
    void refetch();
  }, [tooFew]);

  return { query: { data: error ? currentData : data, error, isFetching, refetch }, grow: () => grow() };
}

/** How many are shown, said politely when it changes. Its line is kept while they are on their way. */
function Count({ children }: { children?: ReactNode }) {
  return (
    <Text role="status" size="sm" c="dimmed" mb="md" mih="1lh">
      {children}
    </Text>
  );
}

interface FoundProps {
  list: LiveList<ProductView>;
  filter: CatalogueFilter;
  onClear: () => void;
}

function Found({ list, filter: { q, inStock, order }, onClear }: FoundProps) {
  const shown = useMemo(
    () => inOrder(inStock ? list.items.filter(isBuyable) : list.items, order),
    [list.items, inStock, order],
  );
  const narrowed = q !== '' || inStock;
  return (
    <>
      <Count>
        {list.next === null ? '' : 'The newest '}
        {shown.length} {shown.length === 1 ? 'item' : 'items'}
        {narrowed ? ' found' : ''}
      </Count>
      {shown.length > 0 ? <ProductGrid products={shown} /> : null}
      {shown.length === 0 && narrowed ? (
        <EmptyState
          title="Nothing matches"
          text="Try fewer words, or show sold-out items too."
          action={
            <Button variant="default" onClick={onClear}>
              Clear filters
            </Button>
          }
        />
      ) : null}
      {shown.length === 0 && !narrowed ? (
        <EmptyState title="No products yet" text="The shop is being stocked. Please come back soon." />
      ) : null}
    </>
  );
}
