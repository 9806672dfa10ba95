import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';

/** Limits of one commit (LOG2). */
export const MAX_COMMIT_EVENTS = 256;
export const MAX_COMMIT_BYTES = 1_000_000;

/** One atomic append to one stream. By its `id` a retry after an unknown outcome is recognised. */
export interface Commit {
  readonly id: string;
  readonly stream: StreamName;
  /** the version that the events were decided on; 0 for a new stream */
  readonly expectedVersion: number;
  readonly events: readonly StoredEvent[];
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly version: number }
  | { readonly kind: 'conflict'; readonly actualVersion: number };

/** The outcome of an append is unknown (a lost connection): retry the same commit, never a new one. */
export class AppendOutcomeUnknown extends StoreUnavailable {
  override readonly name = 'AppendOutcomeUnknown';
}

/** Too large, empty, or with a gap. Never retried. */
export class InvalidCommit extends Error {
  override readonly name = 'InvalidCommit';
}

export interface EventLog {
  /**
   * Resolves once the commit is durable (LOG1). Of two commits at one version exactly one is appended (LOG2); a commit whose
   * id is already there gets `appended` again. @throws InvalidCommit, AppendOutcomeUnknown
   */
  append(commit: Commit): Promise<AppendResult>;
  /** Events with a version above `afterVersion`, in order; fewer than `limit` means the end is reached. */
  readStream(stream: StreamName, afterVersion: number, limit: number): Promise<StoredEvent[]>;
  head(stream: StreamName): Promise<number>;
  /** In order (CMD3). */
  findByCauses(stream: StreamName, causes: readonly string[]): Promise<StoredEvent[]>;
  /** The streams whose first event has this `person` in its data, such as the person's orders and reviews, in any order. */
  streamsOf(person: string): Promise<StreamName[]>;
  /** All streams, each in order, up to at least the end at the first call. `position` is the next call's `after`. */
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
  // As one JSON array: brackets, and a comma between two.
  const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + 1, 1);
  if (bytes > MAX_COMMIT_BYTES) {
    throw new InvalidCommit(`A commit is at most ${MAX_COMMIT_BYTES} bytes; this one is ${bytes}.`);
  }
  return bodies;
}

/** The half of a log that writes. close() refuses further commits and waits for those under way. */
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

/** All events of a log, page by page. */
export async function* pagesOf(log: Pick<EventLog, 'readAll'>, limit: number): AsyncGenerator<StoredEvent[]> {
  let page = await log.readAll(null, limit);
  while (page.events.length > 0) {
    yield page.events;
    page = await log.readAll(page.position, limit);
  }
}
