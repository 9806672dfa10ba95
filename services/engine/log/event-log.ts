import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';

/** The most that one commit may carry (LOG2). */
export const MAX_COMMIT_EVENTS = 256;
export const MAX_COMMIT_BYTES = 1_000_000;

/** One atomic append to one stream. `id` names the commit, so that a retry after an unknown outcome is recognised. */
export interface Commit {
  readonly id: string;
  readonly stream: StreamName;
  /** the version of the stream that the events were decided on; 0 for a stream that does not exist yet */
  readonly expectedVersion: number;
  /** versions run from expectedVersion + 1 without holes */
  readonly events: readonly StoredEvent[];
}

export type AppendResult =
  | { readonly kind: 'appended'; readonly version: number }
  | { readonly kind: 'conflict'; readonly actualVersion: number };

/** The outcome of an append is not known (a lost connection): the same commit is to be tried again, never a new one. */
export class AppendOutcomeUnknown extends StoreUnavailable {
  override readonly name = 'AppendOutcomeUnknown';
}

/** A commit that breaks the log's own rules: too large, empty, or with a hole. Never retried. */
export class InvalidCommit extends Error {
  override readonly name = 'InvalidCommit';
}

/** The truth of the shop: append-only streams of events. Events keep their personal data sealed (sealing.ts). */
export interface EventLog {
  /**
   * Appends a commit; resolves once it is durable (LOG1). Of two commits at one version exactly one is appended (LOG2).
   * A commit whose id stands already at its place answers `appended` again.
   * @throws InvalidCommit, AppendOutcomeUnknown
   */
  append(commit: Commit): Promise<AppendResult>;
  /** Up to `limit` events of a stream with a version above `afterVersion`, in order; fewer means the end is reached. */
  readStream(stream: StreamName, afterVersion: number, limit: number): Promise<StoredEvent[]>;
  head(stream: StreamName): Promise<number>;
  /** The events of a stream that any of these causes has yielded, in order (CMD3). */
  findByCauses(stream: StreamName, causes: readonly string[]): Promise<StoredEvent[]>;
  /**
   * Up to `limit` events of all streams after a position, each stream in order; `position` goes into the next call. Read
   * from null to the end, it holds all that was appended before the first call; what is appended meanwhile may be missing.
   */
  readAll(after: string | null, limit: number): Promise<{ events: StoredEvent[]; position: string | null }>;
  close(): Promise<void>;
}

/**
 * The events of a commit as JSON, one text each.
 * @throws InvalidCommit where the commit is empty, too large, belongs to another stream, or has a hole
 */
export function serializeCommit(commit: Commit): string[] {
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
