import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredEvent } from '../contracts/events.ts';
import type { EventFeed, FeedConsumer, FeedHandler } from '../engine/feed/event-feed.ts';
import { feedOfOneConsumer } from '../engine/feed/one-consumer.ts';
import type { Clock } from '../runtime/clock.ts';
import { type BackOff, exponentialBackOff, PATIENT, type Schedule, scheduleTimer, sleep } from '../runtime/schedule.ts';

/** `attempts` is the number of times that the event's delivery has failed so far. */
export interface Delivery {
  readonly position: number;
  readonly attempts: number;
  readonly event: StoredEvent;
}

/** A consumer's checkpoint and failed events, which are always updated in the same transaction. */
export interface FeedStore {
  tail(limit: number): Delivery[];
  due(now: number, limit: number): Delivery[];
  /** Returns the time at which the next failed event is due, or null if none is waiting. */
  nextDueAt(): number | null;
  /**
   * Moves the checkpoint past the batch, and stores the batch's failed events for a retry. `failed` contains the ids of
   * those events. `retryAt` returns the time of the next attempt for an event that has failed `attempts` times.
   */
  record(batch: readonly Delivery[], failed: ReadonlySet<string>, retryAt: (attempts: number) => number): Promise<void>;
  checkpoint(): number;
  /** Returns the position of the log's last event. Positions have no gaps. */
  end(): number;
  waiting(): number;
}

export interface LogFeedOptions {
  readonly consumer: string;
  readonly clock: Clock;
  /** Called when the handler or the store throws. The batch is then delivered again. */
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule;
  readonly batchSize?: number;
  readonly backOff?: BackOff;
}

export interface LogFeed extends EventFeed {
  wake(): void;
}

/**
 * Creates a feed that reads directly from the log, starting at a stored checkpoint. The feed sleeps until wake() is
 * called or a failed event is due for a retry. `openStore` is called once for each consumer.
 */
export function createLogFeed(options: LogFeedOptions & { readonly openStore: () => FeedStore }): LogFeed {
  const { openStore, consumer, clock, onError, schedule = scheduleTimer, batchSize = 256 } = options;
  const { backOff = exponentialBackOff(PATIENT, 0) } = options;
  let idle = new AbortController();

  function follow(handler: FeedHandler): FeedConsumer {
    const store = openStore();
    const progress = new EventEmitter().setMaxListeners(0);
    const stopping = new AbortController();
    let stopped = false;

    async function deliver(batch: readonly Delivery[]): Promise<void> {
      if (stopping.signal.aborted) return;
      const failed = await handler(batch.map(({ event }) => event));
      await store.record(batch, failed, (failures) => clock() + backOff(failures));
      progress.emit('moved');
      // Without this pause, a handler that never waits for I/O would block all requests until it had handled the whole
      // backlog.
      await nextTurn();
    }

    async function run(): Promise<void> {
      for (let failures = 0; !stopping.signal.aborted; ) {
        try {
          // Failed and new events take turns, so that events that keep failing don't delay new ones.
          const due = store.due(clock(), batchSize);
          if (due.length > 0) await deliver(due);
          const fresh = store.tail(batchSize);
          if (fresh.length > 0) await deliver(fresh);
          failures = 0;
          if (due.length + fresh.length > 0) continue;
          // Nothing has been awaited since the read that reached the end of the log, so no call to wake() can have been
          // missed.
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
      async caughtUp() {
        const end = store.end();
        while (!stopped && store.checkpoint() < end) await once(progress, 'moved');
        if (stopped) throw new Error(`${consumer} has stopped.`);
      },
      lag: async () => store.end() - store.checkpoint(),
      waiting: async () => store.waiting(),
      async stop() {
        stopping.abort();
        idle.abort();
        await running;
        stopped = true;
        progress.emit('moved');
      },
    };
  }

  return { ...feedOfOneConsumer(consumer, follow), wake: () => idle.abort() };
}
