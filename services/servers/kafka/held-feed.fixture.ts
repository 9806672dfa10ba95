import type { StoredEvent } from '../../contracts/events.ts';
import { commitName } from '../../contracts/ids.ts';
import type { FeedHandler } from '../../engine/feed/event-feed.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import { holdTime } from '../../runtime/held-time.fixture.ts';
import { exponentialBackOff, PATIENT } from '../../runtime/schedule.ts';
import type { ConsumeOptions, IncomingMessage, PartitionPosition, TopicPartition } from './kafka-cluster.ts';
import { createKafkaEventFeed } from './kafka-event-feed.ts';
import { toMessages } from './kafka-messages.ts';
import { topicsOf } from './topics.ts';
import { asRead } from './written-messages.fixture.ts';

export const topics = topicsOf('shop');
export const NONE: ReadonlySet<string> = new Set();

export type HeldFeed = ReturnType<typeof openHeldFeed>;

/** A feed whose clock, consumer group and log are controlled by the test. */
export function openHeldFeed() {
  const time = holdTime();
  const stream = freshStream();
  /** how the simulated consumer group and log behave */
  const kafka = {
    joined: Promise.resolve(),
    /** pending work that must finish before the consumer leaves the group */
    inHand: Promise.resolve() as Promise<unknown>,
    positions: async (): Promise<PartitionPosition[]> => [],
    current: true,
    away: false,
  };
  /** the calls so far, in order: `advance <offset>`, `close <names>`, `commit <offset>` */
  const done: string[] = [];
  const errors: string[] = [];
  /** the log: maps each commit's name to its events */
  const held = new Map<string, readonly StoredEvent[]>();
  const closed = new Set<string>();
  /** the commit names passed to each call of `outbox.read` */
  const asked: (readonly string[])[] = [];
  let group: ConsumeOptions | null = null;

  const feed = createKafkaEventFeed({
    backOff: exponentialBackOff(PATIENT, 0),
    cluster: {
      consume(options) {
        group = options;
        return {
          joined: kafka.joined,
          async stop() {
            await kafka.inHand;
            done.push('stop');
          },
        };
      },
      positions: () => kafka.positions(),
    },
    group: 'projector',
    topics,
    outbox: {
      find: async (names) => names.flatMap((name) => ({ name, events: held.get(name) ?? [] })),
      async close(names) {
        if (kafka.away) throw new Error('the store is away');
        done.push(`close ${names.map((name) => Number(name.slice(-12)))}`);
        for (const name of names) closed.add(name);
      },
      async read(names) {
        asked.push(names);
        return names.flatMap((name) => (closed.has(name) ? [] : { name, events: held.get(name) ?? [] }));
      },
    },
    onError: (error) => errors.push((error as Error).message),
    schedule: time.schedule,
  });

  function joinedGroup(): ConsumeOptions {
    if (!group) throw new Error('This feed has no consumer.');
    return group;
  }

  /**
   * For each of `sizes`, adds a commit with that number of events to the log. Returns the messages of all these
   * commits. Versions start at 1, and offsets at 0.
   */
  function messagesOf(...sizes: number[]): IncomingMessage[] {
    let version = 1;
    return asRead(
      sizes.flatMap((size) => {
        const events = Array.from({ length: size }, (_, index) => sampleEvent(stream, version + index));
        version += size;
        const name = commitName(stream, version - size);
        held.set(name, events);
        return toMessages({ name, events });
      }),
    );
  }

  /** Delivers a batch to the feed. Returns how long to pause the partition, in ms, or null for no pause. */
  function deliver(messages: readonly IncomingMessage[], partition = 0): Promise<number | null> {
    return joinedGroup().onBatch({
      topic: topics.order,
      partition,
      messages,
      isCurrent: () => kafka.current,
      advance: (offset) => void done.push(`advance ${offset}`),
      commit: async (offset) => void done.push(`commit ${offset}`),
    });
  }

  /** Advances the clock by 200 ms, after which the feed has recorded all finished portions of batches. */
  const gathered = () => time.pass(200);

  const assign = (partitions: readonly TopicPartition[]) => joinedGroup().onAssigned(partitions);

  return { feed, time, stream, kafka, done, errors, held, closed, asked, messagesOf, deliver, gathered, assign };
}

/** Returns a handler that reports the events with these versions as failed. */
export const failing =
  (...versions: number[]): FeedHandler =>
  async (events) =>
    new Set(events.filter(({ streamversion }) => versions.includes(streamversion)).map(({ id }) => id));
