import type { StoredEvent } from '../../contracts/events.ts';

/** `name` is the commit's name in the log (commitName). All events are of one stream. */
export interface NamedCommit {
  readonly name: string;
  readonly events: readonly StoredEvent[];
}

/** Tracks the commits whose documents, policies or pushes may be missing (FEED2). The event log appends each commit as open. */
export interface Outbox {
  /** Returns the names of open commits, oldest first, without the first `skipped`. */
  list(limit: number, skipped?: number): Promise<string[]>;
  /** Returns open and closed commits. Leaves out names that aren't in the log. */
  find(names: readonly string[]): Promise<NamedCommit[]>;
  /** Returns only open commits. */
  read(names: readonly string[]): Promise<NamedCommit[]>;
  close(names: readonly string[]): Promise<void>;
}
