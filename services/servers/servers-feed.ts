import { hostname } from 'node:os';
import type { Db } from 'mongodb';
import { commitName } from '../contracts/ids.ts';
import type { EventFeed } from '../engine/feed/event-feed.ts';
import type { Outbox } from '../engine/feed/outbox.ts';
import type { Commit } from '../engine/log/event-log.ts';
import type { Servers } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { createKafkaEventFeed } from './kafka/kafka-event-feed.ts';
import { NotInLog } from './kafka/kafka-portions.ts';
import { loadKafkaSecurity } from './kafka/kafka-security.ts';
import { createKafkaCluster } from './kafka/kafkajs-cluster.ts';
import { type OutboxRelay, startOutboxRelay } from './kafka/outbox-relay.ts';
import { createPublisher } from './kafka/publisher.ts';
import { topicSettings, topicsOf } from './kafka/topics.ts';
import { createMongoOutbox } from './mongo/mongo-outbox.ts';

export interface ServersFeed {
  /** Publishes a commit in the background. If that fails, the commit stays open and an outbox relay republishes it (FEED2). */
  publishSoon(commit: Commit): void;
  /** Creates missing topics, and logs how the settings of existing topics differ from the configured ones. */
  createTopics(): Promise<void>;
  openConsumer(db: Db): EventFeed;
  startOutboxRelay(db: Db): OutboxRelay;
  close(): Promise<void>;
}

export function openServersFeed({ servers, logger }: { servers: Servers; logger: Logger }): ServersFeed {
  const { namePrefix } = servers;
  const topics = topicsOf(namePrefix);
  const group = `${namePrefix}.projector`;
  const cluster = createKafkaCluster({
    brokers: servers.kafkaBrokers,
    clientId: `micro-center-${hostname()}`,
    security: loadKafkaSecurity(servers.kafkaSecurity),
    // kafkajs logs failures as errors even if it recovers from them, for example from a rebalance. Its messages are
    // therefore logged at debug level. Failures that it can't recover from are thrown.
    onLog: (message, details) => logger.debug(details, message),
  });
  const publisher = createPublisher({ cluster, topics });
  return {
    publishSoon(commit) {
      const name = commitName(commit.stream, commit.expectedVersion + 1);
      publisher.publish({ name, events: commit.events }).catch((error: unknown) => {
        logger.warn({ err: error, commit: name }, 'could not publish a commit; will retry');
      });
    },
    async createTopics() {
      const scale = { partitions: servers.kafkaPartitions, replication: servers.kafkaReplication };
      for (const otherwise of await cluster.createTopics(topicSettings(namePrefix, scale))) {
        logger.warn({ otherwise }, 'using an existing topic whose settings differ from the configuration');
      }
    },
    openConsumer: (db) =>
      createKafkaEventFeed({
        cluster,
        group,
        topics,
        outbox: openOutbox(db, logger),
        onError(error) {
          // After the log has been restored to an earlier time, NotInLog is reported for each event that the log has
          // lost.
          if (error instanceof NotInLog) logger.warn(error.message);
          else logger.error({ err: error }, 'the event feed reported an error');
        },
      }),
    startOutboxRelay: (db) =>
      startOutboxRelay({
        outbox: openOutbox(db, logger),
        publisher,
        cluster,
        topics,
        group,
        now: () => performance.now(),
        onError: (error) => logger.warn({ err: error }, 'could not republish open commits; will retry'),
      }),
    async close() {
      await publisher.close();
      await cluster.close();
    },
  };
}

export function openOutbox(db: Db, logger: Logger): Outbox {
  return createMongoOutbox({
    db,
    onUnreadable: (commit, error) => logger.error({ err: error, commit }, 'skipped a malformed commit'),
  });
}
