import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { StoredEvent } from '../../contracts/events.ts';
import { commitName } from '../../contracts/ids.ts';
import type { EventFeed } from '../../engine/feed/event-feed.ts';
import type { NamedCommit, Outbox } from '../../engine/feed/outbox.ts';
import { freshId } from '../../engine/log/sample-events.fixture.ts';
import { openMongo } from '../mongo/mongo.ts';
import { createMongoEventLog } from '../mongo/mongo-event-log.ts';
import { createMongoOutbox } from '../mongo/mongo-outbox.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import type { KafkaCluster, Topics } from './kafka-cluster.ts';
import { createKafkaEventFeed, type KafkaEventFeedOptions } from './kafka-event-feed.ts';
import { createKafkaCluster, type KafkaClusterOptions } from './kafkajs-cluster.ts';
import { type OutboxRelay, type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.ts';
import type { Publisher } from './publisher.ts';
import { topicSettings, topicsOf } from './topics.ts';

/** An event log and its Kafka feed for a single test, with a database, topics and a consumer group of their own. */
export interface LogAndFeed {
  readonly mongoUri: string;
  readonly brokers: readonly string[];
  readonly topics: Topics;
  readonly group: string;
  readonly cluster: KafkaCluster;
  readonly outbox: Outbox;
  /** the errors reported so far */
  readonly errors: unknown[];
  /** Appends one commit to the log without publishing it. */
  append(events: readonly StoredEvent[]): Promise<NamedCommit>;
  /** Opens another client of the same brokers, as another process would. */
  connect(options?: Partial<KafkaClusterOptions>): KafkaCluster;
  openFeed(options?: Partial<KafkaEventFeedOptions>): EventFeed;
  republish(publisher: Publisher, options?: Partial<OutboxRelayOptions>): OutboxRelay;
  /** Closes everything that was opened, and drops the database. */
  dispose(): Promise<void>;
}

export interface LogAndFeedOptions {
  readonly brokers?: readonly string[];
  readonly partitions?: number;
}

export async function openLogAndFeed(options: LogAndFeedOptions = {}): Promise<LogAndFeed> {
  const servers = inject('servers');
  const { brokers = servers.kafkaBrokers, partitions = 3 } = options;
  const name = `feed-${randomBytes(8).toString('hex')}`;
  const topics = topicsOf(name);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const cleanup: (() => Promise<void>)[] = [];

  const mongoUri = freshMongoUri(servers.mongoUrl);
  const mongo = await openMongo(mongoUri);
  cleanup.push(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });
  const log = await createMongoEventLog({ db: mongo.shop });
  const outbox = createMongoOutbox({ db: mongo.shop, onUnreadable: (_, error) => onError(error) });

  function connect(changes: Partial<KafkaClusterOptions> = {}): KafkaCluster {
    const cluster = createKafkaCluster({ brokers, clientId: name, onLog: () => {}, ...changes });
    cleanup.push(() => cluster.close());
    return cluster;
  }
  const cluster = connect();
  await cluster.createTopics(topicSettings(name, { partitions, replication: 1 }));
  const parts = { cluster, group: name, topics, outbox, onError };

  return {
    mongoUri,
    brokers,
    topics,
    group: name,
    cluster,
    outbox,
    errors,
    connect,
    async append(events) {
      const [first] = events;
      if (!first) throw new Error('A commit holds at least one event.');
      const { subject: stream, streamversion } = first;
      const appended = await log.append({ id: freshId(), stream, expectedVersion: streamversion - 1, events });
      if (appended.kind !== 'appended') throw new Error(`${stream} is already at version ${appended.actualVersion}.`);
      return { name: commitName(stream, streamversion), events };
    },
    openFeed(changes = {}) {
      // The back-off is at most 200 ms, so that tests don't wait long.
      const backOff = (failures: number) => Math.min(200, 10 * failures);
      const feed = createKafkaEventFeed({ ...parts, backOff, ...changes });
      cleanup.push(() => feed.close());
      return feed;
    },
    republish(publisher, changes = {}) {
      const outboxRelay = startOutboxRelay({ ...parts, publisher, now: () => performance.now(), ...changes });
      cleanup.push(() => outboxRelay.stop());
      return outboxRelay;
    },
    async dispose() {
      for (const end of cleanup.reverse()) await end();
    },
  };
}
