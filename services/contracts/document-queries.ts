import type { Documents } from './documents.ts';
import type { DocumentKind } from './ids.ts';

/**
 * A document's value in a column. A document with null or false in the first column of an index isn't in that index, so
 * an index whose first column is a flag contains only the documents with that flag.
 */
export type ColumnValue = string | number | boolean | null;

type Value = string | number;

/** Selects one value, a flag that is set, one of several values, or a range. `from` and `upTo` are included, `before` isn't. */
export type Condition = Value | true | { readonly in: readonly Value[] } | Range;

interface Range {
  readonly from?: Value | undefined;
  readonly before?: Value | undefined;
  readonly upTo?: Value | undefined;
}

/**
 * A query of one kind of document, as a value. Documents match if they meet every condition and if their text contains
 * every word of `text`. They are sorted by the column `by` and then by id, in the same direction. If `by` is null, they
 * are sorted by id.
 */
export interface Query<K extends DocumentKind = DocumentKind> {
  readonly kind: K;
  readonly where: Readonly<Record<string, Condition>>;
  readonly text: string;
  readonly by: string | null;
  readonly descending: boolean;
  /** the declared index that contains the matching documents in this order; empty for all documents by id */
  readonly index: readonly string[];
}

/**
 * How documents of one kind are stored. `Column` is the name of a column. Columns are computed from a document when it's
 * saved, and are stored beside it.
 */
export interface Declaration<K extends DocumentKind = DocumentKind, Column extends string = string> {
  /**
   * Raise the version with every change to this declaration or to how its columns or its text are computed. A store then
   * computes them again when it's opened.
   */
  readonly version: number;
  readonly columns: Readonly<Record<Column, ColumnOf<Documents[K]>>>;
  /** Returns the text that searches look through. Absent if the documents can't be searched. */
  text?(document: Documents[K]): string;
  /**
   * Every query reads the first of these indexes that serves it, in either direction. Documents with the same values are sorted by id. An
   * index that names `id` itself has further columns behind the id. findIds() and sum() then don't read the documents.
   */
  readonly indexes: readonly (readonly (NoInfer<Column> | 'id' | 'version')[])[];
  readonly counted?: CountedColumn<NoInfer<Column>>;
}

/**
 * A column whose values are counted often (BOARD1). Most documents end up with the value `most`, and then keep it once
 * they have had it for `settledAfterMs`. `since` is the column with the time from which they have had it (ISO 8601).
 */
export interface CountedColumn<Column extends string = string> {
  readonly column: Column;
  readonly values: readonly string[];
  readonly most: string;
  readonly since: Column;
  readonly settledAfterMs: number;
}

/** Being a method's type, it lets a declaration of one kind stand where a declaration of any kind is expected. */
type ColumnOf<D> = { value(document: D): ColumnValue }['value'];

/** The declarations of all kinds of documents. */
export type Declarations = { readonly [K in DocumentKind]: Declaration<K> };

interface Question<Column extends string> {
  /** A condition that is undefined is ignored. A range is possible only on the column `by`. */
  readonly where?: { readonly [Name in Column]?: Condition | undefined };
  readonly text?: string | undefined;
  readonly by?: Column;
  readonly descending?: boolean;
}

/** Returns the declaration with a function that builds its queries. The function throws if no declared index serves a query. */
export function declareDocuments<K extends DocumentKind, Column extends string>(
  kind: K,
  declaration: Declaration<K, Column>,
): Declaration<K, Column> & { query(question: Question<Column>): Query<K> } {
  const indexes = declaration.indexes.map((index) => ({ index, sortedBy: columnsBeforeId(index) }));
  function query({ where, text = '', by, descending = false }: Question<Column>): Query<K> {
    const conditions: Record<string, Condition> = {};
    for (const [name, condition] of Object.entries<Condition | undefined>(where ?? {}))
      if (condition !== undefined) conditions[name] = condition;
    const index = indexes.find(({ sortedBy }) => serves(sortedBy, conditions, by ?? null))?.index;
    if (text !== '' && !declaration.text) throw new Error(`Documents of the kind ${kind} have no text.`);
    if (!index) throw new Error(`No index of ${kind} serves ${JSON.stringify({ where, by })}.`);
    return { kind, where: conditions, text, by: by ?? null, descending, index };
  }
  return { ...declaration, query };
}

/**
 * Returns whether an index that is sorted by these columns contains all matching documents next to each other and in
 * order. This is the case if the query gives one value, or one of several, for each of them, followed by the column `by`.
 */
function serves(sortedBy: readonly string[], where: Readonly<Record<string, Condition>>, by: string | null): boolean {
  if (by !== null && sortedBy.at(-1) !== by) return false;
  const isRange = (column: string) => rangeOf(where[column]) !== null;
  const chosen = by === null ? sortedBy : sortedBy.slice(0, -1);
  return (
    chosen.every((column) => column in where && !isRange(column)) &&
    Object.keys(where).every((column) => column === by || !isRange(column))
  );
}

/** Returns all columns of an index. */
export function withId(index: readonly string[]): readonly string[] {
  return index.includes('id') ? index : [...index, 'id'];
}

function columnsBeforeId(index: readonly string[]): readonly string[] {
  return withId(index).slice(0, withId(index).indexOf('id'));
}

/** Returns a query for all documents of one kind, sorted by id. */
export function everyDocument<K extends DocumentKind>(kind: K): Query<K> {
  return { kind, where: {}, text: '', by: null, descending: false, index: [] };
}

export function rangeOf(condition: Condition | undefined): Range | null {
  return typeof condition === 'object' && !('in' in condition) ? condition : null;
}

/** Returns a document's values in all columns. A flag that isn't set is null. */
export function columnsOf<K extends DocumentKind>(
  { columns }: Declaration<K>,
  document: Documents[K],
): Readonly<Record<string, string | number | true | null>> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, compute]) => {
      const value = compute(document);
      return [name, value === false ? null : value];
    }),
  );
}

/** Returns the text that searches look through, or null if the documents can't be searched. */
export function textOf<K extends DocumentKind>({ text }: Declaration<K>, document: Documents[K]): string | null {
  // A store wouldn't return a lone surrogate unchanged, so the document's entries in the search index couldn't be found
  // when they have to be removed.
  return text?.(document).replace(/\p{Surrogate}/gu, '\ufffd') ?? null;
}
