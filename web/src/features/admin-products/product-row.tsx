import { Anchor } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { isLowStock } from '@micro-center/services/contracts/product/stock.ts';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { LiveRow } from '../../live/live-row.tsx';
import { useView } from '../../live/use-live.ts';
import { ProductImage } from '../../shop/products/product-image.tsx';
import { DataCell, RowNumber } from '../../ui/data-table.tsx';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { RowBadge, RowButton } from '../../ui/row-parts.tsx';
import styles from './product-row.module.css';

interface ProductRowProps {
  id: string;
  left: boolean;
  onDelete: (product: ProductView) => void;
}

/** One product as an admin sees it, with its actions (A5, A7). */
export const ProductRow = memo(function ProductRow({ id, left, onDelete }: ProductRowProps) {
  const product = useView('product', id);
  if (product === undefined) return null;
  const { name, img1, price, quantity, minorder } = product;
  return (
    <LiveRow id={id} left={left}>
      <DataCell label="No." figure>
        <RowNumber />
      </DataCell>
      <DataCell label="Name" title={name}>
        <span className={styles.product}>
          <ProductImage src={img1} alt="" />
          <span lang={languageOf(name)} className={styles.name}>
            {name}
          </span>
        </span>
      </DataCell>
      <DataCell label="Price" figure>
        {formatTaka(price)}
      </DataCell>
      <DataCell label="Quantity" figure title={`Minimum order ${minorder}`}>
        {isLowStock(product) ? <RowBadge tone="low">{quantity === 0 ? 'None left' : 'Low'}</RowBadge> : null}
        <span className={styles.quantity}>{quantity}</span>
      </DataCell>
      <DataCell label="Edit">
        {left ? null : (
          <Anchor
            component={Link}
            to={`/dashboard/manageproduct/${product._id}`}
            size="sm"
            fw={600}
            aria-label={`Edit ${name}`}
          >
            Edit
          </Anchor>
        )}
      </DataCell>
      <DataCell label="Delete">
        <RowButton tone="danger" disabled={left} onClick={() => onDelete(product)} label={`Delete ${name}`}>
          Delete
        </RowButton>
      </DataCell>
    </LiveRow>
  );
});
