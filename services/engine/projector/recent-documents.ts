import { LRUCache } from 'lru-cache';
import type { AnyDocument } from '../../contracts/documents.ts';
import type { StreamName } from '../../contracts/ids.ts';

const KEPT = 2_000;

/**
 * Caches a projector's most recently saved documents, so that a stream's next event can be projected without reading
 * the store. A document depends only on its stream's events, so a cached document is as good as the stored one (PRJ1).
 */
export interface RecentDocuments {
  /**
   * Returns the document as it was just before the event with this version, or null if that is the stream's first
   * event. Returns undefined if the document must be read from the store, e.g. for a repeated event.
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
