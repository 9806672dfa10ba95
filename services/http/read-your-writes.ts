import { LRUCache } from 'lru-cache';
import { type DocumentKind, documentOf, parseStreamName, type StreamName } from '../contracts/ids.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';

const WAIT_MS = 1000;
const POLL_MS = 20;
/**
 * How many streams one lookup covers. A read by id waits behind at most this many, since the read models batch the same
 * number.
 */
const ASKED_AT_ONCE = 200;

/**
 * Tracks streams that this process has appended to and that may not be projected yet, so that lists can wait for them
 * (READ1).
 */
export interface ReadYourWrites {
  appended(stream: StreamName, version: number): void;
  projected(stream: StreamName, version: number): void;
  /** Waits until all earlier appends to streams of this kind are projected. Resolves to false after 1 s. */
  caughtUp(kind: DocumentKind): Promise<boolean>;
}

interface Waiter {
  readonly kind: DocumentKind;
  readonly missing: Map<StreamName, number>;
  readonly resolve: (caughtUp: boolean) => void;
}

/** Remembers the newest `maxStreams` streams. `polls` are the read models to poll if no projector runs in this process. */
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

  /**
   * Looks up each missing stream once, however many lists wait for it. Each lookup starts only after the previous one
   * has returned.
   */
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
  /** Polls in rounds, one after another, while any list waits. Concurrent rounds would queue up ahead of reads by id. */
  async function pollWhileAwaited(readModels: Pick<ReadModels, 'getMany'>): Promise<void> {
    if (polling) return;
    polling = true;
    while (waiters.size > 0) {
      // The next round retries a failed one. After WAIT_MS, the list is served as it is.
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
      // No stream is waited for twice, so that a stuck stream can't slow every list.
      for (const [stream, version] of missing) if (pending.peek(stream) === version) pending.delete(stream);
      return caughtUp;
    },
  };
}
