import { DOCUMENT_KINDS } from '../../contracts/ids.ts';
import type { TopicSettings, Topics } from './kafka-cluster.ts';

export const TOPIC_PREFIX = 'micro-center';

const DAY_MS = 86_400_000;

/** One topic per kind of stream: kinds grow apart, and each can be read, kept and scaled by itself. */
export function topicsOf(prefix: string = TOPIC_PREFIX): Topics {
  return Object.fromEntries(DOCUMENT_KINDS.map((kind) => [kind, `${prefix}.${kind}`])) as Topics;
}

export interface TopicScale {
  /** how many projectors can share a topic; never changed afterwards, since a stream's order hangs on its partition */
  readonly partitions: number;
  /** how many brokers hold each message */
  readonly replication: number;
}

/** Room for growth on one broker as on many. */
export const DEFAULT_SCALE: TopicScale = { partitions: 12, replication: 1 };

/** The topics with their settings, to be created before the first start. */
export function topicSettings(prefix: string = TOPIC_PREFIX, scale: TopicScale = DEFAULT_SCALE): TopicSettings[] {
  return Object.values(topicsOf(prefix)).map((name) => ({
    name,
    ...scale,
    config: {
      // One replica may be away and messages are still written twice; with fewer than three there is none to spare.
      'min.insync.replicas': String(scale.replication >= 3 ? 2 : 1),
      // The log is the truth and open commits are published again, so messages need only outlast a long repair.
      'retention.ms': String(7 * DAY_MS),
      'cleanup.policy': 'delete',
      // A commit of 1 MB is sent in one piece, and its attributes travel as headers beside its data.
      'max.message.bytes': '2097152',
    },
  }));
}
