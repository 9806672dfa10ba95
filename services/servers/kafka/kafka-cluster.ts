import type { DocumentKind } from '../../contracts/ids.ts';

/** The topic of each kind of stream. */
export type Topics = Readonly<Record<DocumentKind, string>>;

/** A topic as it is created. */
export interface TopicSettings {
  readonly name: string;
  /** fixed for good: another number would move streams to other partitions, and their order would be lost */
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

/** A message as it was read: nothing about it is checked. */
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

/** What tells partitions apart in a map. */
export const partitionKey = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** What was read of one partition at once, in order. */
export interface MessageBatch extends TopicPartition {
  readonly messages: readonly IncomingMessage[];
  /** Has the next batch of this partition begin behind this offset. */
  advance(offset: number): void;
  /** Remembers for the group that all up to and including this offset is done; may be called after the batch. */
  commit(offset: number): Promise<void>;
  /** false once the consumer stops or the group has moved on without it: what is left of the batch is not to be begun */
  isCurrent(): boolean;
}

/**
 * Handles one batch; returns the milliseconds to leave the partition alone before what it has not advanced over comes
 * again, or null to go on. Batches of several partitions may be in flight at once, of one partition never.
 */
export type BatchHandler = (batch: MessageBatch) => Promise<number | null>;

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** the most batches in flight at once, each of another partition */
  readonly partitionsAtOnce: number;
  readonly onBatch: BatchHandler;
  /** told after each rebalance which partitions this consumer has */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => void;
  /** told of each failure that ends the consumer; another takes its place after a pause */
  readonly onError: (error: unknown) => void;
}

export interface GroupMember {
  /** Resolves once the group was joined for the first time; rejects where it was left before. */
  readonly joined: Promise<void>;
  stop(): Promise<void>;
}

/** How far a group has come in one partition. */
export interface PartitionPosition extends TopicPartition {
  /** the first offset that the group has not committed as done */
  readonly next: number;
  /** the offset that the next message written will have */
  readonly end: number;
}

/** What the feed needs of Kafka. What is asked of brokers that cannot be reached rejects, after some seconds of trying. */
export interface KafkaCluster {
  /**
   * Creates the topics that do not exist, and takes the others as they are; resolves once every partition has a leader.
   * Answers one sentence for each thing that is not as these settings say.
   */
  createTopics(topics: readonly TopicSettings[]): Promise<string[]>;
  /** The partition of messages with this key, as Kafka's own clients choose it (murmur2). */
  partitionOf(topic: string, key: string): Promise<number>;
  /**
   * Writes to one partition, in order, to all replicas in sync. Returns the partitions that the broker's reply names as
   * written: what it does not name may be lost (FEED1). The caller has one send in flight per partition.
   */
  send(to: TopicPartition, messages: readonly OutgoingMessage[]): Promise<readonly TopicPartition[]>;
  /** Joins a group and stays in it, whatever fails, until stopped. A new group begins with the oldest message. */
  consume(options: ConsumeOptions): GroupMember;
  /** Where a group stands in every partition of the topics. */
  positions(group: string, topics: readonly string[]): Promise<PartitionPosition[]>;
  close(): Promise<void>;
}
