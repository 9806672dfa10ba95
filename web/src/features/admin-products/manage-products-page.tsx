import { Group, SegmentedControl } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { ENOUGH_ORDERS, ENOUGH_STOCK } from '@micro-center/services/contracts/product/stock.ts';
import { type ReactNode, useCallback, useState } from 'react';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { useConfirm } from '../../api/use-confirm.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import type { Paging } from '../../live/paging.ts';
import { ShowWaiting } from '../../live/show-waiting.tsx';
import { type LoadedList, useLiveList } from '../../live/use-live.ts';
import { useSteadyList } from '../../live/use-steady-ids.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { AddressSearchBox, NoMatch, ShowAll, useSearchParam, useSearchText } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { productsManaged, useDeleteProductMutation } from './admin-products.api.ts';
import styles from './product-row.module.css';
import { ProductRow } from './product-row.tsx';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true, width: '6%' },
  { label: 'Name' },
  { label: 'Price', figure: true, width: '14%' },
  { label: 'Quantity', figure: true, width: '16%' },
  { label: 'Edit', width: '9%' },
  { label: 'Delete', width: '11%' },
];
const HEIGHT = { row: 40, card: 134 };

const ALL = 'all';
const FILTERS = [
  { value: ALL, label: 'All' },
  { value: 'low', label: 'Low stock' },
];

export default function ManageProductsPage() {
  usePageTitle('Manage Product');
  const q = useSearchText();
  const lowStock = useSearchParams()[0].get('stock') === 'low';
  const show = useSearchParam('stock');
  const shown = useLiveList(productsManaged(q, lowStock));
  return (
    <>
      <PageHeading title="Manage Product" text="Every product in the shop, newest first.">
        <LinkButton to="/dashboard/addproduct" variant="default">
          Add product
        </LinkButton>
      </PageHeading>
      <Group gap="sm" mb="sm">
        <SegmentedControl
          data={FILTERS}
          value={lowStock ? 'low' : ALL}
          onChange={(value) => show(value === ALL ? undefined : value)}
          size="xs"
          aria-label="Products shown"
        />
        <AddressSearchBox label="Search products" placeholder="Search by name or component" />
      </Group>
      <LiveListView key={`${lowStock} ${q}`} shown={shown} what="the products">
        {(products, paging) => (
          <ProductTable products={products} paging={paging} empty={<NoProducts q={q} lowStock={lowStock} />} />
        )}
      </LiveListView>
    </>
  );
}

type ProductTableProps = { products: LoadedList; paging: Paging; empty: ReactNode };

function ProductTable({ products, paging, empty }: ProductTableProps) {
  const [deleting, setDeleting] = usePageState<ProductView | null>('deleting a product', null);
  const [done, setDone] = useState(false);
  const live = useSelector(selectIsLive);
  const { ids, left, waiting, showWaiting, handlers } = useSteadyList(products);
  const drawRow = useCallback(
    (id: string) => <ProductRow id={id} left={left.has(id)} onDelete={setDeleting} />,
    [left, setDeleting],
  );
  return (
    <>
      {ids.length === 0 ? (
        empty
      ) : (
        <div className={styles.list} {...handlers}>
          <ShowWaiting what="product" waiting={waiting} onShow={showWaiting} />
          <DataTable label="Products" columns={COLUMNS} minWidth={640} ids={ids} height={HEIGHT} paging={paging}>
            {drawRow}
          </DataTable>
        </div>
      )}
      <DeleteDialog product={deleting} onClose={() => setDeleting(null)} onDeleted={() => setDone(true)} />
      <Notice
        title="Deleted!"
        text={`This product has been deleted.${live ? '' : ' Please refresh the page to see the update.'}`}
        opened={done}
        onClose={() => setDone(false)}
      />
    </>
  );
}

function NoProducts({ q, lowStock }: { q: string | undefined; lowStock: boolean }) {
  if (q !== undefined) return <NoMatch what="product" q={q} />;
  if (!lowStock) {
    return (
      <EmptyState title="No products yet" text="Add your first product. It will appear in the shop immediately." />
    );
  }
  const enough = `Every product has at least ${ENOUGH_STOCK} in stock, and enough for ${ENOUGH_ORDERS} minimum orders.`;
  return <EmptyState title="Nothing is low" text={enough} action={<ShowAll what="products" />} />;
}

type DeleteDialogProps = { product: ProductView | null; onClose: () => void; onDeleted: () => void };

function DeleteDialog({ product, onClose, onDeleted }: DeleteDialogProps) {
  const [remove] = useDeleteProductMutation();
  const confirmed = useConfirm(async () => {
    if (product === null) return;
    await remove(product._id).unwrap();
    toast.success('Product deleted');
    onDeleted();
  }, onClose);
  return (
    <ConfirmDialog
      opened={product !== null}
      title="Are you sure?"
      text={product ? `${product.name} will be taken out of the shop. Orders for it stay.` : ''}
      confirmLabel="Delete"
      keepLabel="Keep product"
      {...confirmed}
    />
  );
}
