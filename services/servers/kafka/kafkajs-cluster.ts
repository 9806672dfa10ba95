import { createRequire } from 'node:module';
import { type EachBatchPayload, Kafka, logLevel, Partitioners, type ProducerRecord } from 'kafkajs';
import { type Batched, batchRequests } from '../../runtime/batch-requests.ts';
import { exponentialBackOff } from '../../runtime/schedule.ts';
import { createFreshProducer } from './fresh-producer.ts';
import type { ConsumeOptions, GroupMember, KafkaCluster, MessageBatch } from './kafka-cluster.ts';
import type { KafkaSecurity } from './kafka-security.ts';
import { createTopicAdmin } from './kafka-topic-admin.ts';
import { restWhenIdle } from './rest-when-idle.ts';
import { type Membership, type MembershipSigns, stayInGroup } from './stay-in-group.ts';

restWhenIdle(createRequire(import.meta.url)('kafkajs/src/network/requestQueue')?.prototype);

export interface KafkaClusterOptions {
  /** host:port of one or more brokers, through which the others are discovered */
  readonly brokers: readonly string[];
  /** identifies this process in the brokers' logs */
  readonly clientId: string;
  /** If absent, connections are unencrypted and send no credentials. */
  readonly security?: KafkaSecurity;
  /** called for each message that kafkajs logs, with the message's log level in `details.kafkajs` */
  readonly onLog: (message: string, details: object) => void;
  /** How long a consumer may go without sending a heartbeat before it loses its partitions to others, in ms. */
  readonly sessionTimeout?: number;
  readonly requestTimeout?: number;
}

/** Times are in ms. All options are set explicitly, because kafkajs's defaults differ if NODE_ENV is 'test'. */
const RETRY = { initialRetryTime: 200, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 5 };
/** How long a rebalance waits for a member that is handling a batch. */
const REBALANCE_TIMEOUT_MS = 30_000;
/**
 * If kafkajs shows no activity for this long, in ms, its consumer is replaced. The limit leaves enough time for a group
 * to rebalance while its coordinator moves.
 */
const SILENT_MS = 3 * REBALANCE_TIMEOUT_MS;
/**
 * How long the broker holds a fetch while there are no messages to return, in ms. A consumer can't leave its group
 * until its fetch has ended.
 */
const FETCH_WAIT_MS = 500;
/**
 * The maximum number of bytes that a fetch reads from one partition. It must be at least the size of the largest
 * commit. Otherwise, the partition would get stuck.
 */
const FETCH_BYTES = 2_097_152;
/**
 * The first and the longest delay before a crashed consumer is replaced, in ms. They are short because each delay
 * prolongs the outage.
 */
const REJOIN = { first: 200, longest: 3_000 };

/** Creates a client of a Kafka cluster. The client connects on first use. */
export function createKafkaCluster(options: KafkaClusterOptions): KafkaCluster {
  const client = createClient(options);
  const topicAdmin = createTopicAdmin(client.admin({ retry: RETRY }));
  const members: GroupMember[] = [];
  const producer = createFreshProducer(() => connectProducer(client));
  const choosePartition = Partitioners.DefaultPartitioner();

  return {
    createTopics: topicAdmin.create,
    async partitionOf(topic, key) {
      const count = await topicAdmin.partitions(topic);
      const partitionMetadata = Array.from({ length: count }, (_, partitionId) => ({
        ...KNOWN_PARTITION,
        partitionId,
      }));
      return choosePartition({ topic, partitionMetadata, message: { key, value: null } });
    },
    async send({ topic, partition }, messages) {
      const reply = await producer.send({
        topic,
        acks: -1,
        messages: messages.map((message) => ({ ...message, partition })),
      });
      return reply
        .filter(({ errorCode }) => errorCode === 0)
        .map((written) => ({ topic: written.topicName, partition: written.partition }));
    },
    consume(consumeOptions) {
      const { onError } = consumeOptions;
      const member = stayInGroup({
        join: (signs) => joinGroup(options, consumeOptions, signs),
        onError,
        now: () => performance.now(),
        silentFor: SILENT_MS,
        backOff: exponentialBackOff(REJOIN),
      });
      members.push(member);
      return member;
    },
    positions: topicAdmin.positions,
    async close() {
      await Promise.all(members.map((member) => member.stop()));
      await producer.disconnect();
      await topicAdmin.disconnect();
    },
  };
}

/**
 * Placeholder metadata for a partition. If a message has a key, the partitioner counts the partitions and ignores their
 * metadata.
 */
const KNOWN_PARTITION = { partitionErrorCode: 0, leader: 0, replicas: [], isr: [] };

function createClient({ brokers, clientId, security, onLog, requestTimeout = 8_000 }: KafkaClusterOptions): Kafka {
  return new Kafka({
    ...security,
    brokers: [...brokers],
    clientId,
    requestTimeout,
    retry: RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => {
      const { message, timestamp: _, ...details } = entry.log;
      // kafkajs logs the warning `Limiting retries` for each new producer. The warning doesn't apply here, because a
      // producer that has used up its retries isn't used again (fresh-producer.ts).
      if (message.startsWith('Limiting retries')) return;
      onLog(`${entry.namespace}: ${message}`, { ...details, kafkajs: entry.label.toLowerCase() });
    },
  });
}

async function connectProducer(client: Kafka) {
  const producer = client.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: RETRY,
  });
  try {
    await producer.connect();
  } catch (error) {
    await producer.disconnect();
    throw error;
  }
  return { send: (record: ProducerRecord) => producer.send(record), disconnect: () => producer.disconnect() };
}

/** Joins a group with a separate client, because consumers of the same kafkajs client share committed offsets. */
async function joinGroup(
  options: KafkaClusterOptions,
  { group, topics, partitionsAtOnce, onBatch, onAssigned }: ConsumeOptions,
  signs: MembershipSigns,
): Promise<Membership> {
  const { sessionTimeout = 6_000 } = options;
  const heartbeatInterval = Math.floor(sessionTimeout / 3);
  const consumer = createClient(options).consumer({
    groupId: group,
    sessionTimeout,
    heartbeatInterval,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    maxBytesPerPartition: FETCH_BYTES,
    allowAutoTopicCreation: false,
    // stayInGroup() replaces a crashed consumer. kafkajs's built-in restart can't be stopped while the consumer is
    // joining the group, and isn't triggered by every crash.
    retry: { ...RETRY, restartOnFailure: async () => false },
  });
  const commit = batchRequests<Done, 'committed'>({ send: commitAll, maxBatchSize: 1_000, maxInFlight: 1 });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const assigned = Object.entries(payload.memberAssignment);
    onAssigned(assigned.flatMap(([topic, partitions]) => partitions.map((partition) => ({ topic, partition }))));
    signs.joined();
  });
  consumer.on(consumer.events.FETCH_START, signs.alive);
  consumer.on(consumer.events.CRASH, ({ payload }) => signs.ended(payload.error));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => handleBatch(payload, { onBatch, heartbeatInterval, signs, commit }),
    });
  } catch (error) {
    await consumer.disconnect();
    throw error;
  }
  return { leave: () => consumer.disconnect() };
}

interface Done {
  readonly payload: EachBatchPayload;
  readonly offset: number;
}

/**
 * Commits the offsets of several partitions in one request. All payloads belong to the same group membership, so any
 * payload's `commitOffsetsIfNecessary` can send the request.
 */
async function commitAll(done: readonly Done[]): Promise<'committed'[]> {
  const byTopic = new Map<string, { partition: number; offset: string }[]>();
  for (const { payload, offset } of done) {
    const { topic, partition } = payload.batch;
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), { partition, offset: String(offset + 1) }]);
  }
  const topics = [...byTopic].map(([topic, partitions]) => ({ topic, partitions }));
  await done[0]?.payload.commitOffsetsIfNecessary({ topics });
  return done.map(() => 'committed');
}

interface BatchWork extends Pick<ConsumeOptions, 'onBatch'> {
  readonly heartbeatInterval: number;
  readonly signs: MembershipSigns;
  readonly commit: Batched<Done, 'committed'>;
}

async function handleBatch(payload: EachBatchPayload, work: BatchWork): Promise<void> {
  const { onBatch, heartbeatInterval, signs, commit } = work;
  const { topic, partition, messages } = payload.batch;
  let movedOn = false;
  const heartbeat = () => {
    signs.alive();
    // A failed heartbeat isn't reported, because kafkajs sends its own heartbeat after the batch and handles any error
    // then.
    payload.heartbeat().catch(() => {
      movedOn = true;
    });
  };
  // kafkajs itself sends heartbeats only between batches. Without this timer, the consumer would lose its partition
  // during a long batch.
  const heartbeats = setInterval(heartbeat, heartbeatInterval / 2);
  const batch: MessageBatch = {
    topic,
    partition,
    messages: messages.map(({ offset, key, value, headers }) => ({
      offset: Number(offset),
      key,
      value,
      headers: headers ?? {},
    })),
    isCurrent: () => payload.isRunning() && !payload.isStale() && !movedOn,
    advance: (offset) => payload.resolveOffset(String(offset)),
    async commit(offset) {
      await commit({ payload, offset });
    },
  };
  try {
    const pause = await onBatch(batch);
    // Pauses the partition instead of waiting here. A wait would block other partitions and keep kafkajs from leaving
    // or rejoining the group.
    if (pause !== null) setTimeout(payload.pause(), pause).unref();
  } finally {
    clearInterval(heartbeats);
  }
}
