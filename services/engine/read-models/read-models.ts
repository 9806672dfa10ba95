import type { Query } from '../../contracts/document-queries.ts';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { Position } from './cursor.ts';

export type VersionedId = Pick<AnyDocument, 'id' | 'version'>;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** `next` is null on the last page. `version` identifies the page's content (see versionOf()). */
export interface Page<D> {
  readonly items: D[];
  readonly next: string | null;
  readonly version: string;
}

/** Selects a part of a query's results. `after` is the position of the last document before that part. */
export interface Slice {
  readonly limit?: number | undefined;
  readonly after?: Position | undefined;
}

/** Thrown if too many searches are already waiting. The rejected search was not run and may be retried later. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';
}

/**
 * Stores documents, and answers the queries that each kind of document declares (document-queries.ts). Each document has the
 * version of the stream from which it was built.
 */
export interface ReadModels {
  get<K extends DocumentKind>(kind: K, id: string): Promise<Documents[K] | null>;
  getMany<K extends DocumentKind>(kind: K, ids: readonly string[]): Promise<Documents[K][]>;
  /**
   * Saves each document whose version is higher than that of the stored one (PRJ1). Resolves once the writes are
   * visible. They can be lost only together with the feed's checkpoint, and are then projected again. Returns the stored documents that are newer than the given ones (PRJ6).
   */
  save(documents: readonly AnyDocument[]): Promise<AnyDocument[]>;
  find<K extends DocumentKind>(query: Query<K>, slice?: Slice): Promise<Documents[K][]>;
  /** Returns only the ids, versions and positions of the documents that find() would return. */
  findIds(query: Query, slice?: Slice): Promise<(VersionedId & Position)[]>;
  /** @throws InvalidCursor, TooManySearches */
  page<K extends DocumentKind>(query: Query<K>, request: PageRequest): Promise<Page<Documents[K]>>;
  /**
   * Returns the version that the requested page would have if it were read now. Pages with the same version contain the
   * same documents.
   */
  versionOf(query: Query, request: PageRequest): Promise<string>;
  count(query: Query): Promise<number>;
  /** Returns the number of matching documents, or null if there might be more than `most`. */
  countUpTo(query: Query, most: number): Promise<number | null>;
  /** Returns how many documents have each value of the kind's `counted` column. */
  countByValue(kind: DocumentKind): Promise<Readonly<Record<string, number>>>;
  /** Returns the sum of a column over all matching documents. */
  sum(query: Query, column: string): Promise<number>;
  /** Empties every collection, for a rebuild from the log. */
  clear(): Promise<void>;
}
