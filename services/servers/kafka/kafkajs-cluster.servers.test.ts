import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { commitName } from '../../contracts/ids.ts';
import { MAX_COMMIT_BYTES, MAX_COMMIT_EVENTS } from '../../engine/log/event-log.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { type OwnKafka, startOwnKafka } from '../test-servers/own-kafka.fixture.ts';
import type { IncomingMessage, KafkaCluster, TopicPartition } from './kafka-cluster.ts';
import { fromMessage, toMessages } from './kafka-messages.ts';
import { createKafkaCluster, type KafkaClusterOptions } from './kafkajs-cluster.ts';
import { topicSettings, topicsOf } from './topics.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };
const message = (text: string) => ({ key: 'k', value: text, headers: {} });

describe('Kafka through kafkajs', () => {
  let name: string;
  let topic: string;
  const open: KafkaCluster[] = [];
  beforeEach(() => {
    name = `cluster-${randomBytes(8).toString('hex')}`;
    topic = topicsOf(name).order;
  });
  afterEach(async () => {
    for (const cluster of open.splice(0)) await cluster.close();
  });

  function connect(options: Partial<KafkaClusterOptions> = {}): KafkaCluster {
    const brokers = inject('servers').kafkaBrokers;
    const cluster = createKafkaCluster({ brokers, clientId: name, onLog: () => {}, ...options });
    open.push(cluster);
    return cluster;
  }

  /** Reads the order topic with a consumer group of its own. */
  function read(cluster: KafkaCluster) {
    const messages: IncomingMessage[] = [];
    const errors: unknown[] = [];
    const member = cluster.consume({
      group: `${name}-reader`,
      topics: [topic],
      partitionsAtOnce: 1,
      async onBatch(batch) {
        messages.push(...batch.messages);
        const offset = batch.messages.at(-1)?.offset ?? 0;
        batch.advance(offset);
        await batch.commit(offset);
        return null;
      },
      onAssigned: () => {},
      onError: (error) => errors.push(error),
    });
    return { messages, errors, member, texts: () => messages.map(({ value }) => value?.toString()) };
  }

  it('FEED1 concurrent callers create each topic once, existing topics stay unchanged, and settings that differ from the requested ones are reported', async () => {
    const settings = topicSettings(name, { partitions: 2, replication: 1 });
    const [one, other] = [connect(), connect()];
    await Promise.all([one.createTopics(settings), other.createTopics(settings)]);
    expect(await one.createTopics(settings)).toEqual([]);
    const positions = await one.positions('nobody', Object.values(topicsOf(name)));
    expect(positions).toHaveLength(12);
    expect(positions.every(({ next, end }) => next === 0 && end === 0)).toBe(true);
    const [wanted] = topicSettings(name, { partitions: 3, replication: 1 });
    if (!wanted) throw new Error('There is no topic.');
    const others = { ...wanted, config: { ...wanted.config, 'retention.ms': '1000' } };
    expect(await one.createTopics([others])).toEqual([
      `Topic ${topic} has 2 partitions, not 3.`,
      `Topic ${topic} has retention.ms=604800000, not 1000.`,
    ]);
  });

  it('FEED1 partitions are chosen with the same hash function as in other Kafka clients', async () => {
    const cluster = connect();
    await cluster.createTopics(topicSettings(name, { partitions: 12, replication: 1 }));
    // These hashes are from Kafka's own murmur2 tests.
    const hashes = { '21': -973932308, foobar: -790332482, abc: 479470107, 'a-little-bit-long-string': -985981536 };
    for (const [key, hash] of Object.entries(hashes)) {
      expect(await cluster.partitionOf(topic, key)).toBe((hash & 0x7fffffff) % 12);
    }
  });

  it('FEED1 a send to a nonexistent partition gets a reply that does not name that partition', async () => {
    const cluster = connect();
    await cluster.createTopics(topicSettings(name, { partitions: 1, replication: 1 }));
    expect(await cluster.send({ topic, partition: 0 }, [message('a')])).toEqual([{ topic, partition: 0 }]);
    expect(await cluster.send({ topic, partition: 7 }, [message('b')])).toEqual([]);
    await expect(cluster.send({ topic: `${name}.none`, partition: 0 }, [message('c')])).rejects.toThrow();
  });

  it('LOG2 a commit of the maximum size, including its headers, fits in one send', async () => {
    const cluster = connect();
    await cluster.createTopics(topicSettings(name, { partitions: 1, replication: 1 }));
    const stream = freshStream();
    const filling = 'x'.repeat(MAX_COMMIT_BYTES / MAX_COMMIT_EVENTS - 450);
    const events = Array.from({ length: MAX_COMMIT_EVENTS }, (_, index) =>
      sampleEvent(stream, index + 1, { data: { filling } }),
    );
    expect(Buffer.byteLength(JSON.stringify(events))).toBeGreaterThan(0.95 * MAX_COMMIT_BYTES);
    expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThanOrEqual(MAX_COMMIT_BYTES);
    const to: TopicPartition = { topic, partition: 0 };
    const messages = toMessages({ name: commitName(stream, 1), events });
    expect(await cluster.send(to, messages)).toEqual([to]);
    expect(await cluster.send(to, messages)).toEqual([to]);
    const reader = read(cluster);
    await expect.poll(() => reader.messages.length, PATIENCE).toBe(2 * MAX_COMMIT_EVENTS);
    expect(reader.messages.slice(0, MAX_COMMIT_EVENTS).map((one) => fromMessage(one).event)).toEqual(events);
    expect(await cluster.positions(`${name}-reader`, [topic])).toEqual([{ ...to, next: 512, end: 512 }]);
  });

  describe('a cluster whose broker freezes', () => {
    let kafka: OwnKafka;
    beforeEach(async () => {
      kafka = await startOwnKafka();
    });
    afterEach(() => kafka.remove());

    it('FEED1 if a send fails after its messages were written, later messages are still stored', async () => {
      const brokers = [kafka.host];
      // kafkajs repeats a send that takes too long, but not the creation of topics, so that needs the usual time limit.
      await connect({ brokers }).createTopics(topicSettings(name, { partitions: 1, replication: 1 }));
      const cluster = connect({ brokers, requestTimeout: 500 });
      const to: TopicPartition = { topic, partition: 0 };
      await cluster.send(to, [message('before')]);
      await kafka.pause();
      await expect(cluster.send(to, [message('unknown')])).rejects.toThrow();
      await kafka.resume();
      await expect.poll(async () => (await cluster.positions('nobody', [topic]))[0]?.end, PATIENCE).toBeGreaterThan(1);
      expect(await cluster.send(to, [message('after')])).toEqual([to]);
      expect(await cluster.send(to, [message('later'), message('still later')])).toEqual([to]);
      const reader = read(cluster);
      await expect.poll(reader.texts, PATIENCE).toContain('still later');
      expect(reader.texts().slice(-3)).toEqual(['after', 'later', 'still later']);
      expect(new Set(reader.texts().slice(0, -3))).toEqual(new Set(['before', 'unknown']));
    });
  });
});
