import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { type DocumentKind, documentOf, type StreamName } from '../../contracts/ids.ts';
import type { DocumentPush } from '../../contracts/pushes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Sealing } from '../log/sealing.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Broadcast } from './broadcast.ts';
import { completeDocument } from './current-document.ts';
import type { Projection } from './projection.ts';
import { keepRecentDocuments, type RecentDocuments } from './recent-documents.ts';

/** A stream that could not be projected. The feed redelivers its events, and other streams aren't affected (PRJ4). */
export interface StoppedStream {
  readonly stream: StreamName;
  /** time of the first failure, in ms since the epoch */
  readonly since: number;
  /** time of the last failure, in ms since the epoch */
  readonly triedAt: number;
  readonly attempts: number;
  readonly error: string;
}

export interface Projector {
  /**
   * Projects a batch of events, pushes the documents and runs the policies. Returns the ids of the events to redeliver:
   * those that couldn't be projected, and those whose policies failed or are still running.
   */
  project(events: readonly StoredEvent[]): Promise<ReadonlySet<string>>;
  /** Returns every stream that this projector failed to project and has not projected since. */
  stoppedStreams(): readonly StoppedStream[];
}

export interface ProjectorSettings {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  /** absent if nothing has to be pushed, as in a rebuild */
  readonly broadcast?: Pick<Broadcast, 'publish'>;
  readonly clock: Clock;
  /** runs the policies on the events, and returns the ids of the events whose policies failed or are still running */
  readonly runPolicies?: (events: readonly RecordedEvent[]) => Promise<ReadonlySet<string>>;
  /** called after each save of a stream's document, with the document's version */
  readonly onProjected?: ((stream: StreamName, version: number) => void) | undefined;
  /** called after each failed attempt to project a stream */
  readonly onStopped?: (stopped: StoppedStream) => void;
}

interface StreamBatch {
  readonly stream: StreamName;
  readonly kind: DocumentKind;
  readonly id: string;
  readonly stored: StoredEvent[];
}

interface ProjectedStream extends StreamBatch {
  readonly events: readonly RecordedEvent[];
  readonly document: AnyDocument;
}

/**
 * Returns a projector. It folds events into documents, saves the documents and then pushes them. The documents come out
 * the same even if the feed repeats, skips or delays events (PRJ1).
 */
export function createProjector(settings: ProjectorSettings): Projector {
  const { log, sealing, readModels, projection, broadcast, clock } = settings;
  const stopped = new Map<StreamName, StoppedStream>();
  const recent = keepRecentDocuments();

  async function foldOnto(saved: AnyDocument | null, batch: StreamBatch): Promise<ProjectedStream> {
    // Documents of some kinds (`bareKinds`) contain no personal data. For these kinds, the personal data in events is
    // opened (decrypted) only if policies have to run.
    const bare = !settings.runPolicies && projection.bareKinds.has(batch.kind);
    const events = bare ? batch.stored.map(sealing.openBare) : await sealing.openAll(batch.stored);
    let document: AnyDocument | null = saved;
    for (const event of events) {
      const version = document?.version ?? 0;
      if (event.streamversion <= version) continue;
      document =
        event.streamversion === version + 1
          ? projection.projectEvent(batch.kind, document as Documents[DocumentKind] | null as never, event)
          : await completeDocument({ log, sealing, projection }, batch.kind, batch.id, document as never);
    }
    if (document === null) throw new Error(`${batch.stream} does not start with a creation event.`);
    return { ...batch, events, document };
  }

  /** If the stream cannot be projected, returns null, records it as stopped and adds its events to `notDone` (PRJ4). */
  async function fold(
    saved: AnyDocument | null,
    batch: StreamBatch,
    notDone: Set<string>,
  ): Promise<ProjectedStream | null> {
    try {
      const projected = await foldOnto(saved, batch);
      stopped.delete(batch.stream);
      return projected;
    } catch (error) {
      noteStopped(batch, error);
      for (const event of batch.stored) notDone.add(event.id);
      return null;
    }
  }

  function noteStopped({ stream }: StreamBatch, error: unknown): void {
    const before = stopped.get(stream);
    const note: StoppedStream = {
      stream,
      since: before?.since ?? clock(),
      triedAt: clock(),
      attempts: (before?.attempts ?? 0) + 1,
      error: error instanceof Error ? error.message : String(error),
    };
    stopped.set(stream, note);
    settings.onStopped?.(note);
  }

  function push(document: AnyDocument, events: readonly RecordedEvent[]): void {
    if (!broadcast) return;
    const pushed = projection.pushedView(document);
    if (pushed === null) return;
    const projected = clock();
    const appended = Date.parse(events.at(-1)?.time ?? document.createdAt);
    const at = { appended, projected, pushed: projected };
    const view = { ...pushed, id: document.id, version: document.version, at } as DocumentPush;
    const paced = events.every(({ type }) => projection.pacedEvents.has(type));
    broadcast.publish({ push: view, audiences: projection.audiencesOf(document), paced });
  }

  return {
    stoppedStreams: () => [...stopped.values()],
    async project(events) {
      const batches = byStream(events);
      const saved = await savedDocuments(readModels, recent, batches);
      const notDone = new Set<string>();
      // The batches are folded in parallel, because each may have to fetch the key of a different person.
      const folded = await Promise.all(batches.map((batch) => fold(saved.get(batch.stream) ?? null, batch, notDone)));
      const done = folded.filter((one) => one !== null);
      const newer = await readModels.save(done.map((one) => one.document));
      for (const one of done) {
        // The stored document is newer than the folded one if the stream's first event was delivered late, or if
        // another process has projected the stream in the meantime.
        const document = newer.find(({ kind, id }) => kind === one.kind && id === one.id) ?? one.document;
        recent.saved(one.stream, document);
        push(document, one.events);
        settings.onProjected?.(one.stream, document.version);
      }
      const failed = await settings.runPolicies?.(done.flatMap((one) => one.events));
      return failed ? new Set([...notDone, ...failed]) : notDone;
    },
  };
}

/** Groups events by stream, leaving out streams whose kind has no documents. */
function byStream(events: readonly StoredEvent[]): StreamBatch[] {
  const batches = new Map<StreamName, StreamBatch>();
  for (const event of events) {
    const document = documentOf(event.subject);
    if (document === null) continue;
    const batch = batches.get(event.subject) ?? { stream: event.subject, ...document, stored: [] };
    batch.stored.push(event);
    batches.set(event.subject, batch);
  }
  return [...batches.values()];
}

/**
 * Maps each stream to the saved document onto which the stream's batch is folded. If the batch includes the stream's
 * first event, the value is null. Any other stream that has no saved document is left out of the map.
 */
async function savedDocuments(
  readModels: ReadModels,
  recent: RecentDocuments,
  batches: readonly StreamBatch[],
): Promise<Map<StreamName, AnyDocument | null>> {
  const saved = new Map<StreamName, AnyDocument | null>();
  const unknown: StreamBatch[] = [];
  for (const batch of batches) {
    const document = recent.before(batch.stream, Math.min(...batch.stored.map(({ streamversion }) => streamversion)));
    if (document === undefined) unknown.push(batch);
    else saved.set(batch.stream, document);
  }
  for (const kind of new Set(unknown.map((batch) => batch.kind))) {
    const ids = unknown.filter((batch) => batch.kind === kind).map((batch) => batch.id);
    for (const document of await readModels.getMany(kind, ids)) saved.set(`${kind}-${document.id}`, document);
  }
  return saved;
}
