import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';

/** Limits of one commit (LOG2). */
export const MAX_COMMIT_EVENTS = 256;
export const MAX_COMMIT_BYTES = 1_000_000;

/** One atomic append to one stream. The `id` lets the log recognise a retry after an unknown outcome. */
export interface Commit {
  readonly id: string;
  readonly stream: StreamName;
  /** the stream's version when the events were decided; 0 for a new stream */
  readonly expectedVersion: number;
  readonly events: readonly StoredEvent[];
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly version: number }
  | { readonly kind: 'conflict'; readonly actualVersion: number };

/**
 * Thrown if the outcome of an append is unknown, e.g. after a lost connection. To retry, append the same commit again
 * instead of creating a new one.
 */
export class AppendOutcomeUnknown extends StoreUnavailable {
  override readonly name = 'AppendOutcomeUnknown';
}

/**
 * Thrown if a commit is empty or too large, has a gap between versions, or mixes streams. Such a commit is never
 * retried.
 */
export class InvalidCommit extends Error {
  override readonly name = 'InvalidCommit';
}

export interface EventLog {
  /**
   * Resolves once the commit is durable (LOG1). Of several commits that expect the same version, only one is appended
   * (LOG2). Appending a commit again returns `appended` and changes nothing.
   * @throws InvalidCommit, AppendOutcomeUnknown
   */
  append(commit: Commit): Promise<AppendResult>;
  /** Returns up to `limit` events after `afterVersion`, in order. If fewer are returned, the stream has no more events. */
  readStream(stream: StreamName, afterVersion: number, limit: number): Promise<StoredEvent[]>;
  head(stream: StreamName): Promise<number>;
  /** Returns the stream's events that have one of these causes, in order (CMD3). */
  findByCauses(stream: StreamName, causes: readonly string[]): Promise<StoredEvent[]>;
  /** Returns the streams whose first event has this `person` in its data, in no particular order. */
  streamsOf(person: string): Promise<StreamName[]>;
  /**
   * Reads a page of events from all streams. Each stream's events are in order. Together, the pages include every event
   * that was in the log when the first page was read. To read the next page, pass the returned `position` as `after`.
   */
  readAll(after: string | null, limit: number): Promise<{ events: StoredEvent[]; position: string | null }>;
  close(): Promise<void>;
}

/** @throws InvalidCommit */
function serializeCommit(commit: Commit): string[] {
  const { events, expectedVersion, stream } = commit;
  if (events.length === 0) throw new InvalidCommit('A commit holds at least one event.');
  if (events.length > MAX_COMMIT_EVENTS) {
    throw new InvalidCommit(`A commit holds at most ${MAX_COMMIT_EVENTS} events; this one holds ${events.length}.`);
  }
  events.forEach((event, index) => {
    if (event.subject !== stream)
      throw new InvalidCommit(`Event ${event.id} belongs to ${event.subject}, not ${stream}.`);
    if (event.streamversion !== expectedVersion + index + 1) {
      throw new InvalidCommit(`Event ${event.id} has version ${event.streamversion}: a hole in ${stream}.`);
    }
  });
  const bodies = events.map((event) => JSON.stringify(event));
  // The size of the events as one JSON array, including the brackets and commas.
  const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + 1, 1);
  if (bytes > MAX_COMMIT_BYTES) {
    throw new InvalidCommit(`A commit is at most ${MAX_COMMIT_BYTES} bytes; this one is ${bytes}.`);
  }
  return bodies;
}

/** Returns the append() and close() methods of an event log. close() waits for appends in flight. Later calls to append() reject. */
export function closableAppends(
  append: (commit: Commit, bodies: readonly string[]) => Promise<AppendResult>,
): Pick<EventLog, 'append' | 'close'> {
  const running = new Set<Promise<AppendResult>>();
  let closed = false;
  return {
    async append(commit) {
      const bodies = serializeCommit(commit);
      if (closed) throw new Error('The event log is closed.');
      const appending = append(commit, bodies);
      running.add(appending);
      return appending.finally(() => running.delete(appending));
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
  };
}

/** Yields all events of a log, page by page. */
export async function* pagesOf(log: Pick<EventLog, 'readAll'>, limit: number): AsyncGenerator<StoredEvent[]> {
  let page = await log.readAll(null, limit);
  while (page.events.length > 0) {
    yield page.events;
    page = await log.readAll(page.position, limit);
  }
}
