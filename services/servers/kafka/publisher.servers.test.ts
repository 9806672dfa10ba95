import { randomBytes } from 'node:crypto';
import { setTimeout as pace } from 'node:timers/promises';
import { getContainerRuntimeClient, Network } from 'testcontainers';
import { expect, it } from 'vitest';
import { commitName, type StreamName } from '../../contracts/ids.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { startKafkaCluster } from '../test-servers/kafka-container.fixture.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { fromMessage } from './kafka-messages.ts';
import { createKafkaCluster } from './kafkajs-cluster.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { topicSettings, topicsOf } from './topics.ts';

const PATIENCE = { timeout: 120_000, interval: 50 };

/** For each stream, the versions that the brokers have acknowledged, in order. */
type Acknowledged = ReadonlyMap<StreamName, number[]>;

/** Publishes one commit after another to several streams, without waiting for replies, until end() is called. */
function publishMeanwhile(publisher: Publisher) {
  const ended = new AbortController();
  const acknowledged = new Map(Array.from({ length: 24 }, () => [freshStream(), [] as number[]]));
  let count = 0;
  const publishing = Promise.all(
    [...acknowledged].map(async ([stream, versions]) => {
      const underWay: Promise<void>[] = [];
      for (let version = 1; !ended.signal.aborted; version++) {
        const sent = publisher.publish({ name: commitName(stream, version), events: [sampleEvent(stream, version)] });
        underWay.push(
          sent.then(
            () => {
              versions.push(version);
              count += 1;
            },
            () => {},
          ),
        );
        await pace(100);
      }
      await Promise.all(underWay);
    }),
  );
  return {
    count: () => count,
    async end(): Promise<Acknowledged> {
      ended.abort();
      await publishing;
      return acknowledged;
    },
  };
}

/** Returns each stream's versions in the topic, in the order in which they first appear. */
async function readAll(cluster: KafkaCluster, group: string, topic: string): Promise<Map<StreamName, Set<number>>> {
  const versions = new Map<StreamName, Set<number>>();
  const member = cluster.consume({
    group,
    topics: [topic],
    partitionsAtOnce: 1,
    async onBatch(batch) {
      for (const message of batch.messages) {
        const { subject, streamversion } = fromMessage(message).event;
        versions.set(subject, (versions.get(subject) ?? new Set()).add(streamversion));
      }
      const offset = batch.messages.at(-1)?.offset ?? 0;
      batch.advance(offset);
      await batch.commit(offset);
      return null;
    },
    onAssigned: () => {},
    onError: () => {},
  });
  const behind = async () => (await cluster.positions(group, [topic])).filter(({ next, end }) => next < end);
  await expect.poll(behind, PATIENCE).toEqual([]);
  await member.stop();
  return versions;
}

it('X1 FEED1 every acknowledged commit is in the feed, in order, even after two of three brokers were killed one after the other', async () => {
  const network = await new Network().start();
  const brokers = await startKafkaCluster(3, network);
  const docker = await getContainerRuntimeClient();
  const handles = brokers.map(({ container }) => docker.container.getById(container.getId()));
  const prefix = `failover-${randomBytes(8).toString('hex')}`;
  const topics = topicsOf(prefix);
  const cluster = createKafkaCluster({ brokers: brokers.map(({ host }) => host), clientId: prefix, onLog: () => {} });
  try {
    await cluster.createTopics(topicSettings(prefix, { partitions: 6, replication: 3 }));
    const publisher = createPublisher({ cluster, topics });
    const publishing = publishMeanwhile(publisher);
    for (const handle of handles.slice(0, 2)) {
      const before = publishing.count();
      await expect.poll(publishing.count, PATIENCE).toBeGreaterThan(before + 500);
      await handle.kill();
      const during = publishing.count();
      await expect.poll(publishing.count, PATIENCE).toBeGreaterThan(during + 500);
      await handle.start();
    }
    const acknowledged = await publishing.end();
    const stored = await readAll(cluster, `${prefix}-reader`, topics.order);
    for (const [stream, versions] of acknowledged) {
      expect([...(stored.get(stream) ?? [])].filter((version) => versions.includes(version))).toEqual(versions);
    }
    await publisher.close();
  } finally {
    await cluster.close();
    await Promise.all(handles.map((handle) => handle.remove({ force: true, v: true })));
    await network.stop();
  }
}, 400_000);
