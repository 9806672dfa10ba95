import Stripe from 'stripe';
import { answerOf, answerOnce, answerRead } from '../../demo/stripe/answer-once.ts';
import { bookFee, bookTopup } from '../../demo/stripe/balance-transactions.ts';
import { doDueWork } from '../../demo/stripe/banks.ts';
import { MIGRATIONS } from '../../demo/stripe/database.ts';
import { createDeliveryQueue, type Delivery } from '../../demo/stripe/delivery-queue.ts';
import { decideDispute, openDispute } from '../../demo/stripe/disputes.ts';
import { assertPermitted, ENDPOINTS } from '../../demo/stripe/endpoints.ts';
import { StripeFault } from '../../demo/stripe/errors.ts';
import { type Faults, faultsSchema } from '../../demo/stripe/faults.ts';
import { createGroupCommit } from '../../demo/stripe/group-commit.ts';
import { createIdempotencyKeys } from '../../demo/stripe/idempotency.ts';
import { createLaterQueue } from '../../demo/stripe/later.ts';
import type {
  BalanceTransactionObject,
  ChargeObject,
  DisputeObject,
  IntentObject,
  PayoutObject,
  RefundObject,
} from '../../demo/stripe/objects.ts';
import { failPayout, payOut } from '../../demo/stripe/payouts.ts';
import { changeRefund, createRefund } from '../../demo/stripe/refunds.ts';
import { simulatorSettingsSchema } from '../../demo/stripe/settings.ts';
import { ownCall, type Simulation } from '../../demo/stripe/simulation.ts';
import { createStore, type Kind } from '../../demo/stripe/store.ts';
import { Database } from '../../runtime/sqlite.ts';
import type { StripeCalls } from '../../shop/payment/payment-context-flow.ts';
import type { Dice } from './dice.ts';
import { ConnectionLost, throughNetwork } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

export const WEBHOOK_SECRET = 'whsec_simulated0123456789';
const MAX_RETRIES = 2;
const LOOK_EVERY_MS = 250;

/** Returns true if the shop acknowledged the event. */
export type DeliverWebhook = (body: Buffer, signature: string) => Promise<boolean>;

/**
 * A simulated Stripe, for the shop, the shoppers' browsers and the simulation's final checks (judge.ts). It follows the
 * same rules as a demo's Stripe simulator.
 */
export interface SimulatedStripe {
  readonly faults: Faults;
  /** Returns the calls of Stripe's SDK for one process of the shop. */
  connect(process: SimulatedProcess, onCrash: () => void): StripeCalls;
  /** Confirms a payment in the browser. Returns the payment intent's status, or null if the payment was refused. */
  confirm(intent: string, clientSecret: string, card: string): Promise<string | null>;
  /** Simulates the bank: it accepts or rejects a pending refund, or sends back a completed one. */
  decideRefund(dice: Dice): void;
  /** Cancels an open payment intent, as a person can do in Stripe's dashboard. */
  cancelIntent(dice: Dice): Promise<void>;
  /** Refunds all or part of a payment, as a person can do in Stripe's dashboard. */
  refundInDashboard(dice: Dice): void;
  /** Moves money that belongs to no order: a payout, its failure, a top-up or a fee of Stripe's own. */
  moveMoney(dice: Dice): void;
  /** Simulates a customer who disputes a payment, or asks the bank about it. */
  dispute(dice: Dice): void;
  /** Simulates the shop or the bank taking the next step in an open dispute. */
  decideDispute(dice: Dice): void;
  /** Simulates the bank accepting all pending refunds and ending all disputes. */
  settle(): void;
  /** Returns true if no bank has to decide anything and every webhook was delivered or dropped. */
  isIdle(): boolean;
  /** Delivers the webhooks that were held back in order to reorder them. */
  releaseWebhooks(): void;
  /** Starts to deliver webhooks. */
  start(deliver: DeliverWebhook): void;
  charges(): ChargeObject[];
  /** the payment intents about whose money Stripe says more than it reports, so that the ledger has to name them */
  readonly unlike: ReadonlySet<string>;
  /** when each refund first succeeded, by its id, in ms since the epoch */
  readonly succeededAt: ReadonlyMap<string, number>;
  refunds(): RefundObject[];
  disputes(): DisputeObject[];
  balances(): BalanceTransactionObject[];
  /** Closes the database. Call this once nothing in the run can go on. */
  close(): void;
}

interface Request {
  readonly method: 'get' | 'post';
  /** an endpoint's path, such as /v1/payment_intents/:id */
  readonly path: string;
  readonly id?: string;
  readonly params?: object;
  readonly key?: string | undefined;
  readonly credential?: 'secret' | 'publishable';
}

interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
}

export function createSimulatedStripe(world: World, dice: Dice): SimulatedStripe {
  const database = new Database(':memory:');
  for (const migration of MIGRATIONS) database.exec(migration);
  const clock = () => world.time.now();
  const newId = (prefix: string) => `${prefix}${dice.id()}`;
  const settings = simulatorSettingsSchema.parse({
    dataFile: ':memory:',
    secretKey: 'sk_test_simulated0123456789',
    publishableKey: 'pk_test_simulated0123456789',
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: 'http://shop.invalid/webhooks/stripe',
  });
  const faults = faultsSchema.parse({
    decisionMs: dice.pick([5_000, 60_000, 600_000]),
    lateBalanceMs: dice.pick([0, 0, 90_000]),
    availableMs: dice.pick([0, 60_000, null]),
  });
  const deliveries = createDeliveryQueue(database, clock, settings.retry, faults);
  const later = createLaterQueue(database);
  const simulation: Simulation = {
    settings,
    database,
    commit: createGroupCommit(database),
    store: createStore(database, () => faults.account),
    deliveries,
    later,
    faults,
    clock,
    newId,
  };
  const serving = { simulation, idempotency: createIdempotencyKeys(simulation), wakeSender: () => {} };
  const callOf = () => ownCall(simulation);

  /** Answers one HTTP request. */
  async function serve(request: Request): Promise<Reply> {
    const { method, path, id = '', params = {}, key, credential = 'secret' } = request;
    const endpoint = ENDPOINTS.find((one) => one.method === method && one.path === path);
    if (!endpoint) throw new Error(`Stripe has no ${method} ${path}.`);
    const requestId = newId('req_');
    const form = textsOf(params);
    const call = { simulation, publishable: credential === 'publishable', requestId, idempotencyKey: key ?? null };
    const reply = (answer: { status: number; body: object }, replayed = false) => {
      if (answer.status >= 500) world.trouble('stripe fails');
      const headers = { 'request-id': requestId, ...(replayed && { 'idempotent-replayed': 'true' }) };
      return { ...answer, requestId, headers };
    };
    try {
      if (credential === 'secret') assertPermitted(simulation, endpoint);
      const work = endpoint.prepare(form);
      const answerNow = () => answerOf(call, () => work(call, id));
      if (method === 'get') return reply(answerRead(simulation, id, answerNow));
      const name = `POST ${path.replace(':id', id)}`;
      const keyed = key === undefined ? undefined : { credential, key, endpoint: name, params: form, requestId };
      const answer = await answerOnce(serving, keyed, answerNow);
      if (path === '/v1/refunds') noteRefunds();
      if (answer.replayOf !== null)
        world.note(`Stripe repeated a stored ${answer.status < 500 ? 'answer' : 'failure'}`);
      return reply(answer, answer.replayOf !== null);
    } catch (error) {
      if (error instanceof StripeFault) return reply(error.toAnswer());
      throw error;
    }
  }

  function connect(process: SimulatedProcess, onCrash: () => void): StripeCalls {
    const remote = throughNetwork(world.linkOf(process, 'stripe', onCrash), { serve });

    /** Sends a request like the SDK: if the connection breaks, retries the request with the same idempotency key. */
    async function send<T>(request: Request): Promise<T> {
      const key = request.method === 'post' ? (request.key ?? `auto-${dice.id()}`) : undefined;
      for (let retries = 0; ; retries += 1) {
        try {
          const reply = await remote.serve({ ...request, key });
          const { status, headers, requestId } = reply;
          if (status < 300) return { ...reply.body, lastResponse: { statusCode: status, headers, requestId } } as T;
          const isRetried = reply.status === 409 && retries < MAX_RETRIES;
          if (!isRetried) throw errorOf(reply);
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error;
          if (retries >= MAX_RETRIES)
            throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' } as never);
        }
        await new Promise<void>((resolve) => process.schedule(500 * 2 ** retries, resolve));
      }
    }
    const intents = '/v1/payment_intents';
    const calls = {
      paymentIntents: {
        create: (params: object, options?: Stripe.RequestOptions) =>
          send({ method: 'post', path: intents, params, key: options?.idempotencyKey }),
        retrieve: (id: string) => send({ method: 'get', path: `${intents}/:id`, id }),
        cancel: (id: string) => send({ method: 'post', path: `${intents}/:id/cancel`, id }),
      },
      refunds: {
        create: (params: object, options?: Stripe.RequestOptions) =>
          send({ method: 'post', path: '/v1/refunds', params, key: options?.idempotencyKey }),
        list: (params: object) => send({ method: 'get', path: '/v1/refunds', params }),
      },
      disputes: { retrieve: (id: string) => send({ method: 'get', path: '/v1/disputes/:id', id }) },
      webhookEndpoints: { list: (params: object) => send({ method: 'get', path: '/v1/webhook_endpoints', params }) },
      events: { list: (params: object) => send({ method: 'get', path: '/v1/events', params }) },
      balanceTransactions: {
        list: (params: object) => send({ method: 'get', path: '/v1/balance_transactions', params }),
      },
    };
    return calls as unknown as StripeCalls;
  }

  const list = <T>(kind: Kind) =>
    database
      .prepare<[string], { body: string }>('SELECT body FROM objects WHERE kind = ? ORDER BY seq')
      .all(kind)
      .map(({ body }) => JSON.parse(body) as T);

  const refunds = () => list<RefundObject>('refund');
  const openDisputes = () =>
    list<DisputeObject>('dispute').filter(({ status }) => !['won', 'lost', 'warning_closed'].includes(status));

  /** Returns false if Stripe refused. */
  function attemptTo(act: () => unknown): boolean {
    try {
      database.transaction(act);
      return true;
    } catch (error) {
      if (error instanceof StripeFault) return false;
      throw error;
    }
  }

  const unlike = new Set<string>();
  const succeededAt = new Map<string, number>();
  /** Call this after each change to a refund. */
  function noteRefunds(): void {
    for (const { id, status } of refunds()) {
      if (status === 'succeeded' && !succeededAt.has(id)) succeededAt.set(id, clock());
    }
  }

  const intents = () => list<IntentObject>('payment_intent');

  async function attempt(delivery: Delivery, deliver: DeliverWebhook): Promise<void> {
    const event = simulation.store.get('event', delivery.event);
    if (!event) return deliveries.failed(delivery, 'the event belongs to another account');
    const payload = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(clock() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp });
    if (delivery.attempts > 0) world.note('a webhook was delivered again');
    const acknowledged = await deliver(Buffer.from(payload), signature);
    world.say(`webhook ${delivery.type} attempt ${delivery.attempts + 1}: ${acknowledged ? 'acknowledged' : 'failed'}`);
    if (acknowledged) deliveries.succeeded(delivery.id);
    else deliveries.failed(delivery, 'not acknowledged');
  }

  return {
    faults,
    connect,
    async confirm(intent, client_secret, payment_method) {
      const params = { client_secret, payment_method };
      const path = '/v1/payment_intents/:id/confirm';
      const { body } = await serve({ method: 'post', path, id: intent, params, credential: 'publishable' });
      return 'status' in body ? (body as IntentObject).status : null;
    },
    decideRefund(by) {
      const undecided = refunds().filter(({ status }) => status === 'pending' || status === 'succeeded');
      if (undecided.length === 0) return;
      const { id, status } = by.pick(undecided);
      if (status === 'succeeded') world.note('the bank sent a completed refund back');
      changeRefund(callOf(), id, status === 'succeeded' ? 'failed' : by.pick(['succeeded', 'succeeded', 'failed']));
      noteRefunds();
    },
    async cancelIntent(by) {
      const open = intents().filter(({ status }) => status === 'requires_payment_method');
      const path = '/v1/payment_intents/:id/cancel';
      if (open.length > 0) await serve({ method: 'post', path, id: by.pick(open).id });
    },
    refundInDashboard(by) {
      const charges = list<ChargeObject>('charge').filter(({ paid, refunded }) => paid && !refunded);
      if (charges.length === 0) return;
      const { id: charge, amount, amount_refunded: before } = by.pick(charges);
      const part = by.chance(0.5) ? { amount: by.between(1, amount - before) } : {};
      if (attemptTo(() => createRefund(callOf(), { charge, ...part })))
        world.note('a refund was made in the dashboard');
      noteRefunds();
    },
    moveMoney(by) {
      const [payout] = list<PayoutObject>('payout').filter(({ status }) => status === 'paid');
      const moves = {
        payout: () => payOut(callOf()),
        'payout that failed': () => payout && failPayout(callOf(), payout.id),
        'top-up': () => bookTopup(callOf(), by.between(1, 1_000)),
        fee: () => bookFee(callOf(), by.between(1, 1_000), 'Radar'),
      };
      const name = by.pick(Object.keys(moves) as (keyof typeof moves)[]);
      database.transaction(() => {
        if (moves[name]()) world.note(`Stripe booked a ${name}`);
      });
    },
    dispute(by) {
      const charges = list<ChargeObject>('charge').filter(({ paid, disputed }) => paid && !disputed);
      if (charges.length === 0) return;
      const { id, amount } = by.pick(charges);
      const part = by.chance(0.3) ? { amount: by.between(1, amount) } : {};
      const params = { inquiry: by.chance(0.3), ...part };
      if (attemptTo(() => openDispute(callOf(), id, params))) world.note('a payment was disputed');
    },
    decideDispute(by) {
      const open = openDisputes();
      if (open.length === 0) return;
      const decision = by.pick(['respond', 'escalate', 'win', 'win', 'lose', 'close'] as const);
      const { id, amount, payment_intent: intent } = by.pick(open);
      const returned = by.chance(0.5) ? Math.ceil(amount / 2) : amount;
      const isDecided = attemptTo(() => decideDispute(callOf(), id, decision, returned));
      if (isDecided && decision === 'win' && returned < amount) {
        world.note('a dispute gave only a part of the money back');
        unlike.add(intent);
      }
    },
    settle() {
      for (const { id, status } of refunds()) {
        if (status === 'pending' || status === 'requires_action') changeRefund(callOf(), id, 'succeeded');
      }
      noteRefunds();
      for (const { id, created } of openDisputes()) {
        const isWon = created % 2 === 0 && attemptTo(() => decideDispute(callOf(), id, 'win'));
        if (!isWon) decideDispute(callOf(), id, 'close');
      }
    },
    isIdle: () => later.nextAt() === undefined && deliveries.unsettled() === 0,
    releaseWebhooks: () => deliveries.release(),
    start(deliver) {
      const onTheirWay = new Set<number>();
      const look = () => {
        if ((later.nextAt() ?? Number.POSITIVE_INFINITY) <= clock()) {
          database.transaction(() => doDueWork(simulation));
          noteRefunds();
        }
        for (const delivery of deliveries.due(clock())) {
          if (onTheirWay.has(delivery.id)) continue;
          onTheirWay.add(delivery.id);
          void attempt(delivery, deliver).finally(() => onTheirWay.delete(delivery.id));
        }
        world.time.schedule(LOOK_EVERY_MS, look);
      };
      look();
    },
    succeededAt,
    unlike,
    charges: () => list<ChargeObject>('charge'),
    refunds,
    disputes: () => list<DisputeObject>('dispute'),
    balances: () => list<BalanceTransactionObject>('balance_transaction'),
    close: () => void database.close(),
  };
}

/** Returns parameters as they arrive in a form, with every value as a string. */
function textsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textsOf);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, textsOf(inner)]));
}

function errorOf({ status, body, headers, requestId }: Reply): Error {
  const { error } = body as { error: object };
  return Stripe.errors.StripeError.generate({ ...error, statusCode: status, headers, requestId } as never);
}
