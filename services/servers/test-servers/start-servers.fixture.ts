import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import type { TestProject } from 'vitest/node';
import { startKafkaCluster } from './kafka-container.fixture.ts';

const MONGO_IMAGE = 'mongo:8.0';
const REDIS_IMAGE = 'redis:7-bookworm';

/** The addresses of the servers that a whole test run shares. */
export interface TestServers {
  /** the connection string, without a database name */
  readonly mongoUrl: string;
  /** `host:port` of each broker */
  readonly kafkaBrokers: readonly string[];
  readonly redisUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    servers: TestServers;
  }
}

/** @throws Error with a one-line message if Docker cannot be reached */
export async function assertDocker(): Promise<void> {
  try {
    await getContainerRuntimeClient();
  } catch {
    throw new Error(
      'The tests on real servers need Docker, but it cannot be reached: install Docker Engine 20.10 or newer ' +
        '(https://docs.docker.com/engine/install/) and start it, or point DOCKER_HOST at a running one.',
    );
  }
}

export async function startMongo(): Promise<{ url: string; container: StartedTestContainer }> {
  const container = await new GenericContainer(MONGO_IMAGE)
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return { url: `mongodb://127.0.0.1:${container.getMappedPort(27017)}`, container };
}

/**
 * `port` is the server's port on 127.0.0.1. If `port` is omitted, the server gets a random port, which changes when the
 * container restarts.
 */
export async function startRedis(
  port?: number,
  options: readonly string[] = [],
): Promise<{ url: string; container: StartedTestContainer }> {
  const image = new GenericContainer(REDIS_IMAGE);
  if (options.length > 0) image.withCommand(['redis-server', '--protected-mode', 'no', ...options]);
  const container = await image
    .withExposedPorts(port === undefined ? 6379 : { container: 6379, host: port })
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
  return { url: `redis://127.0.0.1:${container.getMappedPort(6379)}`, container };
}

/**
 * Vitest's globalSetup: starts one set of servers for the whole test run. Tests don't interfere with each other,
 * because each generates its own names for databases, topics and channels.
 */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  await assertDocker();
  const [[kafka], mongo, redis] = await Promise.all([startKafkaCluster(1), startMongo(), startRedis()]);
  if (!kafka) throw new Error('No Kafka broker was started.');
  project.provide('servers', { mongoUrl: mongo.url, kafkaBrokers: [kafka.host], redisUrl: redis.url });
  return async () => {
    await Promise.all([kafka.container, mongo.container, redis.container].map((container) => container.stop()));
  };
}
