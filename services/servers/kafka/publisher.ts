import { documentOf } from '../../contracts/ids.ts';
import type { NamedCommit } from '../../engine/feed/open-commits.ts';
import { endedWithin, type Schedule, scheduleTimer } from '../../runtime/schedule.ts';
import {
  type KafkaCluster,
  type OutgoingMessage,
  partitionKey,
  type TopicPartition,
  type Topics,
} from './kafka-cluster.ts';
import { toMessages } from './kafka-messages.ts';

/** The most of one send. A commit goes out in one piece, however large. */
const MAX_SEND_BYTES = 900_000;
const MAX_SEND_MESSAGES = 1_000;
/** What one message takes beside its value, about: its key and headers. */
const MESSAGE_OVERHEAD_BYTES = 700;

/** A commit did not get into the feed, or nobody knows: it stays open in the log and is published again (FEED2). */
export class NotPublished extends Error {
  override readonly name = 'NotPublished';
}

/** Brings commits into the feed. */
export interface Publisher {
  /**
   * Resolves once the broker's reply names the commit's partition (FEED1). Commits of one stream go out in the order in
   * which they were given. @throws NotPublished
   */
  publish(commit: NamedCommit): Promise<void>;
  /** Bytes of commits that are not out yet, about. */
  queuedBytes(): number;
  /** Takes no more commits and lets the queue go out, for some seconds at most; what is left is refused. */
  close(): Promise<void>;
}

export interface PublisherOptions {
  readonly cluster: Pick<KafkaCluster, 'partitionOf' | 'send'>;
  readonly topics: Topics;
  /** what does not fit is refused */
  readonly maxQueuedBytes?: number;
  /** how long close() waits for the queue, in milliseconds */
  readonly drainMs?: number;
  readonly schedule?: Schedule;
}

interface Waiting {
  readonly messages: readonly OutgoingMessage[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: NotPublished) => void;
}

/** One send at a time per partition; what comes in meanwhile shares the next one (FEED1). close() leaves the cluster open. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { cluster, topics, maxQueuedBytes = 32_000_000, drainMs = 3_000, schedule = scheduleTimer } = options;
  const queues = new Map<string, Waiting[]>();
  const publishing = new Set<Promise<void>>();
  let queuedBytes = 0;
  let closed = false;

  /** Sends what a partition's queue holds until it is empty. The queue stands in the map while this runs. */
  async function drain(to: TopicPartition, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      try {
        const written = await cluster.send(
          to,
          batch.flatMap(({ messages }) => messages),
        );
        if (!written.some(({ topic, partition }) => topic === to.topic && partition === to.partition)) {
          throw new Error(`The broker's reply does not name partition ${to.partition} of ${to.topic}.`);
        }
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // The next in the queue go on: a projector fills the gap from the log, and nobody waits for ever.
        for (const { reject } of batch) reject(new NotPublished('A send has failed.', { cause: error }));
      }
    }
    queues.delete(partitionKey(to));
  }

  function enqueue(to: TopicPartition, messages: readonly OutgoingMessage[], bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { messages, bytes, resolve, reject };
      const queue = queues.get(partitionKey(to));
      if (queue) {
        queue.push(waiting);
        return;
      }
      const fresh = [waiting];
      queues.set(partitionKey(to), fresh);
      void drain(to, fresh);
    });
  }

  async function publishNow(commit: NamedCommit, messages: readonly OutgoingMessage[], bytes: number): Promise<void> {
    const stream = commit.events[0]?.subject;
    const document = stream && documentOf(stream);
    if (!document) return;
    const topic = topics[document.kind];
    const partition = await cluster.partitionOf(topic, stream).catch((error: unknown) => {
      throw new NotPublished(`The partitions of ${topic} are not known.`, { cause: error });
    });
    await enqueue({ topic, partition }, messages, bytes);
  }

  return {
    async publish(commit) {
      if (closed) throw new NotPublished('The publisher is closed.');
      const messages = toMessages(commit);
      const bytes = sizeOf(messages);
      if (queuedBytes + bytes > maxQueuedBytes) throw new NotPublished('The queue of the publisher is full.');
      queuedBytes += bytes;
      const published = publishNow(commit, messages, bytes);
      publishing.add(published);
      try {
        await published;
      } finally {
        publishing.delete(published);
        queuedBytes -= bytes;
      }
    },
    queuedBytes: () => queuedBytes,
    async close() {
      closed = true;
      await endedWithin(schedule, drainMs, Promise.allSettled(publishing));
      for (const queue of queues.values()) {
        for (const { reject } of queue.splice(0)) reject(new NotPublished('The publisher was closed.'));
      }
    },
  };
}

function sizeOf(messages: readonly OutgoingMessage[]): number {
  return messages.reduce((sum, { value }) => sum + Buffer.byteLength(value) + MESSAGE_OVERHEAD_BYTES, 0);
}

/** Takes whole commits off the front of a queue, one at least. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let [bytes, messages, count] = [0, 0, 0];
  for (const next of queue) {
    bytes += next.bytes;
    messages += next.messages.length;
    if (count > 0 && (bytes > MAX_SEND_BYTES || messages > MAX_SEND_MESSAGES)) break;
    count += 1;
  }
  return queue.splice(0, count);
}
