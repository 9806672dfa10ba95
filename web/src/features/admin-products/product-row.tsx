import { Button } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/views.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { DataCell, DataRow } from '../../ui/data-table.tsx';

interface ProductRowProps {
  product: ProductView;
  /** the row's number on the screen, from 1 */
  number: number;
  left: boolean;
  changed: boolean;
  onDelete: (product: ProductView) => void;
}

/** One product as an admin sees it, with what can be done to it (A5). */
export const ProductRow = memo(function ProductRow({ product, number, left, changed, onDelete }: ProductRowProps) {
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="No." figure>
        {number}
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
