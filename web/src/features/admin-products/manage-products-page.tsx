import { Button, Group } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { useCallback, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import type { Paging } from '../../live/paging.ts';
import { type LoadedList, useLiveList } from '../../live/use-live.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { productsFound } from '../../shop/products/catalogue.api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { AddressSearchBox, useSearchText } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useDeleteProductMutation } from './admin-products.api.ts';
import { ProductRow } from './product-row.tsx';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true, width: '8%' },
  { label: 'Name' },
  { label: 'Quantity', figure: true, width: '14%' },
  { label: 'Edit', width: '12%' },
  { label: 'Delete', width: '14%' },
];
const HEIGHT = { row: 35, card: 192 };

export default function ManageProductsPage() {
  usePageTitle('Manage Product');
  return (
    <>
      <PageHeading title="Manage Product" text="What is in the shop, newest first.">
        <Button component={Link} to="/dashboard/addproduct" variant="default">
          Add product
        </Button>
      </PageHeading>
      <Group mb="sm">
        <AddressSearchBox label="Search products" placeholder="Name, processor, graphics card, best build for" />
      </Group>
      <Products />
    </>
  );
}

function Products() {
  const q = useSearchText();
  const shown = useLiveList(productsFound(q === undefined ? undefined : { q, inStock: false }));
  return (
    <LiveListView key={q} shown={shown} what="the products">
      {(products, paging) => <ProductTable products={products} paging={paging} searched={q !== undefined} />}
    </LiveListView>
  );
}

type ProductTableProps = { products: LoadedList; paging: Paging; searched: boolean };

function ProductTable({ products, paging, searched }: ProductTableProps) {
  const [deleting, setDeleting] = useState<ProductView | null>(null);
  const [done, setDone] = useState(false);
  const live = useSelector(selectIsLive);
  const { ids, left, handlers } = useSteadyRows(products);
  const drawRow = useCallback(
    (id: string) => <ProductRow id={id} left={left.has(id)} onDelete={setDeleting} />,
    [left],
  );
  return (
    <>
      {ids.length === 0 ? (
        <NoProducts searched={searched} />
      ) : (
        <div {...handlers}>
          <DataTable label="Products" columns={COLUMNS} minWidth={480} ids={ids} height={HEIGHT} paging={paging}>
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

function NoProducts({ searched }: { searched: boolean }) {
  return searched ? (
    <EmptyState title="No product matches" text="Try fewer letters." />
  ) : (
    <EmptyState title="No products yet" text="Add the first one, and it appears in the shop at once." />
  );
}

type DeleteDialogProps = { product: ProductView | null; onClose: () => void; onDeleted: () => void };

function DeleteDialog({ product, onClose, onDeleted }: DeleteDialogProps) {
  const [remove, { isLoading, error, reset }] = useDeleteProductMutation();
  const close = () => {
    reset();
    onClose();
  };
  const confirm = async () => {
    if (product === null) return;
    const answer = await remove(product._id);
    if (answer.error) return;
    close();
    toast.success('Product deleted');
    onDeleted();
  };
  return (
    <ConfirmDialog
      opened={product !== null}
      title="Are you sure?"
      text={product ? `${product.name} will leave the shop. Orders of it stay.` : ''}
      confirmLabel="Delete"
      keepLabel="Keep product"
      busy={isLoading}
      problem={error ? problemText(error) : null}
      onConfirm={confirm}
      onClose={close}
    />
  );
}
