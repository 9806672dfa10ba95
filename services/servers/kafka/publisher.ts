import { documentOf } from '../../contracts/ids.ts';
import type { NamedCommit } from '../../engine/feed/outbox.ts';
import { type Batched, batchRequests } from '../../runtime/batch-requests.ts';
import { endedWithin, type Schedule, scheduleTimer } from '../../runtime/schedule.ts';
import {
  findPartition,
  type KafkaCluster,
  type OutgoingMessage,
  partitionKey,
  type TopicPartition,
  type Topics,
} from './kafka-cluster.ts';
import { toMessages } from './kafka-messages.ts';

/** The maximum size of a send, in bytes and in messages. A commit that exceeds either limit is sent on its own. */
const MAX_SEND_BYTES = 900_000;
const MAX_SEND_MESSAGES = 1_000;
/** The estimated size of a message's key and headers, in bytes. */
const MESSAGE_OVERHEAD_BYTES = 700;

/**
 * Thrown if a commit may be missing from the feed. The commit stays open in the log, so it will be published again
 * (FEED2).
 */
export class NotPublished extends Error {
  override readonly name = 'NotPublished';
}

export interface Publisher {
  /**
   * Publishes a commit, and resolves once the broker has acknowledged it (FEED1). The commits to a stream stay in
   * order. A commit isn't sent if its stream has no document.
   * @throws NotPublished
   */
  publish(commit: NamedCommit): Promise<void>;
  /** Rejects new commits, drains the queue for up to `drainMs`, and then rejects the commits that are left. */
  close(): Promise<void>;
}

export interface PublisherOptions {
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'send'>;
  readonly topics: Topics;
  /** The maximum size of the queue, in bytes. A commit that doesn't fit is rejected. */
  readonly maxQueuedBytes?: number;
  readonly drainMs?: number;
  readonly schedule?: Schedule;
}

interface SizedCommit {
  readonly messages: readonly OutgoingMessage[];
  readonly bytes: number;
}

/**
 * Creates a publisher with at most one send in flight per partition. Commits that arrive during a send share the next
 * send (FEED1). close() doesn't close the cluster.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { cluster, topics, maxQueuedBytes = 32_000_000, drainMs = 3_000, schedule = scheduleTimer } = options;
  const partitions = new Map<string, Batched<SizedCommit, 'published'>>();
  const publishing = new Set<Promise<unknown>>();
  let queuedBytes = 0;
  let closed = false;

  function batchesTo(to: TopicPartition): Batched<SizedCommit, 'published'> {
    const key = partitionKey(to);
    const known = partitions.get(key);
    if (known) return known;
    const fresh = batchRequests({
      send: (commits: readonly SizedCommit[]) => sendAll(to, commits),
      maxBatchSize: commitsPerSend,
      maxInFlight: 1,
    });
    partitions.set(key, fresh);
    return fresh;
  }

  async function sendAll(to: TopicPartition, commits: readonly SizedCommit[]): Promise<'published'[]> {
    try {
      const written = await cluster.send(
        to,
        commits.flatMap(({ messages }) => messages),
      );
      if (!findPartition(written, to)) {
        throw new Error(`The broker's reply does not name partition ${to.partition} of ${to.topic}.`);
      }
      return commits.map(() => 'published');
    } catch (error) {
      throw new NotPublished('A send has failed.', { cause: error });
    }
  }

  async function publishNow(commit: NamedCommit, sized: SizedCommit): Promise<void> {
    const stream = commit.events[0]?.subject;
    const document = stream && documentOf(stream);
    if (!document) return;
    const topic = topics[document.kind];
    const partition = await cluster.partitionOf(topic, stream).catch((error: unknown) => {
      throw new NotPublished(`The partitions of ${topic} are not known.`, { cause: error });
    });
    await batchesTo({ topic, partition })(sized);
  }

  return {
    async publish(commit) {
      if (closed) throw new NotPublished('The publisher is closed.');
      const messages = toMessages(commit);
      const bytes = sizeOf(messages);
      if (queuedBytes + bytes > maxQueuedBytes) throw new NotPublished('The queue of the publisher is full.');
      queuedBytes += bytes;
      const published = publishNow(commit, { messages, bytes });
      publishing.add(published);
      try {
        await published;
      } finally {
        publishing.delete(published);
        queuedBytes -= bytes;
      }
    },
    async close() {
      closed = true;
      await endedWithin(schedule, drainMs, Promise.allSettled(publishing));
      for (const batches of partitions.values()) batches.rejectWaiting(new NotPublished('The publisher was closed.'));
    },
  };
}

function sizeOf(messages: readonly OutgoingMessage[]): number {
  return messages.reduce((sum, { value }) => sum + Buffer.byteLength(value) + MESSAGE_OVERHEAD_BYTES, 0);
}

/** Returns how many commits from the front of the queue fit in one send, or 1 if even the first commit is too large. */
function commitsPerSend(waiting: readonly SizedCommit[]): number {
  let [bytes, messages] = [0, 0];
  const tooMany = waiting.findIndex((next) => {
    bytes += next.bytes;
    messages += next.messages.length;
    return bytes > MAX_SEND_BYTES || messages > MAX_SEND_MESSAGES;
  });
  return tooMany === -1 ? waiting.length : Math.max(1, tooMany);
}
