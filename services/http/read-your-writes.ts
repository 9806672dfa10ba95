import { LRUCache } from 'lru-cache';
import { type DocumentKind, documentOf, parseStreamName, type StreamName } from '../contracts/ids.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';

const WAIT_MS = 1000;
const POLL_MS = 20;
/** How many streams one look-up asks for. A read by id waits for at most this many, since the read models look up as many at once. */
const ASKED_AT_ONCE = 200;

/** Streams that this process has appended to and that may not be projected yet, so that lists can wait for them (READ1). */
export interface ReadYourWrites {
  appended(stream: StreamName, version: number): void;
  projected(stream: StreamName, version: number): void;
  /** Waits until everything appended before is projected; resolves to false after 1 s. */
  caughtUp(kind: DocumentKind): Promise<boolean>;
}

interface Waiter {
  readonly kind: DocumentKind;
  readonly missing: Map<StreamName, number>;
  readonly resolve: (caughtUp: boolean) => void;
}

/** Remembers the newest `maxStreams` streams. `polls` are the read models to ask where no projector runs in this process. */
export function createReadYourWrites(
  settings: { readonly polls?: Pick<ReadModels, 'getMany'>; readonly maxStreams?: number } = {},
): ReadYourWrites {
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

  /** Asks for each missing stream once, however many lists wait for it, and for the next ones only once the last are answered. */
  async function poll(readModels: Pick<ReadModels, 'getMany'>): Promise<void> {
    for (const kind of new Set([...waiters].map((waiter) => waiter.kind))) {
      const ofKind = [...waiters].filter((waiter) => waiter.kind === kind);
      const streams = [...new Set(ofKind.flatMap(({ missing }) => [...missing.keys()]))];
      for (let from = 0; from < streams.length && waiters.size > 0; from += ASKED_AT_ONCE) {
        const ids = streams.slice(from, from + ASKED_AT_ONCE).map((stream) => parseStreamName(stream).id);
        for (const { id, version } of await readModels.getMany(kind, ids)) projected(`${kind}-${id}`, version);
      }
    }
  }

  let polling = false;
  /** One round after another while any list waits: rounds side by side would queue up before reads by id. */
  async function pollWhileAwaited(readModels: Pick<ReadModels, 'getMany'>): Promise<void> {
    if (polling) return;
    polling = true;
    while (waiters.size > 0) {
      // A failed round is repeated. After WAIT_MS the list is served as it is.
      await poll(readModels).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    polling = false;
  }

  function wait(kind: DocumentKind, missing: Map<StreamName, number>, resolve: (caughtUp: boolean) => void): void {
    const waiter: Waiter = { kind, missing, resolve: end };
    waiters.add(waiter);
    const timeout = setTimeout(end, WAIT_MS, false);
    if (polls) void pollWhileAwaited(polls);

    function end(caughtUp: boolean): void {
      clearTimeout(timeout);
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
      const caughtUp = await new Promise<boolean>((resolve) => wait(kind, missing, resolve));
      // Nothing is waited for twice: a stopped stream must not slow every list.
      for (const [stream, version] of missing) if (pending.peek(stream) === version) pending.delete(stream);
      return caughtUp;
    },
  };
}
