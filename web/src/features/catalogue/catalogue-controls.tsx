import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import styles from './catalogue-controls.module.css';
import type { CatalogueFilter, ProductOrder } from './catalogue-filter.ts';

/** A search is sent once nothing was typed for this long, in milliseconds. */
export const SEARCH_DELAY = 300;

/** As long as the server takes one. */
const LONGEST_SEARCH = 200;

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

/** What narrows and sorts All Items. */
export function CatalogueControls({ filter, onChange }: ControlsProps) {
  const search = useSearch(filter.q, (q) => onChange({ q }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: React's development build warns of <search> where a DOM lacks it
    <form role="search" className={styles.controls} onSubmit={search.submit}>
      <TextInput
        type="search"
        className={styles.search}
        aria-label="Search products"
        placeholder="Search by name or part"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        maxLength={LONGEST_SEARCH}
        enterKeyHint="search"
        autoComplete="off"
        value={search.typed}
        onChange={(event) => search.type(event.currentTarget.value)}
      />
      <NativeSelect
        className={styles.order}
        aria-label="Sort by"
        size="md"
        data={ORDERS}
        value={filter.order ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange({ order: ORDERS.find((order) => order.value === value)?.value || undefined });
        }}
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

/** The text in the box: ahead of the address while somebody types, and behind it after Back or a cleared filter. */
function useSearch(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const send = useDebouncedCallback((text: string) => {
    if (text.trim() === sent.current) return;
    sent.current = text.trim();
    onSearch(sent.current);
  }, SEARCH_DELAY);

  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    send.cancel();
    setTyped(q);
  }, [q, send]);

  return {
    typed,
    type: (text: string) => {
      setTyped(text);
      send(text);
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      send.flush();
    },
  };
}
