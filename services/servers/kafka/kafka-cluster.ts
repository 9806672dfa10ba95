import type { DocumentKind } from '../../contracts/ids.ts';

export type Topics = Readonly<Record<DocumentKind, string>>;

export interface TopicSettings {
  readonly name: string;
  /** never changed: streams would move to other partitions and lose their order */
  readonly partitions: number;
  readonly replication: number;
  /** Kafka's own names and values, e.g. `retention.ms` */
  readonly config: Readonly<Record<string, string>>;
}

export interface OutgoingMessage {
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Unchecked. */
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

/** What one fetch read of a partition, in order. */
export interface MessageBatch extends TopicPartition {
  readonly messages: readonly IncomingMessage[];
  /** The next batch of this partition begins after this offset. */
  advance(offset: number): void;
  /** Commits the offset for the group: all up to and including it is done. May be called after the batch. */
  commit(offset: number): Promise<void>;
  /** false once the consumer stops or the group has rebalanced: leave the rest of the batch alone */
  isCurrent(): boolean;
}

/** Returns for how many ms to pause the partition, or null. Batches of different partitions may overlap. */
export type BatchHandler = (batch: MessageBatch) => Promise<number | null>;

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  readonly partitionsAtOnce: number;
  readonly onBatch: BatchHandler;
  /** called after each rebalance with the partitions of this consumer */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => void;
  /** called with each failure that ends the consumer; another one replaces it after a pause */
  readonly onError: (error: unknown) => void;
}

export interface GroupMember {
  /** Resolves once the group was joined for the first time; rejects if it is left before. */
  readonly joined: Promise<void>;
  stop(): Promise<void>;
}

export interface PartitionPosition extends TopicPartition {
  /** the first offset not committed */
  readonly next: number;
  /** the offset of the next message to be written */
  readonly end: number;
}

/** What the feed needs of Kafka. While brokers cannot be reached, calls reject after some seconds of retries. */
export interface KafkaCluster {
  /** Leaves existing topics as they are; resolves once all have leaders. Returns a sentence for each setting that differs. */
  createTopics(topics: readonly TopicSettings[]): Promise<string[]>;
  /** As Kafka's own clients choose it (murmur2). */
  partitionOf(topic: string, key: string): Promise<number>;
  /** To all in-sync replicas, one send at a time per partition. Partitions not returned may be lost (FEED1). */
  send(to: TopicPartition, messages: readonly OutgoingMessage[]): Promise<readonly TopicPartition[]>;
  /** Joins a group and stays in it, whatever fails, until stopped. A new group begins with the oldest message. */
  consume(options: ConsumeOptions): GroupMember;
  positions(group: string, topics: readonly string[]): Promise<PartitionPosition[]>;
  close(): Promise<void>;
}
