import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useAppDispatch } from '../../api/shop-api.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { LARGEST_PAGE } from '../../live/follow-pushes.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import type { Paging, UpdateList } from '../../live/next-page.ts';
import { catalogueApi, type ProductSearch, useListProductsQuery } from '../../shop/products/catalogue.api.ts';
import { type CatalogueFilter, inOrder, readFilter, writeFilter } from '../../shop/products/catalogue-filter.ts';
import { ProductGrid, ProductGridLoading } from '../../shop/products/product-grid.tsx';
import { isBuyable } from '../../shop/products/stock.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CatalogueControls } from './catalogue-controls.tsx';

const CARDS_WHILE_LOADING = 8;

/** The whole catalogue, searched, sorted and narrowed as the address says (R2). */
export default function AllProductsPage() {
  usePageTitle('All Items');
  const [filter, change] = useCatalogueFilter();
  const { query, update } = useProducts(filter);
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
        kind="product"
        query={query}
        what="the products"
        loading={
          <>
            <Count />
            <ProductGridLoading cards={CARDS_WHILE_LOADING} label="Loading the products" />
          </>
        }
        update={update}
      >
        {(list, paging) => (
          <Found list={list} paging={paging} filter={filter} onClear={() => change({ q: '', inStock: false })} />
        )}
      </LiveListView>
    </>
  );
}

/** The products that the server finds. While it looks for others, the ones before stay on the screen. */
function useProducts({ q, inStock }: CatalogueFilter) {
  const dispatch = useAppDispatch();
  const search = q === '' && !inStock ? undefined : { q, inStock };
  const { data, currentData, error, refetch } = useListProductsQuery(search);
  const update: UpdateList<LiveList<ProductView>> = (recipe) =>
    dispatch(catalogueApi.util.updateQueryData('listProducts', search, recipe));
  return { query: { data: error ? currentData : data, error, refetch }, update };
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
  paging: Paging;
  filter: CatalogueFilter;
  onClear: () => void;
}

function Found({ list, paging, filter: { q, inStock, order }, onClear }: FoundProps) {
  // Lists are kept newest first (LIST1): any other order is that of what is loaded, so much of it is loaded first.
  const tooFew = order !== undefined && list.items.length < LARGEST_PAGE;
  const { more, loading, error, load } = paging;
  const waiting = tooFew && more && !loading && error === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each change that has not been enough
  useEffect(() => {
    if (waiting) load();
  }, [waiting, load, list]);
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
      {shown.length === 0 && narrowed ? <NothingFound q={q} inStock={inStock} onClear={onClear} /> : null}
      {shown.length === 0 && !narrowed ? (
        <EmptyState title="No products yet" text="The shop is being stocked. Please come back soon." />
      ) : null}
    </>
  );
}

/** No product is found. What 'In stock only' hides is counted here alone, and hinted at where there is something. */
function NothingFound({ q, inStock, onClear }: ProductSearch & { onClear: () => void }) {
  const all = useListProductsQuery(q === '' ? undefined : { q, inStock: false }, { skip: !inStock });
  const someHidden = inStock && (all.data?.items.length ?? 0) > 0;
  const hint = q === '' ? 'Come back soon' : 'Try fewer words';
  return (
    <EmptyState
      title="Nothing matches"
      text={someHidden ? `${hint}, or show sold-out items too.` : `${hint}.`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}

/** The filter that the address holds, and how to change it: Back leads to what was shown before. */
export function useCatalogueFilter(): [CatalogueFilter, (changes: Partial<CatalogueFilter>) => void] {
  const [address, setAddress] = useSearchParams();
  const filter = useMemo(() => readFilter(address), [address]);
  const change = (changes: Partial<CatalogueFilter>) => {
    // Typing on in a search is one step for Back, not one for each pause.
    const refined = filter.q !== '' && changes.q !== undefined && changes.q !== '';
    setAddress((current) => writeFilter(current, { ...readFilter(current), ...changes }), {
      replace: refined,
      preventScrollReset: true,
      // As a transition it would come late: the box that was ticked would be shown unticked until then.
      flushSync: true,
    });
  };
  return [filter, change];
}
