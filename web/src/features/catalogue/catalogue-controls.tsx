import { Checkbox, NativeSelect } from '@mantine/core';
import { SearchBox } from '../../ui/search-box.tsx';
import styles from './catalogue-controls.module.css';
import type { CatalogueFilter, ProductOrder } from './catalogue-filter.ts';

const ORDERS: { value: ProductOrder | ''; label: string }[] = [
  { value: '', label: 'Newest first' },
  { value: 'price', label: 'Price: low to high' },
  { value: '-price', label: 'Price: high to low' },
  { value: 'name', label: 'Name: A to Z' },
];

interface ControlsProps {
  filter: CatalogueFilter;
  onChange: (changes: Partial<CatalogueFilter>) => void;
}

/** The search, sort order and stock filter of the All Items page. */
export function CatalogueControls({ filter, onChange }: ControlsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: React's development build warns about <search> if the DOM lacks it
    <form role="search" className={styles.controls} onSubmit={(event) => event.preventDefault()}>
      <SearchBox
        label="Search products"
        placeholder="Search by name or component"
        className={styles.search}
        size="md"
        q={filter.q}
        onSearch={(q) => onChange({ q })}
      />
      <NativeSelect
        aria-label="Sort by"
        size="md"
        data={ORDERS}
        value={filter.order ?? ''}
        onChange={(event) => onChange({ order: (event.currentTarget.value || undefined) as CatalogueFilter['order'] })}
      />
      <Checkbox
        className={styles.stock}
        label="In stock only"
        checked={filter.inStock}
        onChange={(event) => onChange({ inStock: event.currentTarget.checked })}
      />
    </form>
  );
}
