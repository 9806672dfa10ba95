import type { StoredEvent } from '../../contracts/events.ts';

/** A commit as the feed carries it: by its name in the log (commitName). All its events are of one stream. */
export interface NamedCommit {
  readonly name: string;
  readonly events: readonly StoredEvent[];
}

/**
 * The commits of the log that are not closed: their documents, policies or pushes are not all done, or nobody has said
 * so yet (FEED2). The event log opens each commit as it appends it.
 */
export interface OpenCommits {
  /** Names of up to `limit` open commits in the order in which they came, without the first `skipped` of them. */
  list(limit: number, skipped?: number): Promise<string[]>;
  /** The named commits as the log holds them, open or closed; those that it does not hold are missing. */
  find(names: readonly string[]): Promise<NamedCommit[]>;
  /** Those of the named commits that are still open, with their events. */
  read(names: readonly string[]): Promise<NamedCommit[]>;
  /** Closes commits for good; names of closed ones or of none are ignored. */
  close(names: readonly string[]): Promise<void>;
}
