import { writeSync } from 'node:fs';
import { z } from 'zod';
import { openMongo } from '../mongo/mongo.ts';
import { createMongoOutbox } from '../mongo/mongo-outbox.ts';
import { createKafkaEventFeed } from './kafka-event-feed.ts';
import { createKafkaCluster } from './kafkajs-cluster.ts';
import { topicsOf } from './topics.ts';

const settingsSchema = z.object({
  mongoUri: z.string(),
  brokers: z.array(z.string()),
  group: z.string(),
  sessionTimeout: z.number(),
});
export type ConsumeForeverSettings = z.infer<typeof settingsSchema>;

/**
 * Consumes a feed until the process is killed. The first command-line argument contains the settings as JSON. The
 * consumer group's name is also the topics' prefix. Prints `joined` once the process has joined the group, and prints
 * the id of each event that it handles.
 */
const { mongoUri, brokers, group, sessionTimeout } = settingsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const mongo = await openMongo(mongoUri);
const feed = createKafkaEventFeed({
  cluster: createKafkaCluster({ brokers, clientId: 'consume-forever', sessionTimeout, onLog: () => {} }),
  group,
  topics: topicsOf(group),
  outbox: createMongoOutbox({ db: mongo.shop, onUnreadable: () => {} }),
  onError: (error) => writeSync(2, `${String(error)}\n`),
});
await feed.consume(async (events) => {
  for (const { id } of events) writeSync(1, `${id}\n`);
  return new Set();
});
writeSync(1, 'joined\n');
