import { columnsOf, type Declaration, type Query } from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import type { Page, PageRequest, Slice } from './read-models.ts';

/**
 * Returns the part of a query's results to read for a page. It has one document more than the page, to find out whether
 * there is a next page.
 * @throws InvalidCursor if the cursor is malformed or belongs to another list or sort order
 */
export function sliceOf(query: Query, { cursor, limit }: PageRequest): Slice {
  return { after: cursor === undefined ? undefined : decodeCursor(listName(query), cursor), limit: limit + 1 };
}

/**
 * The maximum size of a page, in bytes of JSON. A page ends before the document that would exceed this limit, but
 * always has at least one document.
 */
const MAX_PAGE_BYTES = 1_000_000;

/** Returns a page. `found` are the documents of the slice that sliceOf() returned. */
export function pageOf<K extends DocumentKind>(
  declaration: Declaration<K>,
  query: Query<K>,
  { limit }: PageRequest,
  found: readonly Documents[K][],
  version: string,
): Page<Documents[K]> {
  const items = found.slice(0, Math.min(limit, countThatFits(found)));
  const last = items.at(-1);
  if (!last || found.length === items.length) return { items, next: null, version };
  return { items, next: encodeCursor(listName(query), positionOf(declaration, query, last)), version };
}

/** Returns a document's position in the results of a query. */
export function positionOf<K extends DocumentKind>(
  declaration: Declaration<K>,
  { by }: Query<K>,
  document: Documents[K],
): Position {
  const key = by === null ? '' : columnsOf(declaration, document)[by];
  return { key: typeof key === 'number' ? key : String(key), id: document.id };
}

function listName({ kind, by, descending }: Query): string {
  return `${kind}:${by}:${descending ? 'descending' : 'ascending'}`;
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
