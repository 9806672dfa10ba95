import { hostname } from 'node:os';
import type { Db } from 'mongodb';
import { commitName } from '../contracts/ids.ts';
import type { EventFeed } from '../engine/feed/event-feed.ts';
import type { Commit } from '../engine/log/event-log.ts';
import type { ServersConfig } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { createKafkaEventFeed } from './kafka/kafka-event-feed.ts';
import { NotInLog } from './kafka/kafka-portions.ts';
import { loadKafkaSecurity } from './kafka/kafka-security.ts';
import { createKafkaCluster } from './kafka/kafkajs-cluster.ts';
import { createPublisher } from './kafka/publisher.ts';
import { type Republisher, startRepublisher } from './kafka/republisher.ts';
import { topicSettings, topicsOf } from './kafka/topics.ts';
import { createMongoOpenCommits } from './mongo/mongo-open-commits.ts';

export interface ServersFeed {
  /** Publishes a commit that is in the log. What cannot be published now is found open by a projector (FEED2). */
  publishSoon(commit: Commit): void;
  /** Creates the topics that are missing; says of the others what is not as they would be made. */
  createTopics(): Promise<void>;
  openConsumer(db: Db): EventFeed;
  startRepublisher(db: Db): Republisher;
  /** Drains the publisher's queue, then leaves Kafka. */
  close(): Promise<void>;
}

export function openServersFeed({ servers, logger }: { servers: ServersConfig; logger: Logger }): ServersFeed {
  const { namePrefix } = servers;
  const topics = topicsOf(namePrefix);
  const group = `${namePrefix}.projector`;
  const cluster = createKafkaCluster({
    brokers: servers.kafkaBrokers,
    clientId: `micro-center-${hostname()}`,
    security: loadKafkaSecurity(servers.kafkaSecurity),
    // The library calls errors what it mends by itself, such as every rebalance; what it cannot mend it throws.
    onLog: ({ level, message, ...detail }) => logger.debug({ ...detail, kafkajs: level }, message),
  });
  const publisher = createPublisher({ cluster, topics });
  const openCommits = (db: Db) =>
    createMongoOpenCommits({
      db,
      onUnreadable: (commit, error) => logger.error({ err: error, commit }, 'an open commit is not readable'),
    });
  return {
    publishSoon(commit) {
      const name = commitName(commit.stream, commit.expectedVersion + 1);
      publisher.publish({ name, events: commit.events }).catch((error: unknown) => {
        logger.warn({ err: error, commit: name }, 'a commit was not published; it will be again');
      });
    },
    async createTopics() {
      const scale = { partitions: servers.kafkaPartitions, replication: servers.kafkaReplication };
      for (const otherwise of await cluster.createTopics(topicSettings(namePrefix, scale))) {
        logger.warn({ otherwise }, 'a topic is used as it is');
      }
    },
    openConsumer: (db) =>
      createKafkaEventFeed({
        cluster,
        group,
        topics,
        openCommits: openCommits(db),
        onError(error) {
          // As after a restore to an earlier moment, once for each event.
          if (error instanceof NotInLog) logger.warn(error.message);
          else logger.error({ err: error }, 'a batch of events failed');
        },
      }),
    startRepublisher: (db) =>
      startRepublisher({
        openCommits: openCommits(db),
        publisher,
        cluster,
        topics,
        group,
        now: () => performance.now(),
        onError: (error) => logger.warn({ err: error }, 'open commits could not be published again'),
      }),
    async close() {
      await publisher.close();
      await cluster.close();
    },
  };
}
