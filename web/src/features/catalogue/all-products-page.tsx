import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LARGEST_PAGE } from '../../live/follow.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import type { Paging } from '../../live/paging.ts';
import { type LoadedList, type ShownList, useLiveList, useViews } from '../../live/use-live.ts';
import { type ProductSearch, productsFound } from '../../shop/products/product.api.ts';
import { ProductGrid, ProductGridLoading } from '../../shop/products/product-grid.tsx';
import { isBuyable } from '../../shop/products/stock.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CatalogueControls } from './catalogue-controls.tsx';
import { type CatalogueFilter, inOrder, readFilter, writeFilter } from './catalogue-filter.ts';

const CARDS_WHILE_LOADING = 8;

/** The whole catalogue, searched, sorted and filtered as specified by the URL (R2). */
export default function AllProductsPage() {
  usePageTitle('All Items');
  const [filter, change] = useCatalogueFilter();
  const shown = useProducts(filter);
  return (
    <>
      <PageHeading display title="All Items" text="Casings and complete builds.">
        <Anchor component={Link} to="/blogs">
          Read our blogs
        </Anchor>
      </PageHeading>
      <CatalogueControls filter={filter} onChange={change} />
      <VisuallyHidden component="h2">Products</VisuallyHidden>
      <LiveListView
        shown={shown}
        what="the products"
        loading={
          <>
            <Count />
            <ProductGridLoading cards={CARDS_WHILE_LOADING} label="Loading the products" />
          </>
        }
      >
        {(list, paging) => (
          <Found list={list} paging={paging} filter={filter} onClear={() => change({ q: '', inStock: false })} />
        )}
      </LiveListView>
    </>
  );
}

/** The products found by the server. While a new search runs, the previous results stay on the screen. */
function useProducts({ q, inStock }: CatalogueFilter): ShownList {
  const found = useLiveList(productsFound({ q, inStock }));
  const before = useRef(found.list);
  if (found.list !== undefined) before.current = found.list;
  return { ...found, list: found.error === null ? before.current : found.list };
}

/** Shows the number of products in a polite live region. The line keeps its height during loading. */
function Count({ children }: { children?: ReactNode }) {
  return (
    <Text role="status" size="sm" c="dimmed" mb="md" mih="1lh">
      {children}
    </Text>
  );
}

interface FoundProps {
  list: LoadedList;
  paging: Paging;
  filter: CatalogueFilter;
  onClear: () => void;
}

function Found({ list, paging, filter: { q, inStock, order }, onClear }: FoundProps) {
  // The server returns the newest products first (LIST1). Any other sort order is applied only to the products that
  // have loaded, so load at least `LARGEST_PAGE` of them, or all products if there are fewer.
  const tooFew = order !== undefined && list.ids.length < LARGEST_PAGE;
  const { more, loading, error, load } = paging;
  const waiting = tooFew && more && !loading && error === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again after each change of `list`
  useEffect(() => {
    if (waiting) load();
  }, [waiting, load, list]);
  const products = useViews('product', list.ids);
  const shown = useMemo(
    () => inOrder(inStock ? products.filter(isBuyable) : products, order).map(({ _id }) => _id),
    [products, inStock, order],
  );
  const narrowed = q !== '' || inStock;
  return (
    <>
      <Count>
        {list.rest === null ? '' : 'The newest '}
        {shown.length} {shown.length === 1 ? 'item' : 'items'}
        {narrowed ? ' found' : ''}
      </Count>
      {shown.length > 0 ? <ProductGrid ids={shown} name={`${list.path} ${order}`} /> : null}
      {shown.length === 0 && narrowed ? <NothingFound q={q} inStock={inStock} onClear={onClear} /> : null}
      {shown.length === 0 && !narrowed ? (
        <EmptyState title="No products yet" text="We are still stocking the shop. Please come back soon." />
      ) : null}
    </>
  );
}

/**
 * Shown if no product matches. If 'In stock only' is on, a second search checks whether the filter hides any matches,
 * so that the text can mention them.
 */
function NothingFound({ q, inStock, onClear }: ProductSearch & { onClear: () => void }) {
  const all = useLiveList(inStock ? productsFound({ q, inStock: false }) : null);
  const someHidden = inStock && (all.list?.ids.length ?? 0) > 0;
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

/** Returns the filter in the URL, and a function that changes it. The browser's Back button undoes the changes one by one. */
function useCatalogueFilter(): [CatalogueFilter, (changes: Partial<CatalogueFilter>) => void] {
  const [address, setAddress] = useSearchParams();
  const filter = useMemo(() => readFilter(address), [address]);
  const change = (changes: Partial<CatalogueFilter>) => {
    // Refining a search replaces the history entry. Otherwise Back would stop at every pause in typing.
    const refined = filter.q !== '' && changes.q !== undefined && changes.q !== '';
    setAddress((current) => writeFilter(current, { ...readFilter(current), ...changes }), {
      replace: refined,
      preventScrollReset: true,
      // Without flushSync, the update would run as a transition, and a ticked checkbox would look unticked until the
      // transition finished.
      flushSync: true,
    });
  };
  return [filter, change];
}
