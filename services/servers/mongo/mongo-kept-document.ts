import { columnsOf, type Declaration, textOf } from '../../contracts/document-queries.ts';
import type { AnyDocument } from '../../contracts/documents.ts';
import { wordEndings } from '../../engine/read-models/search-text.ts';

/** A document as saved, and the values computed from it. */
export interface KeptDocument {
  readonly _id: string;
  readonly version: number;
  readonly computed: {
    /** The version of the declaration by which these values were computed. */
    readonly declared: number;
    /** The document's values in its declared columns, without those that are null. */
    readonly columns: Readonly<Record<string, string | number | true>>;
    /** The lower-cased text that searches look through. Absent if documents of this kind can't be searched. */
    readonly search?: string;
    /** The indexed suffixes of the words in `search`. Each suffix is cut to a maximum length. */
    readonly endings?: readonly string[];
  };
  readonly [field: string]: unknown;
}

/** The MongoDB projection that returns a stored document exactly as it was saved. */
export const AS_SAVED = { _id: 0, computed: 0 } as const;

export function keptDocument(declaration: Declaration, document: AnyDocument): KeptDocument {
  const columns = Object.entries(columnsOf(declaration, document)).filter(([, value]) => value !== null);
  const search = textOf(declaration, document);
  const computed = {
    declared: declaration.version,
    columns: Object.fromEntries(columns) as Record<string, string | number | true>,
    ...(search !== null && { search, endings: wordEndings(search) }),
  };
  return { ...document, _id: document.id, computed };
}
