import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StoredEvent } from '../contracts/events.ts';
import { startProvider } from '../demo/start-provider.ts';
import { readWhole } from '../engine/log/event-log.contract.ts';
import { type Cleanup, createCleanup } from '../process/cleanup.ts';
import { demoStripeKeys } from '../process/demo-stripe-keys.ts';
import { openMongo } from '../servers/mongo/mongo.ts';
import { createMongoEventLog } from '../servers/mongo/mongo-event-log.ts';
import type { Role } from '../servers/roles.ts';
import type { TestServers } from '../servers/test-servers/start-servers.fixture.ts';
import { WEBHOOK_EVENTS } from '../shop/payment/payments.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { startBalancer } from './balancer.fixture.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { type ReadyProcess, runToItsEnd, startReadyProcess } from './ready-process.fixture.ts';
import { freshDataDir, UNLIMITED } from './shop-process.fixture.ts';
import { builtPrograms } from './test-programs.fixture.ts';

/** The number of processes of each role. */
export type Copies = Readonly<Record<Role, number>>;

export type ShopOnServers = Awaited<ReturnType<typeof startShopOnServers>>;

/**
 * Starts a shop that uses real MongoDB, Kafka and Redis servers, with separate processes for each role, a load balancer
 * in front of these processes, and the payment simulator. The shop has its own database and topics. `variables` are
 * added to the environment of every process. `before` is called with that environment, and has to finish before any of
 * the shop's processes starts. Each role runs the way `npm run start:<role>` runs it, except that users sign in with
 * plain tokens unless `variables` contain the address of an identity emulator.
 */
export async function startShopOnServers(
  servers: TestServers,
  copies: Copies,
  variables: Record<string, string> = {},
  before: (environment: Record<string, string>) => Promise<unknown> = async () => {},
) {
  const cleanup = createCleanup();
  try {
    return await assemble(servers, copies, variables, before, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function assemble(
  servers: TestServers,
  copies: Copies,
  variables: Readonly<Record<string, string>>,
  before: (environment: Record<string, string>) => Promise<unknown>,
  cleanup: Cleanup,
) {
  const data = freshDataDir();
  cleanup.add(data.remove);
  const accessTokenSecret = randomBytes(32).toString('hex');
  const keys = demoStripeKeys(accessTokenSecret);
  const running: Record<Role, ReadyProcess[]> = { api: [], projector: [], live: [] };
  const urls = (role: Role) => running[role].map(({ url }) => url);
  const balancer = await startBalancer({ api: () => urls('api'), live: () => urls('live') });
  cleanup.add(() => balancer.close());
  cleanup.add(async () => {
    await Promise.all(Object.values(running).flatMap((all) => all.map((one) => one.kill())));
  });
  const simulator = await startProvider(
    'stripe',
    {
      dataFile: join(data.path, 'stripe.sqlite'),
      ...keys,
      webhookUrl: `${balancer.url}/webhooks/stripe`,
      webhookEvents: [...WEBHOOK_EVENTS],
    },
    { builtIn: await builtPrograms() },
  );
  cleanup.add(() => simulator.stop());
  await simulator.ready;
  const simulatorUrl = `http://127.0.0.1:${simulator.port}`;
  const environment = {
    ...UNLIMITED,
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
    const program = 'FIREBASE_AUTH_EMULATOR_HOST' in variables ? role : 'role-process';
    const started = await startReadyProcess(program, [role], { ...environment, ...change });
    running[role].push(started);
    return started;
  }

  async function kill(role: Role, one: ReadyProcess): Promise<void> {
    running[role] = running[role].filter((other) => other !== one);
    await one.kill();
  }

  await before(environment);
  await runToItsEnd('prepare', [], environment);
  const roles = (Object.entries(copies) as [Role, number][]).flatMap(([role, count]) => Array<Role>(count).fill(role));
  await Promise.all(roles.map((role) => start(role)));
  return {
    url: balancer.url,
    environment,
    running,
    stripe: createStripeClient({ secretKey: keys.secretKey, simulatorUrl }),
    start,
    kill,
    /** reads every event of the log directly from MongoDB */
    async everyEvent(): Promise<StoredEvent[]> {
      const mongo = await openMongo(environment.MONGODB_URI);
      try {
        return await readWhole(await createMongoEventLog({ db: mongo.shop }));
      } finally {
        await mongo.close();
      }
    },
    stop: cleanup.run,
  };
}
