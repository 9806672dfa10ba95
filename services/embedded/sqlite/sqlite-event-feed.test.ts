import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import { eventFeedContract } from '../../engine/feed/event-feed.contract.ts';
import { freshId, freshStream, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { LogFeed } from '../log-feed.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteEventFeed } from './sqlite-event-feed.ts';
import { createSqliteEventLog } from './sqlite-event-log.ts';
import { wakingLog } from './waking-log.fixture.ts';

eventFeedContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-feed-'));
  const open = () => {
    const database = openShopDatabase(join(folder, 'shop.db'));
    const backOff = (failures: number) => 5 * failures;
    const feed = createSqliteEventFeed({
      database,
      consumer: 'projector',
      clock: systemClock,
      onError: () => {},
      batchSize: 7,
      backOff,
    });
    return { database, feed, log: wakingLog(createSqliteEventLog({ database }), feed) };
  };
  let current = open();
  const close = async () => {
    await current.log.close();
    await current.feed.close();
    current.database.close();
  };
  const append = ({ subject, streamversion, ...event }: StoredEvent) => {
    const expectedVersion = streamversion - 1;
    return current.log.append({
      id: freshId(),
      stream: subject,
      expectedVersion,
      events: [{ ...event, subject, streamversion }],
    });
  };
  return {
    feed: current.feed,
    async publish(events) {
      const results = await Promise.all(events.map(append));
      expect(results.every(({ kind }) => kind === 'appended')).toBe(true);
    },
    async reopen() {
      await close();
      current = open();
      return current.feed;
    },
    async dispose() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('SQLite event feed', () => {
  let now: number;
  let timers: { at: number; callback: () => void }[];
  let feed: LogFeed;
  let append: (count: number) => Promise<void>;
  let close: () => void;
  let errors: string[];

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'event-feed-'));
    const database = openShopDatabase(join(folder, 'shop.db'));
    now = 1_000_000;
    timers = [];
    errors = [];
    feed = createSqliteEventFeed({
      database,
      consumer: 'projector',
      clock: () => now,
      schedule(delay, callback) {
        const timer = { at: now + delay, callback };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
      onError: (error) => errors.push((error as Error).message),
    });
    const log = wakingLog(createSqliteEventLog({ database }), feed);
    append = async (count) => {
      await log.append(sampleCommit(freshStream(), 0, count));
    };
    close = () => {
      database.close();
      rmSync(folder, { recursive: true });
    };
  });
  afterEach(async () => {
    await feed.close();
    close();
  });

  /** Fires the next timer and returns its delay. */
  async function nextTimer(): Promise<number> {
    await expect.poll(() => timers.length).toBe(1);
    const [timer] = timers.splice(0);
    const delay = (timer?.at ?? 0) - now;
    now += delay;
    timer?.callback();
    return delay;
  }

  it('PRJ4 the retry delay of a failing event doubles after each failure, up to 30 s', async () => {
    let deliveries = 0;
    await append(1);
    const consumer = await feed.consume(async ([event]) => {
      deliveries += 1;
      return new Set(event ? [event.id] : []);
    });
    await consumer.caughtUp();
    const delays: number[] = [];
    for (let failure = 1; failure <= 10; failure++) {
      expect(deliveries).toBe(failure);
      delays.push(await nextTimer());
      await expect.poll(() => deliveries).toBe(failure + 1);
    }
    expect(delays).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('PRJ4 a handler that throws is reported and retried after growing delays, and a new append does not shorten the delay', async () => {
    let tries = 0;
    const consumer = await feed.consume(async () => {
      tries += 1;
      if (tries < 4) throw new Error(`try ${tries}`);
      return new Set();
    });
    await append(2);
    const delays: number[] = [];
    for (let failure = 1; failure <= 3; failure++) {
      await expect.poll(() => timers.length).toBe(1);
      await append(1);
      expect(tries).toBe(failure);
      delays.push(await nextTimer());
    }
    await consumer.caughtUp();
    expect(delays).toEqual([200, 400, 800]);
    expect(errors).toEqual(['try 1', 'try 2', 'try 3']);
    expect(await consumer.lag()).toBe(0);
  });

  it('PRJ4 after a handler has succeeded, the retry delay starts again at its minimum', async () => {
    let away = true;
    const consumer = await feed.consume(async () => {
      if (away) throw new Error('away');
      return new Set();
    });
    await append(1);
    expect([await nextTimer(), await nextTimer()]).toEqual([200, 400]);
    away = false;
    await nextTimer();
    await consumer.caughtUp();
    away = true;
    await append(1);
    expect(await nextTimer()).toBe(200);
  });

  it('FEED2 an idle consumer sets no timer and is woken by the next append', async () => {
    let handled = 0;
    const consumer = await feed.consume(async (events) => {
      handled += events.length;
      return new Set();
    });
    await append(3);
    await consumer.caughtUp();
    expect(timers).toEqual([]);
    await append(2);
    await consumer.caughtUp();
    expect(handled).toBe(5);
  });

  it('FEED2 a consumer with a long backlog lets other work run on the event loop', async () => {
    for (let commit = 0; commit < 10; commit++) await append(256);
    let turns = 0;
    let counting = true;
    const count = () => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const consumer = await feed.consume(async () => new Set());
    await consumer.caughtUp();
    counting = false;
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('FEED2 caughtUp() rejects when the consumer stops, even if the call is already waiting', async () => {
    const consumer = await feed.consume(async () => {
      throw new Error('down');
    });
    await append(1);
    const waiting = consumer.caughtUp();
    const told = expect(waiting).rejects.toThrow('projector has stopped.');
    await consumer.stop();
    await told;
    await expect(consumer.caughtUp()).rejects.toThrow('projector has stopped.');
  });

  it('FEED2 the feed refuses a second consumer', async () => {
    await feed.consume(async () => new Set());
    await expect(feed.consume(async () => new Set())).rejects.toThrow('projector consumes this feed already.');
  });
});
