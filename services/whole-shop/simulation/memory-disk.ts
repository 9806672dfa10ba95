/**
 * A file that keeps its writes in order. `content` is the result of all writes. A write is durable once it, or a later
 * write, has been synced.
 */
export interface MemoryDisk<Content> {
  readonly content: Content;
  /** Applies a write. `change` must depend only on the content, because it is applied again after a crash. */
  write<Result>(change: (content: Content) => Result, sync?: 'now' | 'later'): Result;
  /** Simulates a power failure. Keeps the synced writes and the first `kept(unsynced)` of the unsynced ones. */
  crash(kept: (unsynced: number) => number): void;
}

export function createMemoryDisk<Content>(empty: () => Content): MemoryDisk<Content> {
  let content = empty();
  let writes: ((content: Content) => unknown)[] = [];
  let synced = 0;
  return {
    get content() {
      return content;
    },
    write(change, sync = 'now') {
      writes.push(change);
      if (sync === 'now') synced = writes.length;
      return change(content);
    },
    crash(kept) {
      writes = writes.slice(0, synced + kept(writes.length - synced));
      synced = writes.length;
      content = empty();
      for (const change of writes) change(content);
    },
  };
}
