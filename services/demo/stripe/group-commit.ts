import type { Database } from './database.ts';

/** Resolves with what the work returned once that is on disk. Rejects with what it threw, and leaves nothing of it. */
export type Commit = <T>(work: () => T) => Promise<T>;

interface Waiting {
  readonly work: () => unknown;
  readonly resolve: (made: never) => void;
  readonly reject: (error: unknown) => void;
}

/** What comes at the same moment is one transaction: its sync with the disk is most of what a call costs. */
export function createGroupCommit(database: Database): Commit {
  let waiting: Waiting[] = [];
  const apart = database.transaction((work: () => unknown) => work());
  const together = database.transaction((all: readonly Waiting[]) =>
    all.map(({ work, resolve, reject }) => {
      try {
        const made = apart(work);
        return () => resolve(made as never);
      } catch (error) {
        return () => reject(error);
      }
    }),
  );

  function flush(): void {
    const all = waiting;
    waiting = [];
    try {
      for (const tell of together.immediate(all)) tell();
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ work, resolve, reject }) === 1) setImmediate(flush);
    });
}
