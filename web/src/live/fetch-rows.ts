import { type ViewKind, viewSchemas } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { unreadable } from '../api/problem.ts';
import { type ReadAnswer, type ReaderApi, readShop } from '../api/shop-api.ts';
import type { FetchedRows } from './take-answers.ts';
import type { AnyView } from './view-map.ts';

type RowsAnswer = { rows: FetchedRows } | { unchanged: true } | { error: unknown };

/**
 * Fetches pages, starting at `path`, until at least `wanted()` rows are loaded or there are no more pages. Always
 * fetches the first page, and calls `wanted` again before each further page. `etag` identifies the rows that the caller
 * already has. If the first page still matches `etag`, returns `unchanged`.
 */
export async function fetchRows(
  kind: ViewKind,
  path: string,
  wanted: () => number,
  api: ReaderApi,
  etag: string | null = null,
): Promise<RowsAnswer> {
  const schema = z.array(viewSchemas[kind]);
  const views: AnyView[] = [];
  let pages = 0;
  let first: string | null = null;
  let next: string | null = path;
  while (next !== null && (pages === 0 || views.length < wanted())) {
    const answer: ReadAnswer = await readShop(next, api, pages === 0 ? etag : null);
    if ('error' in answer) return answer;
    if (answer.unchanged) return { unchanged: true };
    const page = schema.safeParse(answer.body);
    if (!page.success) return { error: unreadable(200) };
    for (const view of page.data) views.push(view);
    pages += 1;
    next = page.data.length === 0 ? null : answer.next;
    first = answer.etag;
  }
  return { rows: { views, next, etag: pages === 1 ? first : null } };
}
