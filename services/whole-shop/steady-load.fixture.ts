import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import { createdSchema } from '../contracts/answers.ts';
import { type Answer, orderOf, type Person } from './shop-client.fixture.ts';

/** How long to keep retrying a failed request, in ms. */
const PATIENCE_MS = 40_000;
const PAUSE_MS = 100;
const TICK_MS = 20;
/** The lowest rate at which `resume` places orders, in orders per second. */
const SLOWEST = 2;

/** The acknowledged outcomes of the orders placed so far, and the errors of the orders that failed. */
export interface Acknowledged {
  /** maps each order's id to the time at which the shop's acknowledgement arrived, in ms since the epoch */
  readonly placed: Map<string, number>;
  readonly cancelled: Set<string>;
  readonly shipped: Set<string>;
  /** maps the id of each paid order to the id of its confirmed Stripe payment intent */
  readonly charged: Map<string, string>;
  /** one error message for each order that failed despite retries */
  readonly failures: string[];
}

export interface SteadyLoad {
  readonly acknowledged: Acknowledged;
  /** returns the current rate, in orders started per second; during a pause, returns the rate before the pause */
  perSecond(): number;
  /** stops placing orders, and waits until the orders in flight are finished */
  pause(): Promise<void>;
  /** resumes placing orders at this rate, in orders per second, but never below SLOWEST */
  resume(perSecond: number): void;
}

interface Load {
  readonly buyers: readonly Person[];
  readonly admin: Person;
  readonly products: readonly string[];
  readonly stripe: Stripe;
  /** the initial rate, in orders started per second */
  readonly perSecond: number;
}

/**
 * Places orders at a steady rate. Failed requests are retried. When a request to place an order is retried, its
 * Idempotency-Key stays the same. Of every ten orders, four are paid by card, two are cancelled and four stay unpaid.
 * Two of the four paid orders are also shipped.
 */
export function startSteadyLoad(load: Load): SteadyLoad {
  const { buyers, products } = load;
  const acknowledged: Acknowledged = {
    placed: new Map(),
    cancelled: new Set(),
    shipped: new Set(),
    charged: new Map(),
    failures: [],
  };
  const running = new Set<Promise<void>>();
  let perSecond = load.perSecond;
  let number = 0;
  let timer = start();

  /** Starts a timer. Each tick places all orders that are due by then, so that the load catches up after a delay. */
  function start(): NodeJS.Timeout {
    const [since, before] = [performance.now(), number];
    return setInterval(() => {
      const due = before + Math.floor(((performance.now() - since) * perSecond) / 1_000);
      while (number < due) begin();
    }, TICK_MS);
  }

  function begin(): void {
    const buyer = buyers[number % buyers.length];
    const productId = products[number % products.length];
    number += 1;
    if (!buyer || !productId) return;
    const order: Promise<void> = liveOne(load, buyer, productId, number, acknowledged)
      .catch((error: unknown) => {
        acknowledged.failures.push(String(error));
      })
      .finally(() => running.delete(order));
    running.add(order);
  }
  return {
    acknowledged,
    perSecond: () => perSecond,
    async pause() {
      clearInterval(timer);
      await Promise.all(running);
    },
    resume(wanted) {
      perSecond = Math.max(SLOWEST, wanted);
      timer = start();
    },
  };
}

async function liveOne(
  { admin, stripe }: Load,
  buyer: Person,
  productId: string,
  number: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const key = { 'idempotency-key': `load-${number}` };
  const placed = await insist('place', () => buyer.call('POST', '/orders', orderOf(buyer, productId), key));
  const { insertedId: id } = createdSchema.parse(placed.body);
  acknowledged.placed.set(id, Date.now());
  const kind = number % 10;
  if (kind < 4) {
    const body = { orderId: id, totalPrice: 1000 };
    const intent = await insist('intent', () => buyer.call('POST', '/create-payment-intent', body));
    const intentId = (intent.body as { clientSecret: string }).clientSecret.split('_secret_')[0] ?? '';
    await stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });
    acknowledged.charged.set(id, intentId);
    // For half of the paid orders, simulate a browser that is closed before it reports the payment to the shop. The
    // shop then learns of the payment only from the webhook.
    if (kind % 2 === 0) {
      const told = { order: id, transactionId: intentId };
      await insist('settle', () => buyer.call('PATCH', `/orders/${id}`, told));
      await insist('ship', () => admin.call('PUT', `/orders/${id}`));
      acknowledged.shipped.add(id);
    }
  } else if (kind < 6) {
    await insist('cancel', () => buyer.call('DELETE', `/orders/${id}`));
    acknowledged.cancelled.add(id);
  }
}

/**
 * Sends a request, and repeats it after a network error, a 429 or a 5xx response until it succeeds. @throws Error on
 * any other response, or after PATIENCE_MS
 */
async function insist(what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  let last = '';
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer.status < 300) return answer;
      last = `${answer.status} ${JSON.stringify(answer.body)}`;
      if (answer.status < 500 && answer.status !== 429) break;
    } catch (error) {
      last = String(error);
    }
    await wait(PAUSE_MS);
  }
  throw new Error(`${what}: ${last}`);
}
