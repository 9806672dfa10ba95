import { PAGE_ROWS } from './follow-pushes.ts';

/** Recipe for a cached live list: the next refetch loads one more page of rows, or as many as `rows` says. */
export function growWindow(list: { wanted: number; items: readonly unknown[] }, rows?: number): void {
  list.wanted = rows ?? Math.max(list.wanted, list.items.length) + PAGE_ROWS;
}
