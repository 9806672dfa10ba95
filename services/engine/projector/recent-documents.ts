import { LRUCache } from 'lru-cache';
import type { AnyDocument } from '../../contracts/documents.ts';
import type { StreamName } from '../../contracts/ids.ts';

const KEPT = 2_000;

/**
 * The documents that a projector saved last: the next event of their streams need not have them read again. A document
 * follows from its stream alone, so one that is kept is as good as the one in the store (PRJ1).
 */
export interface RecentDocuments {
  /**
   * The document that has seen all before an event of this version; null where that is its stream's first. Undefined
   * where the store has to be asked, as for an event that comes again.
   */
  before(stream: StreamName, version: number): AnyDocument | null | undefined;
  saved(stream: StreamName, document: AnyDocument): void;
}

export function keepRecentDocuments(): RecentDocuments {
  const kept = new LRUCache<StreamName, AnyDocument>({ max: KEPT });
  return {
    before(stream, version) {
      if (version === 1) return null;
      const document = kept.get(stream);
      return document?.version === version - 1 ? document : undefined;
    },
    saved(stream, document) {
      const known = kept.peek(stream);
      if (!known || known.version < document.version) kept.set(stream, document);
    },
  };
}
