import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pace } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { spawnProgram } from '../../whole-shop/ready-process.fixture.ts';
import { type OwnKafka, startOwnKafka } from '../test-servers/own-kafka.fixture.ts';
import type { ConsumeForeverSettings } from './consume-forever.fixture.ts';
import { type LogAndFeed, type LogAndFeedOptions, openLogAndFeed } from './kafka-feed.fixture.ts';
import { UnreadableMessage } from './kafka-messages.ts';
import { createPublisher, type Publisher } from './publisher.ts';

const NONE: ReadonlySet<string> = new Set();
/** The timeout is long because a broker may be slow to start on a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 20 };
const LIMIT = { timeout: 240_000 };

let shop: LogAndFeed;
const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end();
});

async function open(options?: LogAndFeedOptions): Promise<Publisher> {
  shop = await openLogAndFeed(options);
  cleanup.push(shop.dispose);
  return createPublisher(shop);
}

const openNames = () => shop.outbox.list(10_000);
const allClosed = () => expect.poll(openNames, PATIENCE).toEqual([]);

/**
 * Appends commits to several streams at once and publishes them, until the returned function is called. That function
 * returns the ids of all appended events.
 */
function appendMeanwhile(publisher: Publisher): () => Promise<string[]> {
  const ended = new AbortController();
  const ids: string[] = [];
  const appending = Promise.all(
    Array.from({ length: 12 }, freshStream).map(async (stream) => {
      for (let version = 1; !ended.signal.aborted; version++) {
        const event = sampleEvent(stream, version);
        ids.push(event.id);
        // A commit that can't be published stays open, and the outbox relay publishes it later.
        void publisher.publish(await shop.append([event])).catch(() => {});
        await pace(20);
      }
    }),
  );
  return async () => {
    ended.abort();
    await appending;
    return ids;
  };
}

describe('FEED2 unreadable messages in the feed', () => {
  it('FEED2 an unreadable message does not stop the feed, and the whole commit that it belongs to is redelivered', async () => {
    const publisher = await open({ partitions: 1 });
    shop.republish(publisher);
    const seen: StoredEvent[] = [];
    await shop.openFeed().consume(async (events) => {
      seen.push(...events);
      return NONE;
    });
    const [damaged, next] = [freshStream(), freshStream()];
    const commit = await shop.append([sampleEvent(damaged, 1), sampleEvent(damaged, 2)]);
    const to = { topic: shop.topics.order, partition: 0 };
    const cut = createPublisher({
      topics: shop.topics,
      cluster: {
        ...shop.cluster,
        send: (_, [first, ...rest]) =>
          shop.cluster.send(to, [
            { key: 'x', value: '', headers: {} },
            ...(first ? [{ ...first, value: '{' }] : []),
            ...rest,
          ]),
      },
    });
    await cut.publish(commit);
    await publisher.publish(await shop.append([sampleEvent(next, 1)]));
    await expect.poll(() => seen.some(({ subject }) => subject === next), PATIENCE).toBe(true);
    expect(shop.errors.filter((error) => error instanceof UnreadableMessage)).toHaveLength(2);
    await expect.poll(openNames, PATIENCE).toEqual([commit.name]);
    await allClosed();
    expect(seen.filter(({ subject }) => subject === damaged).slice(-2)).toEqual(commit.events);
  });
});

describe('FEED2 consumers in one group', LIMIT, () => {
  it('FEED2 two consumers never handle the same stream at the same time, even while one joins the group and another leaves', async () => {
    const publisher = await open({ partitions: 4 });
    shop.republish(publisher);
    const inHand = new Map<StreamName, string>();
    const overlaps: string[] = [];
    const handled = { one: new Set<string>(), other: new Set<string>() };
    const consume = (name: 'one' | 'other') =>
      shop.openFeed({ cluster: shop.connect() }).consume(async (events) => {
        const streams = [...new Set(events.map(({ subject }) => subject))];
        for (const stream of streams) {
          const holder = inHand.get(stream);
          if (holder) overlaps.push(`${stream} is with ${holder} and with ${name}`);
          inHand.set(stream, name);
        }
        await pace(30);
        for (const stream of streams) inHand.delete(stream);
        for (const { id } of events) handled[name].add(id);
        return NONE;
      });

    const one = await consume('one');
    const end = appendMeanwhile(publisher);
    await expect.poll(() => handled.one.size, PATIENCE).toBeGreaterThan(50);
    await consume('other');
    await expect.poll(() => handled.other.size, PATIENCE).toBeGreaterThan(50);
    const before = handled.one.size;
    await expect.poll(() => handled.one.size, PATIENCE).toBeGreaterThan(before);
    await one.stop();
    const after = handled.other.size;
    await expect.poll(() => handled.other.size, PATIENCE).toBeGreaterThan(after + 100);
    const ids = await end();
    await allClosed();
    expect(overlaps).toEqual([]);
    expect(new Set([...handled.one, ...handled.other])).toEqual(new Set(ids));
  });

  it('FEED2 when a consumer is killed, another takes over, and no event is lost', async () => {
    const publisher = await open({ partitions: 4 });
    shop.republish(publisher);
    const { mongoUri, brokers, group } = shop;
    const killed = await spawnConsumer({ mongoUri, brokers: [...brokers], group, sessionTimeout: 1_000 });
    await expect.poll(() => killed.lines, PATIENCE).toContain('joined');
    const seen = new Set<string>();
    await shop.openFeed({ cluster: shop.connect({ sessionTimeout: 1_000 }) }).consume(async (events) => {
      for (const { id } of events) seen.add(id);
      return NONE;
    });
    const end = appendMeanwhile(publisher);
    await expect.poll(() => killed.lines.length, PATIENCE).toBeGreaterThan(100);
    await expect.poll(() => seen.size, PATIENCE).toBeGreaterThan(100);
    await killed.kill();
    const cut = await openNames();
    await expect.poll(async () => (await openNames()).filter((name) => cut.includes(name)), PATIENCE).toEqual([]);
    const ids = await end();
    await allClosed();
    expect(new Set([...seen, ...killed.lines.filter((line) => line !== 'joined')])).toEqual(new Set(ids));
  });
});

async function spawnConsumer(settings: ConsumeForeverSettings) {
  const child = await spawnProgram('consume-forever', [JSON.stringify(settings)]);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  cleanup.push(kill);
  return { lines, kill };
}

describe('FEED2 a Kafka outage', LIMIT, () => {
  let kafka: OwnKafka;
  const openOwn = async () => {
    kafka = await startOwnKafka();
    cleanup.push(() => kafka.remove());
    return open({ brokers: [kafka.host] });
  };

  it('FEED2 the publisher, the outbox relay and the consumer continue after a Kafka outage, and no event is lost', async () => {
    const publisher = await openOwn();
    shop.republish(publisher);
    const seen = new Set<string>();
    const crashes: unknown[] = [];
    const consumer = await shop.openFeed({ onError: (error) => crashes.push(error) }).consume(async (events) => {
      for (const { id } of events) seen.add(id);
      return NONE;
    });
    const end = appendMeanwhile(publisher);
    await expect.poll(() => seen.size, PATIENCE).toBeGreaterThan(50);
    await kafka.kill();
    await expect.poll(() => crashes.length, PATIENCE).toBeGreaterThan(0);
    const before = seen.size;
    await kafka.start();
    await expect.poll(() => seen.size, PATIENCE).toBeGreaterThan(before);
    const ids = await end();
    await allClosed();
    expect(seen).toEqual(new Set(ids));
    await expect.poll(() => consumer.lag(), PATIENCE).toBe(0);
  });

  it('FEED2 a process can stop during a Kafka outage', async () => {
    const publisher = await openOwn();
    const outboxRelay = shop.republish(publisher);
    const feed = shop.openFeed();
    await feed.consume(async () => NONE);
    await publisher.publish(await shop.append([sampleEvent(freshStream(), 1)]));
    await allClosed();
    await kafka.kill();
    void publisher.publish(await shop.append([sampleEvent(freshStream(), 1)])).catch(() => {});
    await expect.poll(() => shop.errors.length, PATIENCE).toBeGreaterThan(0);
    const begun = performance.now();
    await Promise.all([feed.close(), outboxRelay.stop(), publisher.close()]);
    await shop.cluster.close();
    expect(performance.now() - begun).toBeLessThan(8_000);
  });
});
