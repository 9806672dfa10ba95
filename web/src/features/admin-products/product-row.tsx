import { Button } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { useIsChanged, useLastView } from '../../live/use-live.ts';
import { DataCell, DataRow, RowNumber } from '../../ui/data-table.tsx';

interface ProductRowProps {
  id: string;
  left: boolean;
  onDelete: (product: ProductView) => void;
}

/** One product as an admin sees it, with what can be done to it (A5). */
export const ProductRow = memo(function ProductRow({ id, left, onDelete }: ProductRowProps) {
  const product = useLastView('product', id);
  const changed = useIsChanged(id);
  if (product === undefined) return null;
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="No." figure>
        <RowNumber />
      </DataCell>
      <DataCell label="Name">{product.name}</DataCell>
      <DataCell label="Quantity" figure>
        {product.quantity}
      </DataCell>
      <DataCell label="Edit">
        {left ? null : (
          <Button
            component={Link}
            to={`/dashboard/manageproduct/${product._id}`}
            size="compact-sm"
            variant="light"
            aria-label={`Edit ${product.name}`}
          >
            Edit
          </Button>
        )}
      </DataCell>
      <DataCell label="Delete">
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          disabled={left}
          onClick={() => onDelete(product)}
          aria-label={`Delete ${product.name}`}
        >
          Delete
        </Button>
      </DataCell>
    </DataRow>
  );
});
