import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { EventFeed, FeedConsumer, FeedHandler } from '../../engine/feed/event-feed.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type BackOff,
  exponentialBackOff,
  PATIENT,
  type Schedule,
  scheduleTimer,
  sleep,
} from '../../runtime/schedule.ts';
import { createFeedStore, type Delivery, FEED_TABLES, type FeedStore } from './sqlite-feed-store.ts';
import type { ShopWriter } from './sqlite-writes.ts';

export interface SqliteEventFeedOptions {
  readonly database: Database;
  readonly writer?: Pick<ShopWriter, 'recordProgress'>;
  readonly consumer: string;
  readonly clock: Clock;
  /** called when the handler throws; its batch is delivered again */
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule;
  readonly batchSize?: number;
  readonly backOff?: BackOff;
}

export interface SqliteEventFeed extends EventFeed {
  wake(): void;
}

interface Tail extends FeedConsumer {
  wake(): void;
}

/** Sleeps until woken or until a failed event is due. close() leaves the database open. */
export function createSqliteEventFeed(options: SqliteEventFeedOptions): SqliteEventFeed {
  let tail: Tail | null = null;
  options.database.exec(FEED_TABLES);

  return {
    async consume(handler) {
      if (tail) throw new Error(`${options.consumer} consumes this feed already.`);
      const following = followLog(options, handler);
      const stop = async () => {
        await following.stop();
        if (tail === following) tail = null;
      };
      tail = following;
      return { ...following, stop };
    },
    wake() {
      tail?.wake();
    },
    async close() {
      await tail?.stop();
    },
  };
}

function followLog(options: SqliteEventFeedOptions, handler: FeedHandler): Tail {
  const { consumer, clock, onError, schedule = scheduleTimer, batchSize = 256 } = options;
  const { backOff = exponentialBackOff(PATIENT, 0) } = options;
  const store = createFeedStore(options.database, consumer, options.writer);
  const arrivals = createArrivals(store);
  const stopping = new AbortController();
  let idle = new AbortController();

  async function deliver(batch: readonly Delivery[]): Promise<void> {
    if (stopping.signal.aborted) return;
    const failed = await handler(batch.map(({ event }) => event));
    await store.record(batch, failed, (failures) => clock() + backOff(failures));
    arrivals.notify();
    // A handler may never wait for I/O: a long backlog would then block every request.
    await nextTurn();
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        // In turns, so that events which fail again and again do not hold up new ones.
        const due = store.due(clock(), batchSize);
        if (due.length > 0) await deliver(due);
        const fresh = store.tail(batchSize);
        if (fresh.length > 0) await deliver(fresh);
        failures = 0;
        if (due.length + fresh.length > 0) continue;
        // Nothing was awaited since the log was found at its end: no wake can have been missed.
        const dueAt = store.nextDueAt();
        idle = new AbortController();
        await sleep(schedule, dueAt === null ? null : Math.max(0, dueAt - clock()), idle.signal);
      } catch (error) {
        failures += 1;
        onError(error);
        await sleep(schedule, backOff(failures), stopping.signal);
      }
    }
  }

  const running = run();
  return {
    caughtUp() {
      if (stopping.signal.aborted) return Promise.reject(new Error(`${consumer} has stopped.`));
      return arrivals.reached(store.end());
    },
    lag: async () => store.end() - store.checkpoint(),
    waiting: async () => store.waiting(),
    wake: () => idle.abort(),
    async stop() {
      stopping.abort();
      idle.abort();
      await running;
      arrivals.fail(new Error(`${consumer} has stopped.`));
    },
  };
}

/** Lets callers wait until the checkpoint reaches a position. */
function createArrivals(store: FeedStore) {
  let waiters: { position: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  return {
    reached(position: number): Promise<void> {
      if (store.checkpoint() >= position) return Promise.resolve();
      return new Promise((resolve, reject) => waiters.push({ position, resolve, reject }));
    },
    notify(): void {
      const arrived = waiters.filter(({ position }) => position <= store.checkpoint());
      waiters = waiters.filter((waiter) => !arrived.includes(waiter));
      for (const { resolve } of arrived) resolve();
    },
    fail(error: Error): void {
      for (const { reject } of waiters.splice(0)) reject(error);
    },
  };
}
