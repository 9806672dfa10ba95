import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { demoStripeKeys } from '../main/demo-keys.ts';
import type { Role } from '../main/roles.ts';
import { createStripeClient } from '../payments/stripe-client.ts';
import { systemClock } from '../runtime/clock.ts';
import { createStripeSimulator } from '../stripe-simulator/simulator.ts';
import type { TestServers } from '../test-servers/start-servers.fixture.ts';
import { startBalancer } from './balancer.fixture.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { type ReadyProcess, runToItsEnd, startReadyProcess } from './ready-process.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const ROLE_PROCESS = new URL('./role-process.fixture.ts', import.meta.url);
const PREPARE = new URL('../main/prepare.ts', import.meta.url);

/** How many processes of each role. */
export type Copies = Readonly<Record<Role, number>>;

export type ShopOnServers = Awaited<ReturnType<typeof startShopOnServers>>;

/**
 * A shop on real servers: each role in processes of its own, a balancer before them, the payment simulator in this process.
 * Its database and topics are its own; `variables` are added to every process's environment.
 */
export async function startShopOnServers(servers: TestServers, copies: Copies, variables: Record<string, string> = {}) {
  const data = freshDataDir();
  const accessTokenSecret = randomBytes(32).toString('hex');
  const keys = demoStripeKeys(accessTokenSecret);
  const running: Record<Role, ReadyProcess[]> = { api: [], projector: [], live: [] };
  const urls = (role: Role) => running[role].map(({ url }) => url);
  const balancer = await startBalancer({ api: () => urls('api'), live: () => urls('live') });
  const simulator = createStripeSimulator({
    dataFile: join(data.path, 'stripe.sqlite'),
    ...keys,
    webhookUrl: `${balancer.url}/webhooks/stripe`,
    clock: systemClock,
    newId: (prefix) => `${prefix}${randomUUID().replaceAll('-', '')}`,
  });
  const { port } = await simulator.start();
  const simulatorUrl = `http://127.0.0.1:${port}`;
  const environment = {
    PORT: '0',
    LOG_LEVEL: 'error',
    DEMO: '1',
    DEMO_DATA: '0',
    ADMIN_EMAILS: LIGHT_ADMIN,
    ACCESS_TOKEN_SECRET: accessTokenSecret,
    MONGODB_URI: `${servers.mongoUrl}/shop_${randomBytes(6).toString('hex')}`,
    KAFKA_BROKERS: servers.kafkaBrokers.join(','),
    NAME_PREFIX: `shop-${randomBytes(6).toString('hex')}`,
    REDIS_URL: servers.redisUrl,
    STRIPE_SIMULATOR_URL: simulatorUrl,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
    ...variables,
  };

  async function start(role: Role, change: Record<string, string> = {}): Promise<ReadyProcess> {
    const started = await startReadyProcess(ROLE_PROCESS, [role], { ...environment, ...change });
    running[role].push(started);
    return started;
  }

  async function kill(role: Role, one: ReadyProcess): Promise<void> {
    running[role] = running[role].filter((other) => other !== one);
    await one.kill();
  }

  await runToItsEnd(PREPARE, [], environment);
  for (const [role, count] of Object.entries(copies) as [Role, number][]) {
    for (let n = 0; n < count; n += 1) await start(role);
  }
  return {
    url: balancer.url,
    environment,
    running,
    stripe: createStripeClient({ secretKey: keys.secretKey, simulatorUrl }),
    start,
    kill,
    async stop() {
      await Promise.all(Object.values(running).flatMap((all) => all.map((one) => one.kill())));
      await balancer.close();
      await simulator.stop();
      data.remove();
    },
  };
}
