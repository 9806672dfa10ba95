import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/ids.ts';

/** Returns a record with one value for each kind of document. */
export function byKind<T>(make: (kind: DocumentKind) => T): Record<DocumentKind, T> {
  return Object.fromEntries(DOCUMENT_KINDS.map((kind) => [kind, make(kind)])) as Record<DocumentKind, T>;
}
