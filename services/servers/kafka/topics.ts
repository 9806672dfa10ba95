import { byKind } from '../../engine/read-models/by-kind.ts';
import type { TopicSettings, Topics } from './kafka-cluster.ts';

const DAY_MS = 86_400_000;

/**
 * Returns a topic name for each document kind. Each kind has its own topic, so that its events can be read, retained
 * and scaled separately.
 */
export function topicsOf(prefix: string): Topics {
  return byKind((kind) => `${prefix}.${kind}`);
}

export interface TopicScale {
  /**
   * The number of partitions per topic, which limits how many projectors can share a topic. It must never change,
   * because a change would move streams to other partitions, and a stream's events could be read out of order.
   */
  readonly partitions: number;
  /** the replication factor: how many brokers store each message */
  readonly replication: number;
}

export function topicSettings(prefix: string, scale: TopicScale): TopicSettings[] {
  return Object.values(topicsOf(prefix)).map((name) => ({
    name,
    ...scale,
    config: {
      // With three or more replicas, a write needs two in-sync replicas, so it still succeeds while one replica is
      // down. With fewer replicas, one in-sync replica is enough.
      'min.insync.replicas': String(scale.replication >= 3 ? 2 : 1),
      // Messages only have to last as long as a lengthy repair. Nothing is lost when they expire: the log is the source
      // of truth, and open commits are republished.
      'retention.ms': String(7 * DAY_MS),
      'cleanup.policy': 'delete',
      // Leaves room for a commit of up to 1 MB, which is sent as one batch, plus the headers that hold its events'
      // attributes.
      'max.message.bytes': '2097152',
    },
  }));
}
