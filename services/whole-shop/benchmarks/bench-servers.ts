import { cpus } from 'node:os';
import type { StartedTestContainer } from 'testcontainers';
import { openMongo } from '../../servers/mongo/mongo.ts';
import { openRedis } from '../../servers/redis/redis.ts';
import { startKafkaCluster } from '../../servers/test-servers/kafka-container.fixture.ts';
import {
  assertDocker,
  startMongo,
  startRedis,
  type TestServers,
} from '../../servers/test-servers/start-servers.fixture.ts';

/** The servers for one run of the benchmark. */
export interface BenchServers extends TestServers {
  /** one line to print for each server, with the version that the server reports */
  readonly described: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts one Kafka broker, one MongoDB server and one Redis server in containers.
 * @throws Error if Docker doesn't respond
 */
export async function startBenchServers(): Promise<BenchServers> {
  await assertDocker();
  const [[kafka], mongo, redis] = await Promise.all([startKafkaCluster(1), startMongo(), startRedis()]);
  if (!kafka) throw new Error('No Kafka broker was started.');
  const containers = [kafka.container, mongo.container, redis.container];
  const stop = async () => {
    await Promise.all(containers.map((container) => container.stop()));
  };
  try {
    const described = await Promise.all([
      describeMongo(mongo.url, mongo.container),
      describeKafka(kafka.container),
      describeRedis(redis.url),
    ]);
    return { mongoUrl: mongo.url, kafkaBrokers: [kafka.host], redisUrl: redis.url, described, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The server may be a stand-in that speaks MongoDB's protocol, so this function checks the process name that the server
 * reports.
 */
async function describeMongo(url: string, container: StartedTestContainer): Promise<string> {
  const mongo = await openMongo(url);
  try {
    const { process, version } = await mongo.shop.admin().serverStatus();
    if (process === 'mongod') return `MongoDB: mongod ${version}, one member.`;
    const { standin = 'nothing of itself' } = container.getLabels();
    return (
      `MongoDB: **no mongod but a stand-in**, a process \`${process}\` that calls itself version ${version}; its image ` +
      `says: ${standin.split(':')[0]}. Figures of the shop on servers say little about one on a real MongoDB.`
    );
  } finally {
    await mongo.close();
  }
}

async function describeKafka(container: StartedTestContainer): Promise<string> {
  const { output } = await container.exec(['/opt/kafka/bin/kafka-topics.sh', '--version']);
  return `Kafka: ${/\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'of an unknown version'}, one broker.`;
}

async function describeRedis(url: string): Promise<string> {
  const redis = openRedis(url, { onError: () => {} });
  try {
    await new Promise((resolve) => redis.once('ready', resolve));
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
    return `Redis: ${version ?? 'of an unknown version'}.`;
  } finally {
    redis.disconnect();
  }
}

export function describeMachine(): string {
  const cpu = cpus();
  return `${cpu.length} x ${cpu[0]?.model ?? 'unknown'}, Node ${process.version}`;
}
