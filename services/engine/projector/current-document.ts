import type { Documents } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { type DocumentKind, streamName } from '../../contracts/ids.ts';
import type { EventLog } from '../log/event-log.ts';
import { foldStream } from '../log/fold-stream.ts';
import type { Sealing } from '../log/sealing.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Projection } from './projection.ts';

export interface DocumentSource {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
}

/**
 * Returns a document that is at least as new as its stream's head at the time of the call (READ1). Events that the
 * projector hasn't saved yet are read from the log and folded onto the saved document. Returns null if the stream
 * doesn't exist.
 */
export async function currentDocument<K extends DocumentKind>(
  source: DocumentSource,
  kind: K,
  id: string,
): Promise<Documents[K] | null> {
  const stream = streamName(kind, id);
  const [head, saved] = await Promise.all([source.log.head(stream), source.readModels.get(kind, id)]);
  return head <= (saved?.version ?? 0) ? saved : completeDocument(source, kind, id, saved);
}

/** Returns a saved document with all later events of its stream folded onto it, or null if the stream does not exist. */
export async function completeDocument<K extends DocumentKind>(
  source: Omit<DocumentSource, 'readModels'>,
  kind: K,
  id: string,
  saved: Documents[K] | null,
): Promise<Documents[K] | null> {
  const from = { state: saved, version: saved?.version ?? 0 };
  const evolve = (document: Documents[K] | null, event: RecordedEvent) =>
    source.projection.projectEvent(kind, document, event);
  const opening = source.projection.bareKinds.has(kind) ? 'bare' : 'whole';
  return (await foldStream(source, streamName(kind, id), from, evolve, opening)).state;
}
