import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Ledger } from '../contracts/ledger/ledger.ts';
import type { OrderView } from '../contracts/order/order-view.ts';
import { loadSecrets } from '../runtime/data-dir.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { repetitions } from './long-run.fixture.ts';
import { type ReadyProcess, startReadyProcess } from './ready-process.fixture.ts';
import { type Answer, addProduct, inParallel, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';
import { type StripeBesideShop, startStripeBesideShop } from './stripe-beside-shop.fixture.ts';

const ORDERS = repetitions({ few: 45, many: 2_000 });
const KILLS = repetitions({ few: 2, many: 10 });
const LONGEST_DELAY_MS = repetitions({ few: 3_000, many: 600_000 });
const DECISION_MS = repetitions({ few: 500, many: 60_000 });
/** After this time, nothing may be left that doesn't match. The shop reads Stripe's lists once a minute. */
const RECONCILED_WITHIN_MS = 300_000;
/** The shop is killed before the first look at what matches, and again each time after this many looks, one a second. */
const LOOKS_PER_KILL = 8;
const TOTAL = 100_000;
const WIDTH = 8;

/** What happens to an order's money, and how much of it has to be back with the customer at the end, in poisha. */
interface Course {
  readonly card: string;
  readonly back: number;
  after?(order: PaidOrder): Promise<void>;
}

interface PaidOrder {
  readonly id: string;
  readonly intent: string;
  readonly stripe: StripeBesideShop;
  admin(method: string, path: string, body?: object): Promise<Answer>;
  /** Waits until the shop knows that the order is paid, and returns the order. */
  paid(): Promise<OrderView>;
}

const VISA = 'pm_card_visa';

async function grant({ id, admin, paid }: PaidOrder, amount: number, cancel = false): Promise<void> {
  const { version } = await paid();
  await admin('POST', `/orders/${id}/refunds`, { amount, reason: 'damaged', version, cancel });
}

async function decideDispute({ intent, stripe }: PaidOrder, decision: string): Promise<void> {
  const charge = (await stripe.stripe.charges.list({ payment_intent: intent })).data[0]?.id;
  const { body } = await stripe.decide(`charges/${charge}/disputes`, {});
  if (body.id) await stripe.decide(`disputes/${body.id}`, { decision });
}

const COURSES: readonly Course[] = [
  { card: VISA, back: 0 },
  { card: VISA, back: 25_000, after: (order) => grant(order, 250) },
  { card: VISA, back: TOTAL, after: (order) => grant(order, 1_000, true) },
  { card: 'pm_card_pendingRefund', back: 40_000, after: (order) => grant(order, 400) },
  // Each of the three refunds that the shop makes is sent back by the bank.
  { card: 'pm_card_refundFail', back: 0, after: (order) => grant(order, 1_000) },
  {
    card: VISA,
    back: 30_000,
    async after({ stripe, intent }) {
      await stripe.stripe.refunds.create({ payment_intent: intent, amount: 30_000 });
    },
  },
  {
    card: VISA,
    back: TOTAL,
    async after({ stripe, intent }) {
      await stripe.stripe.refunds.create({ payment_intent: intent });
    },
  },
  { card: VISA, back: 0, after: (order) => decideDispute(order, 'win') },
  { card: VISA, back: 0, after: (order) => decideDispute(order, 'lose') },
  { card: 'pm_card_createDisputeInquiry', back: 0 },
  { card: 'pm_card_processingThenSucceeds', back: 0 },
  { card: 'pm_card_processingThenFails', back: 0 },
  { card: 'pm_card_chargeDeclined', back: 0 },
  {
    card: VISA,
    back: 10_000,
    async after(order) {
      const { version } = await order.paid();
      await order.admin('PUT', `/orders/${order.id}`, { version });
      await grant(order, 100);
    },
  },
];

it(`PAY2 PAY3 PAY6 PAY8 PAY9 LEDGER2 LEDGER3 ${ORDERS} orders with every kind of money event, and webhooks that are lost, tripled, delayed and shuffled while the shop is killed ${KILLS} times: each order has one payment, no refund is made twice, and everything matches in the end`, async () => {
  const data = freshDataDir();
  const secrets = loadSecrets(data.path);
  const current: { shop?: ReadyProcess } = {};
  const url = () => current.shop?.url ?? '';
  const courier = { lost: 0.1, copies: 3, longestDelayMs: LONGEST_DELAY_MS };
  const stripe = await startStripeBesideShop(data.path, secrets, {
    courier,
    decisionMs: DECISION_MS,
    shopUrl: url,
  });
  const start = async () => {
    const variables = { STRIPE_SIMULATOR_PORT: String(stripe.port) };
    current.shop = await startReadyProcess('light-shop-process', [data.path], variables);
  };

  const until = async <T>(find: () => Promise<T | null>): Promise<T> => {
    const found: T[] = [];
    const look = async () => {
      const one = await find().catch(() => null);
      if (one !== null) found.push(one);
      return found.length > 0;
    };
    await expect.poll(look, { interval: 200, timeout: 120_000 }).toBe(true);
    return found[0] as T;
  };
  /** Sends a request, again if the shop is down, under one idempotency key, until the shop carries it out or refuses it. */
  const insist = (email: string, method: string, path: string, body?: object): Promise<Answer> => {
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    return until(async () => {
      const person: Person = await signIn(url(), email);
      const answer = await person.call(method, path, body, key);
      return answer.status >= 500 ? null : answer;
    });
  };

  const courses = new Map<string, { readonly intent: string; readonly back: number }>();
  try {
    await start();
    const product = await addProduct(await signIn(url(), LIGHT_ADMIN), { quantity: ORDERS * 2 });
    let done = 0;
    const buying = inParallel(ORDERS, WIDTH, async (index) => {
      const course = COURSES[index % COURSES.length] as Course;
      const email = `buyer${index % WIDTH}@shop.test`;
      const placed = await insist(email, 'POST', '/orders', orderOf({ email } as Person, product));
      const { insertedId: id } = placed.body as { insertedId: string };
      const asked = await insist(email, 'POST', '/create-payment-intent', { orderId: id, totalPrice: 1_000 });
      const intent = (asked.body as { clientSecret: string }).clientSecret.split('_secret')[0] ?? '';
      courses.set(id, { intent, back: course.back });
      await stripe.stripe.paymentIntents.confirm(intent, { payment_method: course.card }).catch(() => {});
      await course.after?.({
        id,
        intent,
        stripe,
        admin: (method, path, body) => insist(LIGHT_ADMIN, method, path, body),
        async paid() {
          await insist(email, 'PATCH', `/orders/${id}`, { transactionId: intent });
          const { body } = await insist(email, 'GET', `/orders/${id}`);
          return body as OrderView;
        },
      });
      done += 1;
    });
    const killing = (async () => {
      for (let kill = 1; kill < KILLS; kill += 1) {
        await expect.poll(() => done >= (kill * ORDERS) / KILLS, { interval: 20, timeout: 600_000 }).toBe(true);
        await current.shop?.kill();
        await start();
      }
    })();
    await Promise.all([buying, killing]);
    // Three refunds of an order fail one after the other, so their last webhooks start late.
    await expect.poll(() => stripe.isIdle(), { interval: 500, timeout: 2 * LONGEST_DELAY_MS + 300_000 }).toBe(true);

    let admin: Person;
    const idleSince = performance.now();
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    /** Returns the rows of the ledger that don't match, and the orders that don't say what Stripe says. */
    const differences = async () => {
      const { body } = await admin.call('GET', `/ledger?from=${day(-1)}&to=${day(1)}`);
      const open: unknown[] = (body as Ledger).rows.filter(({ state }) => state !== 'matched');
      await inParallel(courses.size, WIDTH, async (index) => {
        const [id, { intent, back }] = [...courses][index] as [string, { intent: string; back: number }];
        const charges = (await stripe.stripe.charges.list({ payment_intent: intent })).data.filter(({ paid }) => paid);
        const order = (await admin.call('GET', `/orders/${id}`)).body as OrderView;
        const atStripe = { charges: charges.length, back: charges[0]?.amount_refunded ?? 0 };
        const known = { charges: order.paidAt === null ? 0 : 1, back: (order.moneyBack?.returned ?? 0) * 100 };
        const asked = { charges: atStripe.charges, back: atStripe.charges === 0 ? 0 : back };
        if (!isDeepStrictEqual(atStripe, asked) || !isDeepStrictEqual(known, asked))
          open.push({ id, atStripe, known, asked });
      });
      return open;
    };
    let looks = 0;
    const differencesAfterKill = async () => {
      // A shop reads Stripe's lists when it starts, and then once a minute. What it asks of Stripe after this kill may be
      // listed only after that reading, so another kill saves the minute's wait.
      if (looks % LOOKS_PER_KILL === 0) {
        await current.shop?.kill();
        await start();
        admin = await signIn(url(), LIGHT_ADMIN);
      }
      looks += 1;
      return differences();
    };
    await expect.poll(differencesAfterKill, { interval: 1_000, timeout: RECONCILED_WITHIN_MS }).toEqual([]);
    const seconds = (performance.now() - idleSince) / 1_000;
    console.info(
      `${ORDERS} orders, ${KILLS} kills, webhooks: ${JSON.stringify(stripe.counts)}; everything matched ${seconds.toFixed(1)} s after the last webhook`,
    );
  } finally {
    await current.shop?.kill();
    await stripe.stop();
    data.remove();
  }
}, 2_400_000);
