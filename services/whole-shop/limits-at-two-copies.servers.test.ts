import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { UNVERIFIED } from './plain-identity.fixture.ts';
import type { ReadyProcess } from './ready-process.fixture.ts';
import { addProduct, call, inParallel, orderOf, productOf, signIn } from './shop-client.fixture.ts';
import { type ShopOnServers, startShopOnServers } from './shop-on-servers.fixture.ts';

/** The number of unpaid orders that a customer with a verified e-mail may have. */
const MOST = 10;
/**
 * Configures a shop with real providers instead of demo ones. The real providers are never called, because no test here
 * pays and users sign in with plain tokens.
 */
const LIVE_MODE = {
  DEMO: '',
  DEMO_DATA: '',
  STRIPE_SIMULATOR_URL: '',
  FIREBASE_AUTH_EMULATOR_HOST: '',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  FIREBASE_PROJECT_ID: 'two-copies',
  FIREBASE_WEB_CONFIG: '{"apiKey":"none"}',
};
const PLACEMENTS = 200;
const STOCK = 10_000;
const PIECES = 7;

let shop: ShopOnServers;
beforeAll(async () => {
  shop = await startShopOnServers(inject('servers'), { api: 0, projector: 1, live: 0 });
});
afterAll(() => shop.stop());

function urlOf(copies: readonly ReadyProcess[], index: number): string {
  return copies[index % copies.length]?.url ?? '';
}

async function startTwo(role: 'api' | 'live', change: Record<string, string>): Promise<readonly ReadyProcess[]> {
  return [await shop.start(role, change), await shop.start(role, change)];
}

function countsOf(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

describe("one customer's limits across two API copies", () => {
  let copies: readonly ReadyProcess[];
  beforeAll(async () => {
    copies = await startTwo('api', { ...LIVE_MODE, MAX_UNPAID_ORDERS: `${MOST}`, RATE_LIMIT: 'off' });
  });
  afterAll(() => Promise.all(copies.map((copy) => shop.kill('api', copy))));

  it.each([
    ['a verified e-mail address', 'rumi@shop.test', MOST],
    ['an unverified e-mail address', `rumi${UNVERIFIED}`, 3],
  ])(
    'ORD7 ORD2 ORD8 if a customer with %s places 200 orders at once, only as many as the limit allows are placed, each with its own number',
    async (_, email, most) => {
      const productId = await addProduct(await signIn(urlOf(copies, 0), LIGHT_ADMIN), { quantity: STOCK });
      const { token } = await signIn(urlOf(copies, 0), email);
      const person = { email, token, call: () => Promise.reject(new Error('One copy is not enough.')) };
      const body = orderOf(person, productId, PIECES);
      const numbers = new Set<string>();
      const told = await Promise.all(
        Array.from({ length: PLACEMENTS }, async (__, n): Promise<string> => {
          const headers = { 'idempotency-key': `${email}-${n}` };
          for (;;) {
            const answer = await call(urlOf(copies, n), 'POST', '/orders', { token, body, headers });
            // On a slow machine, some placements can't be decided in time. These get a 503 and are retried.
            if (answer.status === 201) numbers.add((answer.body as { number: string }).number);
            if (answer.status !== 503) return `${answer.status} ${(answer.body as { code?: string }).code ?? 'placed'}`;
          }
        }),
      );
      process.stdout.write(`two copies, ${email}: ${JSON.stringify(countsOf(told))}\n`);
      expect(countsOf(told)).toEqual({ '201 placed': most, '409 too_many_unpaid_orders': PLACEMENTS - most });
      expect(numbers.size).toBe(most);
      for (const n of [0, 1]) {
        const left = productOf(await call(urlOf(copies, n), 'GET', `/products/${productId}`)).quantity;
        expect(left).toBe(STOCK - most * PIECES);
      }
    },
  );

  it('RATE1 X5 two API copies together admit no more concurrent requests from one user than a single copy would', async () => {
    const limited = await startTwo('api', { RATE_LIMIT: 'on' });
    try {
      const { token } = await signIn(urlOf(limited, 0), 'often@shop.test');
      await expectOneBudget(async (n) => {
        const { status } = await call(urlOf(limited, n), 'GET', '/users/often@shop.test', { token });
        return status === 200;
      });
    } finally {
      await Promise.all(limited.map((copy) => shop.kill('api', copy)));
    }
  });
});

describe('the limit on socket handshakes across two live copies', () => {
  it('RATE1 X5 two live copies together admit no more socket handshakes from one address than a single copy would', async () => {
    const copies = await startTwo('live', { RATE_LIMIT: 'on' });
    await expectOneBudget((n) => connects(urlOf(copies, n)));
  });
});

/** Opens a WebSocket connection and returns whether it was admitted. */
async function connects(url: string): Promise<boolean> {
  const client = io(url, { transports: ['websocket'], reconnection: false, forceNew: true });
  const connected = await new Promise<boolean>((resolve) => {
    client.once('connect', () => resolve(true));
    client.once('connect_error', () => resolve(false));
  });
  client.disconnect();
  return connected;
}

/**
 * Makes far more attempts than one budget allows. Expects the number of admitted attempts to be limited to the burst
 * plus the budget's refill during the test.
 */
async function expectOneBudget(attempt: (index: number) => Promise<boolean>): Promise<void> {
  const attempts = RATE.burst * 2.5;
  let admitted = 0;
  const began = performance.now();
  await inParallel(attempts, 32, async (n) => {
    if (await attempt(n)) admitted += 1;
  });
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`two copies admitted ${admitted} of ${attempts} within ${seconds.toFixed(1)} s\n`);
  expect(admitted).toBeGreaterThanOrEqual(RATE.burst - 2);
  expect(admitted).toBeLessThanOrEqual(RATE.burst + Math.ceil(seconds * RATE.perSecond));
}
