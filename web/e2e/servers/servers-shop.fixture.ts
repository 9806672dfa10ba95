import { type Cleanup, createCleanup } from '../../../services/process/cleanup.ts';
import { startKafkaCluster } from '../../../services/servers/test-servers/kafka-container.fixture.ts';
import { startOwnRedis } from '../../../services/servers/test-servers/own-redis.fixture.ts';
import { startMongo, type TestServers } from '../../../services/servers/test-servers/start-servers.fixture.ts';
import { startTcpProxy } from '../../../services/servers/test-servers/tcp-proxy.fixture.ts';
import { startBalancer } from '../../../services/whole-shop/balancer.fixture.ts';
import { startReadyProcess } from '../../../services/whole-shop/ready-process.fixture.ts';
import { type ShopOnServers, startShopOnServers } from '../../../services/whole-shop/shop-on-servers.fixture.ts';
import { freshDataDir } from '../../../services/whole-shop/shop-process.fixture.ts';
import { test as base, expect } from './person-at.fixture.ts';

/**
 * A shop's Redis, which a test can make unavailable. Its container keeps running, because starting or stopping a
 * container changes the machine's network. On such a change, Chromium drops all of its connections, including the live
 * one (ERR_NETWORK_CHANGED).
 */
export interface ShopRedis {
  /** Breaks every connection to Redis, and refuses new ones until restore(). */
  refuse(): Promise<void>;
  restore(): Promise<void>;
  /** Freezes Redis. Connections stay open and new ones are accepted, but Redis doesn't respond until resume(). */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A demo shop with its own servers and more than one address. */
export interface ServersShop extends ShopOnServers {
  readonly redis: ShopRedis;
  /** two addresses: one leads only to the first copies of `api` and `live`, the other only to the second copies */
  readonly pinned: readonly [string, string];
}

/** Gives each worker one shop with its own servers. Every role runs in two copies, started as with `npm run start:<role>`. */
export const test = base.extend<object, { shop: ServersShop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const cleanup = createCleanup();
      try {
        await use(await startServersShop(cleanup));
      } finally {
        await cleanup.run();
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

async function startServersShop(cleanup: Cleanup): Promise<ServersShop> {
  const { servers, redis } = await startOwnServers(cleanup);
  const variables = {
    DEMO_DATA: '1',
    RATE_LIMIT: 'on',
    FIREBASE_AUTH_EMULATOR_HOST: await startIdentity(cleanup),
  };
  const shop = await startShopOnServers(servers, { api: 2, projector: 2, live: 2 }, variables);
  cleanup.add(shop.stop);
  const pin = async (copy: 0 | 1) => {
    const only = (role: 'api' | 'live') => shop.running[role].slice(copy, copy + 1).map(({ url }) => url);
    const balancer = await startBalancer({ api: () => only('api'), live: () => only('live') });
    cleanup.add(balancer.close);
    return balancer.url;
  };
  return { ...shop, redis, pinned: [await pin(0), await pin(1)] };
}

async function startOwnServers(cleanup: Cleanup): Promise<{ servers: TestServers; redis: ShopRedis }> {
  const [kafka] = await startKafkaCluster(1);
  if (!kafka) throw new Error('No Kafka broker was started.');
  cleanup.add(() => kafka.container.stop().then(() => undefined));
  const mongo = await startMongo();
  cleanup.add(() => mongo.container.stop().then(() => undefined));
  const redis = await startOwnRedis();
  cleanup.add(redis.remove);
  const proxy = await startTcpProxy(Number(new URL(redis.url).port));
  cleanup.add(proxy.close);
  const redisUrl = `redis://127.0.0.1:${proxy.port}`;
  return {
    servers: { mongoUrl: mongo.url, kafkaBrokers: [kafka.host], redisUrl },
    redis: { refuse: proxy.refuse, restore: proxy.restore, pause: redis.pause, resume: redis.resume },
  };
}

/** Starts the identity emulator with the demo accounts. Returns its address as host:port. */
async function startIdentity(cleanup: Cleanup): Promise<string> {
  const data = freshDataDir();
  cleanup.add(data.remove);
  const identity = await startReadyProcess('demo-identity', [], { PORT: '0', DATA_DIR: data.path });
  cleanup.add(identity.kill);
  return new URL(identity.url).host;
}

/** Returns the number of browsers connected to each copy of `live`. */
export async function liveSockets({ running }: ServersShop): Promise<number[]> {
  return Promise.all(running.live.map(async ({ url }) => socketsIn(await (await fetch(`${url}/metrics`)).text())));
}

/** Returns the number of browsers connected to a copy of `live`, given the text of its /metrics. */
export function socketsIn(metrics: string): number {
  return Number(/^shop_live_sockets (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}

export { expect };
