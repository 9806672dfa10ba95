import type { StoredEvent } from '../../contracts/events.ts';

/** `name` is the commit's name in the log (commitName). All events are of one stream. */
export interface NamedCommit {
  readonly name: string;
  readonly events: readonly StoredEvent[];
}

/** Commits whose documents, policies or pushes may be missing (FEED2). The event log appends each as open. */
export interface Outbox {
  /** Oldest first, without the first `skipped`. */
  list(limit: number, skipped?: number): Promise<string[]>;
  /** Open or closed; names that the log does not hold are left out. */
  find(names: readonly string[]): Promise<NamedCommit[]>;
  /** Leaves out closed commits. */
  read(names: readonly string[]): Promise<NamedCommit[]>;
  close(names: readonly string[]): Promise<void>;
}
