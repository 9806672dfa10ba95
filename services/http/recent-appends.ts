import { LRUCache } from 'lru-cache';
import { type DocumentKind, documentOf, parseStreamName, type StreamName } from '../contracts/ids.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';

const WAIT_MS = 1000;
const POLL_MS = 20;

/** Streams that this process has appended to and that may not be projected yet, so that lists can wait for them (READ1). */
export interface RecentAppends {
  appended(stream: StreamName, version: number): void;
  projected(stream: StreamName, version: number): void;
  /** Waits until everything appended before is projected; resolves to false after 1 s. */
  caughtUp(kind: DocumentKind): Promise<boolean>;
}

interface Waiter {
  readonly missing: Map<StreamName, number>;
  readonly resolve: (caughtUp: boolean) => void;
}

/** Remembers the newest `maxStreams` streams. `polls` are the read models to ask where no projector runs in this process. */
export function createRecentAppends(
  settings: { readonly polls?: Pick<ReadModels, 'getMany'>; readonly maxStreams?: number } = {},
): RecentAppends {
  const { polls, maxStreams = 10_000 } = settings;
  const pending = new LRUCache<StreamName, number>({ max: maxStreams });
  const waiters = new Set<Waiter>();

  function projected(stream: StreamName, version: number): void {
    const appended = pending.peek(stream);
    if (appended !== undefined && appended <= version) pending.delete(stream);
    for (const waiter of waiters) {
      const awaited = waiter.missing.get(stream);
      if (awaited === undefined || awaited > version) continue;
      waiter.missing.delete(stream);
      if (waiter.missing.size === 0) waiter.resolve(true);
    }
  }

  async function poll(kind: DocumentKind, { missing }: Waiter): Promise<void> {
    const ids = [...missing.keys()].map((stream) => parseStreamName(stream).id);
    for (const { id, version } of (await polls?.getMany(kind, ids)) ?? []) projected(`${kind}-${id}`, version);
  }

  function wait(kind: DocumentKind, { missing, resolve }: Waiter): void {
    const waiter: Waiter = { missing, resolve: end };
    waiters.add(waiter);
    const timeout = setTimeout(end, WAIT_MS, false);
    // A failed poll is repeated; after WAIT_MS the list is served as it is.
    const polling = polls && setInterval(() => void poll(kind, waiter).catch(() => undefined), POLL_MS);

    function end(caughtUp: boolean): void {
      clearTimeout(timeout);
      clearInterval(polling);
      waiters.delete(waiter);
      resolve(caughtUp);
    }
  }

  function pendingOf(kind: DocumentKind): Map<StreamName, number> {
    return new Map([...pending.entries()].filter(([stream]) => stream.startsWith(`${kind}-`)));
  }

  return {
    projected,
    appended(stream, version) {
      if (documentOf(stream) && version > (pending.peek(stream) ?? 0)) pending.set(stream, version);
    },
    async caughtUp(kind) {
      const missing = pendingOf(kind);
      if (missing.size === 0) return true;
      const caughtUp = await new Promise<boolean>((resolve) => wait(kind, { missing, resolve }));
      // Nothing is waited for twice: a stopped stream must not slow every list.
      for (const [stream, version] of missing) if (pending.peek(stream) === version) pending.delete(stream);
      return caughtUp;
    },
  };
}
