import type { EventFeed, FeedHandler } from '../../engine/feed/event-feed.ts';
import { type Following, feedOfOneConsumer } from '../../engine/feed/one-consumer.ts';
import type { Outbox } from '../../engine/feed/outbox.ts';
import {
  type BackOff,
  exponentialBackOff,
  PATIENT,
  type Schedule,
  scheduleTimer,
  sleep,
} from '../../runtime/schedule.ts';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import {
  findPartition,
  type KafkaCluster,
  type MessageBatch,
  type PartitionPosition,
  partitionKey,
  type TopicPartition,
  type Topics,
} from './kafka-cluster.ts';
import { asInLog, closableCommits, type FeedPortion, namesOf, portionsOf } from './kafka-portions.ts';

export interface KafkaEventFeedOptions {
  readonly cluster: Pick<KafkaCluster, 'consume' | 'positions'>;
  /** the consumer group, whose committed offsets are the checkpoint */
  readonly group: string;
  readonly topics: Topics;
  readonly outbox: Pick<Outbox, 'close' | 'find' | 'read'>;
  /** called when the handler throws, a message is skipped, progress can't be recorded, or the consumer is replaced */
  readonly onError: (error: unknown) => void;
  readonly backOff?: BackOff;
  readonly partitionsAtOnce?: number;
  readonly schedule?: Schedule;
}

/** The interval at which caughtUp() polls the group's offsets, in ms. */
const POLL_MS = 50;

/**
 * Creates an event feed that reads from Kafka. A commit with failed events stays open, and the outbox relay republishes
 * it (FEED2). close() doesn't close the cluster.
 */
export function createKafkaEventFeed(options: KafkaEventFeedOptions): EventFeed {
  const { cluster, group, topics, outbox, onError } = options;
  const { partitionsAtOnce = 4, schedule = scheduleTimer } = options;
  const names = Object.values(topics);

  function follow(handler: FeedHandler): Following {
    const ended = new AbortController();
    const checkpoints = createCheckpoints({
      outbox,
      onError,
      schedule,
      ...(options.backOff && { backOff: options.backOff }),
    });
    const work = createPartitionWork(options, handler, checkpoints);
    const member = cluster.consume({
      group,
      topics: names,
      partitionsAtOnce,
      onBatch: work.handle,
      onAssigned: work.keepOnly,
      onError,
    });
    async function positions(): Promise<PartitionPosition[]> {
      await checkpoints.written();
      return cluster.positions(group, names);
    }

    return {
      joined: member.joined,
      async caughtUp() {
        const ends = await positions();
        for (let at = ends; !ended.signal.aborted; at = await positions()) {
          if (isPast(at, ends)) return;
          await sleep(schedule, POLL_MS, ended.signal);
        }
        throw new Error(`${group} has stopped.`);
      },
      lag: async () => (await positions()).reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0),
      waiting: work.waiting,
      async stop() {
        // No offsets can be committed after leaving the group. Therefore, record all progress now, and from now on,
        // record each finished part of a batch immediately.
        await checkpoints.writeAtOnce();
        await member.stop();
        checkpoints.end();
        ended.abort();
      },
    };
  }

  return feedOfOneConsumer(group, follow);
}

function isPast(positions: readonly PartitionPosition[], ends: readonly PartitionPosition[]): boolean {
  return ends.every((to) => (findPartition(positions, to)?.next ?? -1) >= to.end);
}

function createPartitionWork(options: KafkaEventFeedOptions, handler: FeedHandler, checkpoints: Checkpoints) {
  const { outbox, onError, backOff = exponentialBackOff(PATIENT) } = options;
  /** for each partition, how many times in a row its events couldn't be handled */
  const failures = new Map<string, number>();
  /** for each partition, maps the ids of failed events to the names of their commits */
  const notDone = new Map<string, Map<string, string>>();

  /**
   * Records which events failed. If the partition has been reassigned to another consumer in the meantime, that
   * consumer counts the failed events instead.
   */
  function note(batch: MessageBatch, { events }: FeedPortion, failed: ReadonlySet<string>): void {
    const partition = partitionKey(batch);
    const commits = notDone.get(partition) ?? new Map();
    for (const { event, commit } of events) {
      if (!failed.has(event.id)) commits.delete(event.id);
      else if (batch.isCurrent()) commits.set(event.id, commit);
    }
    if (commits.size > 0) notDone.set(partition, commits);
  }

  /**
   * Passes the events of a portion (part of a batch) to the handler. Returns the names of the commits whose events have
   * all been handled.
   */
  async function deliver(batch: MessageBatch, hinted: FeedPortion): Promise<string[]> {
    if (hinted.events.length === 0) return [];
    const portion = asInLog(hinted, await outbox.find(namesOf(hinted)), onError);
    if (portion.events.length === 0) return [];
    const failed = await handler(portion.events.map(({ event }) => event));
    note(batch, portion, failed);
    return closableCommits(portion.events, failed);
  }

  return {
    async handle(batch: MessageBatch): Promise<number | null> {
      const partition = partitionKey(batch);
      for (const portion of portionsOf(batch, onError)) {
        if (!batch.isCurrent()) return null;
        try {
          const commits = await deliver(batch, portion);
          batch.advance(portion.lastOffset);
          await checkpoints.done({ batch, offset: portion.lastOffset, commits });
        } catch (error) {
          onError(error);
          failures.set(partition, (failures.get(partition) ?? 0) + 1);
          return backOff(failures.get(partition) ?? 1);
        }
        failures.delete(partition);
      }
      return null;
    },
    /**
     * Called after a rebalance. Forgets the failures in all partitions except `partitions`, which are now assigned to
     * this consumer.
     */
    keepOnly(partitions: readonly TopicPartition[]): void {
      checkpoints.forgetOffsets();
      const kept = new Set(partitions.map(partitionKey));
      for (const remembered of [failures, notDone]) {
        for (const partition of remembered.keys()) if (!kept.has(partition)) remembered.delete(partition);
      }
    },
    /**
     * Counts the failed events whose commits are still open. The events of a closed commit won't be redelivered,
     * because an earlier delivery succeeded or another consumer handled them.
     */
    async waiting(): Promise<number> {
      const failed = new Set([...notDone.values()].flatMap((commits) => [...commits.values()]));
      if (failed.size === 0) return 0;
      const open = new Set((await outbox.read([...failed])).map(({ name }) => name));
      let waiting = 0;
      for (const commits of notDone.values()) {
        for (const [id, commit] of commits) {
          if (open.has(commit)) waiting += 1;
          else if (failed.has(commit)) commits.delete(id);
        }
      }
      return waiting;
    },
  };
}
