import { byKind } from '../../engine/read-models/by-kind.ts';
import type { TopicSettings, Topics } from './kafka-cluster.ts';

const DAY_MS = 86_400_000;

/** One topic per kind of stream: each can be read, kept and scaled by itself. */
export function topicsOf(prefix: string): Topics {
  return byKind((kind) => `${prefix}.${kind}`);
}

export interface TopicScale {
  /** bounds how many projectors share a topic; never changed, since a stream's order depends on its partition */
  readonly partitions: number;
  /** copies of each message */
  readonly replication: number;
}

export function topicSettings(prefix: string, scale: TopicScale): TopicSettings[] {
  return Object.values(topicsOf(prefix)).map((name) => ({
    name,
    ...scale,
    config: {
      // With three or more, one replica may be down and messages are still written twice; with fewer, none may.
      'min.insync.replicas': String(scale.replication >= 3 ? 2 : 1),
      // The log is the truth and open commits are published again, so messages need only outlast a long repair.
      'retention.ms': String(7 * DAY_MS),
      'cleanup.policy': 'delete',
      // A commit of 1 MB is sent in one piece, and its attributes travel as headers beside its data.
      'max.message.bytes': '2097152',
    },
  }));
}
