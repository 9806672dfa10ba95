import type { AnyDocument } from '../../contracts/documents.ts';
import { SEARCH_TEXT_VERSION } from '../../contracts/search-text.ts';
import { searchText, wordEndings } from '../../engine/read-models/search-text.ts';

interface Computed {
  /** The lower-cased text that search queries (`q`) are matched against. */
  readonly search?: string;
  /** The indexed suffixes of the words in `search`. Each suffix is cut to a maximum length. */
  readonly endings?: readonly string[];
  /** The SEARCH_TEXT_VERSION with which `search` and `endings` were computed. */
  readonly textVersion?: number;
  readonly listed?: boolean;
  /** True for an order with payments or refunds that still have to be settled with Stripe (FEED2). */
  readonly owing?: boolean;
}

/** A document as saved, and the fields computed from it. */
export interface KeptDocument {
  readonly _id: string;
  readonly version: number;
  readonly computed: Computed;
  readonly [field: string]: unknown;
}

/** The MongoDB projection that returns a stored document exactly as it was saved. */
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
    case 'mail':
    case 'balance':
      return {};
    default:
      return document satisfies never;
  }
}

function searched(document: AnyDocument): Pick<Computed, 'search' | 'endings' | 'textVersion'> {
  const search = searchText(document);
  return { search, endings: wordEndings(search), textVersion: SEARCH_TEXT_VERSION };
}
