import type { AnyDocument } from '../../contracts/documents.ts';
import { searchText, wordEndings } from '../../engine/read-models/search-text.ts';

interface Computed {
  /** what `q` is looked for in, lower-cased */
  readonly search?: string;
  /** the endings of its words: what an index finds them by */
  readonly endings?: readonly string[];
  readonly listed?: boolean;
  /** of an order: Stripe still has to be asked for it (FEED2) */
  readonly owing?: boolean;
}

/** A document as MongoDB keeps it: its own fields in their order, and beside them what is computed from them. */
export interface KeptDocument {
  readonly _id: string;
  readonly version: number;
  readonly computed: Computed;
  readonly [field: string]: unknown;
}

/** Leaves of a kept document exactly what was saved. */
export const AS_SAVED = { _id: 0, computed: 0 } as const;

export function keptDocument(document: AnyDocument): KeptDocument {
  return { ...document, _id: document.id, computed: computedFrom(document) };
}

function computedFrom(document: AnyDocument): Computed {
  switch (document.kind) {
    case 'order': {
      const { status, owes } = document;
      const owing = owes.intents.length + owes.refunds.length > 0;
      return { ...searched(document), listed: status !== 'cancelled', owing };
    }
    case 'product':
    case 'user':
      return searched(document);
    case 'review':
      return {};
    default:
      return document satisfies never;
  }
}

function searched(document: AnyDocument): Pick<Computed, 'search' | 'endings'> {
  const search = searchText(document);
  return { search, endings: wordEndings(search) };
}
