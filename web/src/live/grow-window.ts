import { PAGE_ROWS } from './follow-pushes.ts';

/** Recipe for a cached live list: the next refetch loads one more page of rows. */
export function growWindow(list: { wanted: number; items: readonly unknown[] }): void {
  list.wanted = Math.max(list.wanted, list.items.length) + PAGE_ROWS;
}
