import type { DocumentKind } from '../../contracts/ids.ts';

export type Topics = Readonly<Record<DocumentKind, string>>;

export interface TopicSettings {
  readonly name: string;
  /**
   * The number of partitions must never change, because streams would then move to other partitions and lose their
   * order.
   */
  readonly partitions: number;
  readonly replication: number;
  /** topic settings by their Kafka names, e.g. `retention.ms` */
  readonly config: Readonly<Record<string, string>>;
}

export interface OutgoingMessage {
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as read from the broker, not yet validated. */
export interface IncomingMessage {
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export const partitionKey = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

export function findPartition<P extends TopicPartition>(
  partitions: readonly P[],
  { topic, partition }: TopicPartition,
): P | undefined {
  return partitions.find((one) => one.topic === topic && one.partition === partition);
}

/** The messages that one fetch read from a partition, in order. */
export interface MessageBatch extends TopicPartition {
  readonly messages: readonly IncomingMessage[];
  /** Makes this partition's next batch start after this offset. */
  advance(offset: number): void;
  /**
   * Commits this offset for the group, which marks every message up to and including it as handled. May be called after
   * the batch has ended.
   */
  commit(offset: number): Promise<void>;
  /** Returns false once the consumer is stopping or the group has rebalanced. The rest of the batch must then be skipped. */
  isCurrent(): boolean;
}

/**
 * Handles a batch. Returns how long to pause the batch's partition, in ms, or null for no pause. Batches of different
 * partitions may be handled in parallel.
 */
export type BatchHandler = (batch: MessageBatch) => Promise<number | null>;

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  readonly partitionsAtOnce: number;
  readonly onBatch: BatchHandler;
  /** called after each rebalance with the partitions assigned to this consumer */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => void;
  /** called with the error if a consumer fails; a new consumer joins after a pause */
  readonly onError: (error: unknown) => void;
}

export interface GroupMember {
  /** Resolves when the consumer first joins the group. Rejects if stop() is called before that. */
  readonly joined: Promise<void>;
  stop(): Promise<void>;
}

export interface PartitionPosition extends TopicPartition {
  /** the first uncommitted offset */
  readonly next: number;
  /** the offset of the next message to be written */
  readonly end: number;
}

/**
 * The Kafka operations that the feed needs. While the brokers are unreachable, calls reject after a few seconds of
 * retries.
 */
export interface KafkaCluster {
  /**
   * Creates the missing topics, and resolves once all topics have leaders. Doesn't change existing topics, but returns
   * one sentence for each setting of an existing topic that differs from the requested setting.
   */
  createTopics(topics: readonly TopicSettings[]): Promise<string[]>;
  /** Chooses a key's partition the way Kafka's own clients do (murmur2). */
  partitionOf(topic: string, key: string): Promise<number>;
  /**
   * Sends messages to one partition and waits for all in-sync replicas. Callers must have at most one send in flight
   * per partition. Returns the partitions that the broker acknowledged. If `to` isn't among them, the messages may be
   * lost (FEED1).
   */
  send(to: TopicPartition, messages: readonly OutgoingMessage[]): Promise<readonly TopicPartition[]>;
  /**
   * Joins a consumer group, and rejoins it after every failure until stopped. A new group starts with the oldest
   * message.
   */
  consume(options: ConsumeOptions): GroupMember;
  positions(group: string, topics: readonly string[]): Promise<PartitionPosition[]>;
  close(): Promise<void>;
}
