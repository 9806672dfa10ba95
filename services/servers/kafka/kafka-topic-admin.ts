import { setTimeout as wait } from 'node:timers/promises';
import type { Admin, ConfigResourceTypes } from 'kafkajs';
import type { PartitionPosition, TopicSettings } from './kafka-cluster.ts';

/** The value of `ConfigResourceTypes.TOPIC`. An ES module can't import this enum from kafkajs. */
const TOPIC: ConfigResourceTypes = 2;
const MOVING = { pollMs: 100, polls: 50 };

/** Retries a request that may fail while the brokers are moving leaders or coordinators. */
async function whileMoving<T>(ask: () => Promise<T>, mayPass: (error: unknown) => boolean = () => true): Promise<T> {
  for (let poll = 1; ; poll++) {
    try {
      return await ask();
    } catch (error) {
      if (poll === MOVING.polls || !mayPass(error)) throw error;
      await wait(MOVING.pollMs);
    }
  }
}

export function createTopicAdmin(admin: Admin) {
  const counts = new Map<string, Promise<number>>();

  async function metadata(topics: readonly string[]) {
    await admin.connect();
    // The topics' names are added to the error, because kafkajs's error doesn't contain them.
    const found = await admin.fetchTopicMetadata({ topics: [...topics] }).catch((error: unknown) => {
      throw new Error(`Some of these topics are unknown: ${topics.join(', ')}.`, { cause: error });
    });
    return found.topics;
  }

  async function ledTopics(topics: readonly string[]) {
    const found = await metadata(topics);
    if (found.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return found;
    throw new Error(`A partition of ${topics.join(', ')} has no leader.`);
  }

  function partitions(topic: string): Promise<number> {
    const known = counts.get(topic);
    if (known) return known;
    const asked = metadata([topic]).then(([found]) => found?.partitions.length ?? 0);
    counts.set(topic, asked);
    asked.catch(() => counts.delete(topic));
    return asked;
  }

  /**
   * Returns one sentence for each topic setting that differs from the configured value or isn't reported by the
   * brokers.
   */
  async function otherSettings(topics: readonly TopicSettings[]): Promise<string[]> {
    const resources = topics.map(({ name, config }) => ({
      type: TOPIC,
      name,
      configNames: Object.keys(config),
    }));
    let described: Awaited<ReturnType<Admin['describeConfigs']>>;
    try {
      described = await admin.describeConfigs({ includeSynonyms: false, resources });
    } catch (error) {
      return [`The settings of the topics cannot be read: ${(error as Error).message}`];
    }
    return topics.flatMap(({ name, config }) => {
      const entries = described.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
      return Object.entries(config).flatMap(([key, wanted]) => {
        const has = entries.find(({ configName }) => configName === key)?.configValue;
        return has === wanted ? [] : [`Topic ${name} has ${key}=${has ?? '(not reported)'}, not ${wanted}.`];
      });
    });
  }

  async function readPositions(group: string, topics: readonly string[]): Promise<PartitionPosition[]> {
    await admin.connect();
    const [committed, ends] = await Promise.all([
      admin.fetchOffsets({ groupId: group, topics: [...topics] }),
      Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.fetchTopicOffsets(topic) }))),
    ]);
    return ends.flatMap(({ topic, partitions: ofTopic }) => {
      const ofGroup = committed.find((one) => one.topic === topic)?.partitions ?? [];
      return ofTopic.map(({ partition, low, high }) => {
        const offset = Number(ofGroup.find((one) => one.partition === partition)?.offset ?? -1);
        // The offset is -1 if the group hasn't committed one. Messages below the low watermark have been deleted, so
        // the next message to read is never below it.
        return { topic, partition, next: Math.max(offset, Number(low)), end: Number(high) };
      });
    });
  }

  return {
    partitions,
    async create(topics: readonly TopicSettings[]): Promise<string[]> {
      await admin.connect();
      const existing = await admin.listTopics();
      const missing = topics.filter(({ name }) => !existing.includes(name));
      // If another process has created the topics in the meantime, createTopics() returns false instead of throwing.
      if (missing.length > 0) {
        await admin.createTopics({
          waitForLeaders: false,
          topics: missing.map(({ name, partitions: numPartitions, replication, config }) => ({
            topic: name,
            numPartitions,
            replicationFactor: replication,
            configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
          })),
        });
      }
      const found = await whileMoving(() => ledTopics(topics.map(({ name }) => name)));
      const counts = topics.flatMap(({ name, partitions: wanted }) => {
        const has = found.find((topic) => topic.name === name)?.partitions.length ?? 0;
        return has === wanted ? [] : [`Topic ${name} has ${has} partitions, not ${wanted}.`];
      });
      return [...counts, ...(await otherSettings(topics))];
    },
    // If a request for offsets fails because a leader or coordinator has moved, kafkajs doesn't retry the request.
    positions: (group: string, topics: readonly string[]) =>
      whileMoving(() => readPositions(group, topics), isRetriable),
    disconnect: () => admin.disconnect(),
  };
}

/** Checks the error's fields instead of its class, because an ES module can't import kafkajs's error classes. */
function isRetriable(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'KafkaJSProtocolError' && 'retriable' in error && error.retriable === true
  );
}
