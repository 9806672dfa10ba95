import type { StoredEvent } from '../../contracts/events.ts';

/** A commit as stored in the log. `name` identifies the commit within the log (see commitName). All events belong to one stream. */
export interface NamedCommit {
  readonly name: string;
  readonly events: readonly StoredEvent[];
}

/**
 * Tracks open commits. A commit stays open until the documents built from its events are saved and pushed, and the
 * policies for its events have run (FEED2). The event log marks each new
 * commit as open if its stream has a document.
 */
export interface Outbox {
  /** Returns the names of the oldest open commits, oldest first. */
  list(limit: number): Promise<string[]>;
  /** Returns the commits with these names, open or closed. Leaves out names that aren't in the log. */
  find(names: readonly string[]): Promise<NamedCommit[]>;
  /** Returns the commits with these names that are still open. */
  read(names: readonly string[]): Promise<NamedCommit[]>;
  close(names: readonly string[]): Promise<void>;
}
