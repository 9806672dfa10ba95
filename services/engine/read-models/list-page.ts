import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { ListKind, ListRequests, Page } from './read-models.ts';
import { SORT_ORDERS, type SortOrder } from './sort-order.ts';

/**
 * Returns where a page starts and how many documents to read for it. `after` is the position of the previous page's
 * last item, or null for the first page. `limit` is one more than the requested page size, to find out whether there is
 * a next page.
 * @throws InvalidCursor if the cursor is malformed or belongs to another list or sort
 */
export function startOfPage<K extends ListKind>(kind: K, request: ListRequests[K]) {
  const { cursor, limit } = request;
  const order = SORT_ORDERS[kind](request);
  const after = cursor === undefined ? null : decodeCursor(listName(kind, order), cursor, order.keySchema);
  return { order, after, limit: limit + 1 };
}

/**
 * The maximum size of a page, in bytes of JSON. A page ends before the document that would exceed this limit, but
 * always has at least one document.
 */
const MAX_PAGE_BYTES = 1_000_000;

export function pageOf<K extends ListKind>(
  kind: K,
  request: ListRequests[K],
  found: readonly Documents[K][],
  version: string,
): Page<Documents[K]> {
  const order = SORT_ORDERS[kind](request);
  const items = found.slice(0, Math.min(request.limit, countThatFits(found)));
  const last = items.at(-1);
  if (!last || found.length === items.length) return { items, next: null, version };
  return { items, next: encodeCursor(listName(kind, order), { key: order.keyOf(last), id: last.id }), version };
}

function listName<K extends ListKind>(kind: K, order: SortOrder<K>): string {
  return `${kind}:${order.name}`;
}

/** Returns how many of the documents fit on one page. The first document is always counted, even if it is too large. */
function countThatFits(found: readonly AnyDocument[]): number {
  let bytes = 0;
  const first = found.findIndex((document) => {
    bytes += Buffer.byteLength(JSON.stringify(document));
    return bytes > MAX_PAGE_BYTES;
  });
  return first === -1 ? found.length : Math.max(1, first);
}
