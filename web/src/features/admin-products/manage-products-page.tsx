import { Button } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { problemText } from '../../api/problem.ts';
import { useAppDispatch, useAppSelector } from '../../app/hooks.ts';
import { ENDED, type LiveList } from '../../live/apply-push.ts';
import { growWindow } from '../../live/grow-window.ts';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import { useChangedRows } from '../../live/use-changed-rows.ts';
import { useSteadyRows } from '../../live/use-steady-rows.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Column, DataCell, DataRow, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { catalogueApi, useListProductsQuery } from '../catalogue/catalogue.api.ts';
import { useDeleteProductMutation } from './admin-products.api.ts';

const COLUMNS: Column[] = [
  { label: 'No.', figure: true, width: '8%' },
  { label: 'Name' },
  { label: 'Quantity', figure: true, width: '16%' },
  { label: 'Delete', width: '20%' },
];

export default function ManageProductsPage() {
  usePageTitle('Manage Product');
  return (
    <>
      <PageHeading title="Manage Product">
        <Button component={Link} to="/dashboard/addproduct" variant="default">
          Add Product
        </Button>
      </PageHeading>
      <Products />
    </>
  );
}

function Products() {
  const query = useListProductsQuery();
  const dispatch = useAppDispatch();
  return (
    <LiveListView
      query={query}
      what="the products"
      onGrow={() => dispatch(catalogueApi.util.updateQueryData('listProducts', undefined, growWindow))}
    >
      {(products) => <ProductTable products={products} />}
    </LiveListView>
  );
}

function ProductTable({ products }: { products: LiveList<ProductView> }) {
  const [deleting, setDeleting] = useState<ProductView | null>(null);
  const [done, setDone] = useState(false);
  const live = useAppSelector(selectIsLive);
  const changed = useChangedRows(products.items);
  const { rows, handlers } = useSteadyRows(products.items, (id) => products.gone[id] === ENDED);
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title="No products yet" text="Add the first one, and it appears in the shop at once." />
      ) : (
        <DataTable label="Products" columns={COLUMNS} minWidth={480} {...handlers}>
          {rows.map(({ view, left }, index) => (
            <DataRow key={view._id} changed={changed.has(view._id)} left={left}>
              <DataCell label="No." figure>
                {index + 1}
              </DataCell>
              <DataCell label="Name">{view.name}</DataCell>
              <DataCell label="Quantity" figure>
                {view.quantity}
              </DataCell>
              <DataCell label="Delete">
                <Button
                  size="compact-sm"
                  variant="light"
                  color="red"
                  disabled={left}
                  onClick={() => setDeleting(view)}
                  aria-label={`Delete ${view.name}`}
                >
                  Delete
                </Button>
              </DataCell>
            </DataRow>
          ))}
        </DataTable>
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
