import { type DocumentKind, documentOf, parseStreamName, type StreamName } from '../contracts/ids.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { type Schedule, scheduleTimer } from '../runtime/schedule.ts';

const WAIT_MS = 1000;
const POLL_MS = 20;
/**
 * The maximum number of streams per lookup. The MongoDB read models use the same limit when they combine reads by id
 * into one query. A lookup therefore delays other such reads by at most one query.
 */
const ASKED_AT_ONCE = 200;

/**
 * Tracks the streams that this process has appended to and whose newest events may not be projected yet. A request for
 * a list first waits until these events are projected (READ1).
 */
export interface ReadYourWrites {
  appended(stream: StreamName, version: number): void;
  projected(stream: StreamName, version: number): void;
  /** Resolves to true once all earlier appends to streams of this kind are projected, or to false after 1 s. */
  caughtUp(kind: DocumentKind): Promise<boolean>;
}

interface Waiter {
  readonly kind: DocumentKind;
  readonly missing: Map<StreamName, number>;
  readonly resolve: (caughtUp: boolean) => void;
}

/**
 * Tracks the `maxStreams` streams that were appended to most recently. If no projector runs in this process, the
 * streams' projected versions are polled from the read models in `polls`.
 */
export function createReadYourWrites(
  settings: {
    readonly polls?: Pick<ReadModels, 'getMany'>;
    readonly maxStreams?: number;
    readonly schedule?: Schedule;
  } = {},
): ReadYourWrites {
  const { polls, maxStreams = 10_000, schedule = scheduleTimer } = settings;
  const pending = createLruCache<StreamName, number>(maxStreams);
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
   * Looks up each stream that a list request is waiting for. If several requests are waiting for the same stream, it is
   * looked up only once. The lookups run one after another.
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
  /**
   * Polls in rounds while any list request is waiting. Only one round runs at a time, because concurrent rounds would
   * delay the reads by id that other requests make.
   */
  async function pollWhileAwaited(readModels: Pick<ReadModels, 'getMany'>): Promise<void> {
    if (polling) return;
    polling = true;
    while (waiters.size > 0) {
      // If a round fails, the next round retries its lookups. A list request waits at most WAIT_MS, and then reads the
      // list without the missing appends.
      await poll(readModels).catch(() => undefined);
      await new Promise<void>((resolve) => schedule(POLL_MS, resolve));
    }
    polling = false;
  }

  function wait(kind: DocumentKind, missing: Map<StreamName, number>, resolve: (caughtUp: boolean) => void): void {
    const waiter: Waiter = { kind, missing, resolve: end };
    waiters.add(waiter);
    const cancel = schedule(WAIT_MS, () => end(false));
    if (polls) void pollWhileAwaited(polls);

    function end(caughtUp: boolean): void {
      cancel();
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
      // Stop tracking streams that weren't projected in time. Otherwise, a stuck stream would delay every later list
      // request.
      for (const [stream, version] of missing) if (pending.peek(stream) === version) pending.delete(stream);
      return caughtUp;
    },
  };
}
