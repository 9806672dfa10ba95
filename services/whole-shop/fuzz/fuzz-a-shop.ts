import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { toPoisha, totalTaka } from '../../contracts/money.ts';
import { paymentIntentAnswerSchema } from '../../contracts/payment/payment-answers.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../demo/identity/demo-accounts.ts';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import { systemClock } from '../../runtime/clock.ts';
import { loadSecrets } from '../../runtime/data-dir.ts';
import { createLogger } from '../../runtime/log.ts';
import { userList } from '../../shop/people/user-documents.ts';
import { checkInvariants, type Verdict } from '../check-invariants.fixture.ts';
import { addProduct, call, caughtUp, orderOf, passwordIdToken, signIn } from '../shop-client.fixture.ts';
import { freshDataDir, startShopProcess } from '../shop-process.fixture.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';
import type { Sender } from './input.ts';
import type { Target } from './send.ts';

const STOCK = 1_000_000;
const PRICE = 999.99;
/** The kinds of sender that have an account, in the same sequence as their accounts in DEMO_ACCOUNTS. */
const SENDERS: readonly Sender[] = ['admin', 'customer', 'neighbour'];

export interface FuzzedShop {
  readonly report: FuzzReport;
  /** the result of checking the shop's log and documents after the shop has stopped */
  readonly verdict: Verdict;
  /** the shop's exit code: 0 unless an input crashed it */
  readonly exitCode: number | null;
}

/** Starts a whole shop as `npm start` does, sends it inputs, stops it, and checks its whole log. */
export async function fuzzAShop(options: { seed: number; inputs: number }): Promise<FuzzedShop> {
  const data = freshDataDir();
  try {
    // Lifts the limit on unpaid orders per customer, so that later inputs can still place orders.
    const shop = await startShopProcess(data.path, { MAX_UNPAID_ORDERS: '0', LOG_LEVEL: 'fatal' });
    const target = await prepare(shop.url, data.path);
    const report = await fuzz(target, options);
    // Waits until the shop has caught up. Otherwise, a cancellation's policies might not run before the shop stops.
    await caughtUp(shop.url);
    const alive = await fetch(`${shop.url}/readyz`);
    const failures = alive.ok
      ? report.failures
      : [...report.failures, { number: -1, input: { part: 'raw' as const, chunks: [] }, reason: await alive.text() }];
    const { code } = await shop.stop();
    return { report: { ...report, failures }, verdict: await judge(data.path), exitCode: code };
  } finally {
    data.remove();
  }
}

/** Signs the senders in, and creates products and orders that inputs can refer to. */
async function prepare(url: string, dataDir: string): Promise<Target> {
  const [admin, customer, neighbour] = await Promise.all(
    DEMO_ACCOUNTS.map(async ({ email, password }) => signIn(url, email, await passwordIdToken(url, email, password))),
  );
  if (!admin || !customer || !neighbour) throw new Error('Fuzzing needs three demo accounts.');
  const names = ['Fuzzed Tower', 'Fuzzed Case', 'Fuzzed Rack'];
  const ids = await Promise.all(names.map((name) => addProduct(admin, { name, quantity: STOCK, price: PRICE })));
  const products = ids.map((id, index) => ({ id, name: names[index] ?? '' }));
  const spares = await Promise.all(
    Array.from({ length: 20 }, (_, n) => addProduct(admin, { name: `Spare ${n}`, quantity: STOCK })),
  );
  const totalOf = (quantity: number) => totalTaka(toPoisha(PRICE), quantity);
  const orders: Target['orders'] = [];
  for (const person of [customer, neighbour, customer, neighbour]) {
    const [product] = products;
    const order = { ...orderOf(person, product?.id ?? ''), product: product?.name };
    const { insertedId: id } = createdSchema.parse((await person.call('POST', '/orders', order)).body);
    orders.push({ id, total: totalOf(1) });
  }
  const secrets = loadSecrets(dataDir);
  const pay = async (clientSecret: string) => {
    const id = clientSecret.replace(/_secret_.*$/, '');
    await fetch(`${url}/demo-stripe/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secrets.stripePublishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
    });
  };
  // Inputs rarely succeed in paying for an order or cancelling one. One order is therefore paid for here, so that
  // inputs can ship it and withdraw the shipment, and another order is cancelled.
  const [paid, , , cancelled] = orders;
  const asked = { orderId: paid?.id, totalPrice: paid?.total };
  const { body } = await customer.call('POST', '/create-payment-intent', asked);
  await pay(paymentIntentAnswerSchema.parse(body).clientSecret);
  const answer = await neighbour.call('DELETE', `/orders/${cancelled?.id}`);
  if (answer.status !== 200) throw new Error(`An order could not be cancelled: ${JSON.stringify(answer)}`);
  const comingBack = new Set<Sender>();
  const tokens: Target['tokens'] = {
    nobody: null,
    customer: customer.token,
    neighbour: neighbour.token,
    admin: admin.token,
    forger: 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJzdWIiOiJhZG1pbiIsImV4cCI6OTk5OTk5OTk5OX0.',
  };
  return {
    url,
    tokens,
    emails: { customer: customer.email, neighbour: neighbour.email },
    webhookSecret: secrets.stripeWebhookSecret,
    products,
    spares,
    orders,
    intents: [],
    totalOf,
    async comeBack(sender) {
      const account = DEMO_ACCOUNTS[SENDERS.indexOf(sender)];
      if (!account || comingBack.has(sender)) return;
      comingBack.add(sender);
      // Sign-in is refused if the sender's previous account is still being erased. In that case, the sender's next 401
      // triggers another attempt.
      tokens[sender] = await signInAnew(url, account).catch(() => tokens[sender]);
      comingBack.delete(sender);
    },
    pay,
  };
}

/** Returns an access token for a demo account. If the account was deleted, creates it again. */
async function signInAnew(url: string, { email, password }: Pick<DemoAccount, 'email' | 'password'>): Promise<string> {
  const idToken = await passwordIdToken(url, email, password).catch(async () => {
    const body = { email, password, returnSecureToken: true };
    const answer = await call(url, 'POST', '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo', { body });
    return z.object({ idToken: z.string() }).parse(answer.body).idToken;
  });
  return (await signIn(url, email, idToken)).token;
}

async function judge(dataDir: string): Promise<Verdict> {
  const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: createLogger('silent') });
  try {
    // Events that were appended while the shop was stopping, such as the outcome of an e-mail, may not have been projected
    // yet.
    const { consumer } = await core.startProjecting(async () => new Set());
    await consumer.caughtUp();
    const items = await core.readModels.find(userList({ sort: 'oldest' }), { limit: 1000 });
    const admins = DEMO_ACCOUNTS.filter(({ role }) => role === 'admin').map(({ email }) => email as string);
    return await checkInvariants(
      core,
      items.filter(({ email }) => admins.includes(email)).map(({ id }) => id),
    );
  } finally {
    await core.close();
  }
}
