import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import type { RecordedEvent } from '../contracts/events.ts';
import { type StreamKind, streamName } from '../contracts/ids.ts';
import type { NewProduct } from '../contracts/product/product-form.ts';
import { createStripeSimulator } from '../demo/stripe/simulator.ts';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { createMemoryPackingClaims } from '../embedded/memory-packing-claims.ts';
import { createAccessTokens } from '../identity/access-token.ts';
import { userIdOf } from '../identity/user-id.ts';
import { createPolicies } from '../process/policies.ts';
import { ROUTES } from '../process/route-table.ts';
import { createLogger } from '../runtime/log.ts';
import { createOrderNumbers } from '../shop/order/order-numbers-flow.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { createStripePayments } from '../shop/payment/stripe-payments-flow.ts';
import { createAccounts } from '../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../shop/tracking/tracked-order-flow.ts';
import { plainIdentity } from '../whole-shop/plain-identity.fixture.ts';
import { addProduct, call, orderOf, type Person, signIn } from '../whole-shop/shop-client.fixture.ts';
import { createApi } from './app.ts';
import type { ApiDependencies } from './dependencies.ts';
import { createReadYourWrites } from './read-your-writes.ts';

const ADMIN = 'boss@shop.test';
const SECRETS = { accessToken: 'a'.repeat(64), userId: 'u'.repeat(64), idempotency: 'i'.repeat(64) };
const STRIPE = {
  secretKey: 'sk_test_api_tests',
  publishableKey: 'pk_test_api_tests',
  webhookSecret: 'whsec_api_tests',
};
/** The time at which the test's clock starts. Only `advance` moves the clock. */
export const BEGIN = Date.parse('2026-02-03T04:05:06.000Z');

export type TestShop = Awaited<ReturnType<typeof startTestShop>>;
type Change = (shop: ApiDependencies) => Partial<ApiDependencies>;

/**
 * Starts a shop's API in this process and keeps the shop's files in a temporary folder. The log, read models,
 * projector, policies and payments are real, but sign-in is a stub. The local simulator stands in for Stripe, and its
 * webhooks aren't handled. `change` replaces some of the dependencies.
 */
export async function startTestShop(change: Change = () => ({})) {
  const folder = mkdtempSync(join(tmpdir(), 'api-'));
  let now = BEGIN;
  const clock = () => now;
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
  const readYourWrites = createReadYourWrites();
  const { appended: onAppended, projected: onProjected } = readYourWrites;
  const core = openEmbeddedCore({ dataDir: folder, clock, logger, onAppended, onProjected });

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const simulator = createStripeSimulator({
    ...STRIPE,
    dataFile: join(folder, 'stripe.sqlite'),
    webhookUrl: `${url}/webhooks/stripe`,
    clock,
    newId: (prefix) => `${prefix}${randomUUID().replaceAll('-', '')}`,
  });
  const { port } = await simulator.start();
  const stripe = createStripeClient({ secretKey: STRIPE.secretKey, simulatorUrl: `http://127.0.0.1:${port}` });
  const payments = createStripePayments({ stripe, handler: core.handler, clock, logger });
  const { consumer: feed } = await core.startProjecting(createPolicies({ handler: core.handler, clock, logger }).run);

  const dependencies: ApiDependencies = {
    ...core,
    readYourWrites,
    identity: plainIdentity,
    accounts: createAccounts(core.handler, SECRETS.userId),
    payments,
    numbers: createOrderNumbers({ handler: core.handler, clock, newId: randomUUID }),
    accessTokens: createAccessTokens({ secret: SECRETS.accessToken, clock }),
    trackingLinks: createTrackingLinks(core, SECRETS.idempotency, clock),
    packing: createMemoryPackingClaims(clock),
    clock,
    newId: randomUUID,
    logger,
    registry: new Registry(),
    readiness: async () => ({ ready: true, checks: { lag: await feed.lag() } }),
    clientConfig: {
      stripe: { mode: 'demo', publishableKey: STRIPE.publishableKey },
      firebase: { mode: 'demo', projectId: 'demo-api', apiKey: 'demo' },
    },
    secrets: SECRETS,
    settings: {
      adminEmails: [ADMIN],
      unpaidOrderTtlMs: 3_600_000,
      maxUnpaidOrders: 10,
      paymentMinimumTaka: 100,
      corsOrigins: [],
      trustedProxies: 0,
      publicOrigin: null,
      metricsToken: null,
    },
  };
  server.on('request', createApi({ ...dependencies, ...change(dependencies) }, ROUTES));

  async function events(kind: StreamKind, id: string): Promise<RecordedEvent[]> {
    return core.sealing.openAll(await core.log.readStream(streamName(kind, id), 0, 1000));
  }

  return {
    core,
    dependencies,
    events,
    feed,
    lines,
    stripe,
    url,
    call: (method: string, path: string, options: Parameters<typeof call>[3] = {}) => call(url, method, path, options),
    signIn: (email: string) => signIn(url, email),
    admin: () => signIn(url, ADMIN),
    userId: (email: string, generation?: number) => userIdOf(email, SECRETS.userId, generation),
    /** Returns the types of a stream's events, oldest first. */
    history: async (...stream: Parameters<typeof events>) => (await events(...stream)).map(({ type }) => type),
    /** Waits until all policies have caught up, and then returns the number of events in the log. */
    async eventCount(): Promise<number> {
      await feed.caughtUp();
      return (await core.log.readAll(null, 100_000)).events.length;
    },
    /** Blocks the projector's saves until the returned function is called. */
    holdProjection(): () => void {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { save } = core.readModels;
      core.readModels.save = async (documents) => {
        await released;
        core.readModels.save = save;
        return save(documents);
      };
      return release;
    },
    advance(milliseconds: number) {
      now += milliseconds;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await simulator.stop();
      await core.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns a function that starts test shops. Each shop is closed after the test that started it. */
export function testShops(): (change?: Change) => Promise<TestShop> {
  const open: TestShop[] = [];
  afterEach(async () => {
    for (const shop of open.splice(0)) await shop.close();
  });
  return async (change) => {
    const shop = await startTestShop(change);
    open.push(shop);
    return shop;
  };
}

/** Adds an admin, a shopper and a product in stock to a shop. */
export async function stockedShop(shop: TestShop, product: Partial<NewProduct> = {}) {
  const admin = await shop.admin();
  const shopper = await shop.signIn('rumi@shop.test');
  const productId = await addProduct(admin, product);

  /** Places an order and returns its id. */
  async function place(quantity = 1, by: Person = shopper): Promise<string> {
    const answer = await by.call('POST', '/orders', orderOf(by, productId, quantity));
    if (answer.status !== 201)
      throw new Error(`Could not place the order: ${answer.status} ${JSON.stringify(answer.body)}`);
    return createdSchema.parse(answer.body).insertedId;
  }

  /** Starts a payment for an order and returns the id of the payment intent, which isn't paid yet. */
  async function startPaying(orderId: string, totalPrice: number): Promise<string> {
    const answer = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice });
    return String((answer.body as { clientSecret?: string }).clientSecret).replace(/_secret_.*$/, '');
  }

  /** Pays for an order by card, reports the payment to the shop and returns the id of the payment intent. */
  async function pay(orderId: string, totalPrice: number): Promise<string> {
    const intent = await startPaying(orderId, totalPrice);
    await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const answer = await shopper.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId: intent });
    if (answer.status !== 200)
      throw new Error(`Could not record the payment: ${answer.status} ${JSON.stringify(answer.body)}`);
    return intent;
  }

  return { admin, shopper, productId, place, startPaying, pay };
}
