import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AMOUNT, type PayingShop, recorded, startPayingShop } from '../payment/paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable, WEBHOOK_EVENTS, WEBHOOK_PATH } from '../payment/payments.ts';
import { balanceIdOf } from './read-balance-flow.ts';
import { createStripeReader, type ReaderSettings, type StripeLists } from './stripe-reader-flow.ts';

let shop: PayingShop;
beforeEach(async () => {
  shop = await startPayingShop();
});
afterEach(() => shop.close());

/** A list as Stripe's API serves it: newest first, in pages. `entries` is oldest first. */
function listOf<T extends { readonly id: string }>(entries: readonly T[], page = 100) {
  const calls: object[] = [];
  const list = async ({ starting_after: after, ending_before: before, limit = page }: Stripe.PaginationParams) => {
    calls.push({ after, before, limit });
    const indexOf = (id: string) => entries.findIndex((one) => one.id === id);
    const size = Math.min(limit, page);
    const [from, to] = before
      ? [indexOf(before) + 1, Math.min(entries.length, indexOf(before) + 1 + size)]
      : [Math.max(0, (after ? indexOf(after) : entries.length) - size), after ? indexOf(after) : entries.length];
    const isMore = before ? to < entries.length : from > 0;
    return { object: 'list', url: '', has_more: isMore, data: entries.slice(from, to).reverse() };
  };
  return { list: list as never, calls };
}

const OWN = `https://shop.example${WEBHOOK_PATH}`;
const NOTHING = listOf<{ id: string }>([]);

function readerWith(stripe: Partial<StripeLists>, more: Partial<ReaderSettings> = {}) {
  const endpoints = shop.stripe.webhookEndpoints;
  const lists = { events: NOTHING, balanceTransactions: NOTHING, webhookEndpoints: endpoints, ...stripe };
  const { clock, logger } = shop;
  return createStripeReader({
    stripe: lists,
    payments: shop.payments,
    handler: shop.newHandler(),
    clock,
    logger,
    ...more,
  });
}

/** A balance transaction about a charge, a refund or a dispute. */
function stated(id: string, category: string, source: object): Stripe.BalanceTransaction {
  const money = { amount: 82, fee: 32, net: 50, currency: 'usd', exchange_rate: 0.0082 };
  const times = { created: 1_767_225_600, available_on: 1_767_312_000 };
  return { id, object: 'balance_transaction', reporting_category: category, ...money, ...times, source } as never;
}

const chargeOf = (intent: string, orderId?: string) => ({
  id: `ch_${intent}`,
  object: 'charge',
  amount: AMOUNT,
  currency: 'bdt',
  payment_intent: intent,
  metadata: orderId === undefined ? {} : { orderId },
});

const balance = (transaction: string) => shop.history(balanceIdOf(transaction), 'balance');

describe('LEDGER3 reading Stripe’s events', () => {
  it('PAY6 a payment and a refund whose webhooks were lost are recorded by the next round', async () => {
    const first = await shop.place();
    await shop.pay(await shop.startPaying(first));
    await shop.delivered();
    const reader = readerWith({ events: shop.stripe.events });
    await reader.runOnce();
    await shop.faults({ drop: true });
    const orderId = await shop.place();
    const intent = await shop.startPaying(orderId);
    await shop.pay(intent);
    await shop.stripe.refunds.create({ payment_intent: intent, amount: 100 });
    await reader.runOnce();
    expect((await shop.history(orderId)).slice(2)).toMatchObject([
      recorded(intent),
      { type: 'RefundReported', amount: 100, grant: null },
    ]);
  });

  it('the first round reads no old event, and each later round goes on where the last one ended, also in another process', async () => {
    const events = Array.from({ length: 3 }, (_, index) => ({ id: `evt_${index}`, type: 'customer.created' }));
    const { list, calls } = listOf(events);
    await readerWith({ events: { list } }).runOnce();
    events.push({ id: 'evt_3', type: 'customer.created' });
    await readerWith({ events: { list } }).runOnce();
    await readerWith({ events: { list } }).runOnce();
    expect(calls).toMatchObject([{ limit: 1 }, { before: 'evt_2' }, { before: 'evt_3' }]);
  });

  it('reading stops at an event that cannot be recorded because Stripe is down, and goes on there', async () => {
    const about = (index: number) => ({
      id: `evt_${index}`,
      type: 'payment_intent.succeeded',
      data: { object: { id: `pi_${index}` } },
    });
    const events = [about(0)];
    const { list } = listOf(events);
    const settled: string[] = [];
    let isDown = true;
    const settle = async (intent: string) => {
      if (isDown && intent === 'pi_2') throw new PaymentUnavailable('down');
      settled.push(intent);
      return { kind: 'not_ours' } as const;
    };
    const reader = readerWith({ events: { list } }, { payments: { ...shop.payments, settle } });
    await reader.runOnce();
    events.push(about(1), about(2), about(3));
    await reader.runOnce();
    isDown = false;
    await reader.runOnce();
    expect(settled).toEqual(['pi_1', 'pi_1', 'pi_2', 'pi_3']);
  });

  it('if Stripe no longer holds the last event that was read, reading goes on at the newest one', async () => {
    const { list } = listOf([{ id: 'evt_old', type: 'x' }]);
    await readerWith({ events: { list } }).runOnce();
    const later = listOf([{ id: 'evt_new', type: 'x' }]);
    const gone = async (params: Stripe.EventListParams) => {
      if (params.ending_before === 'evt_old') throw new PaymentProviderFailed('gone', 'resource_missing', 404);
      return (later.list as (params: object) => Promise<unknown>)(params);
    };
    await readerWith({ events: { list: gone as never } }).runOnce();
    await readerWith({ events: { list: gone as never } }).runOnce();
    expect(later.calls).toMatchObject([{ limit: 1 }, { before: 'evt_new' }]);
  });
});

describe('LEDGER1 reading Stripe’s balance transactions', () => {
  it('each transaction is recorded once as Stripe states it, however many processes read at once', async () => {
    const { list } = listOf([stated('txn_1', 'charge', chargeOf('pi_1')), stated('txn_2', 'payout', { id: 'po_1' })]);
    const readers = [1, 2, 3].map(() => readerWith({ balanceTransactions: { list } }));
    await Promise.all(readers.map((reader) => reader.runOnce()));
    expect(await balance('txn_1')).toEqual([
      {
        type: 'BalanceRecorded',
        transaction: 'txn_1',
        category: 'charge',
        amount: 82,
        fee: 32,
        net: 50,
        currency: 'usd',
        exchangeRate: 0.0082,
        source: 'ch_pi_1',
        shown: { amount: AMOUNT, currency: 'bdt' },
        intent: 'pi_1',
        orderId: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        availableOn: '2026-01-02T00:00:00.000Z',
      },
    ]);
    expect(await balance('txn_2')).toMatchObject([{ category: 'payout', shown: null, intent: null }]);
  });

  it('the first reading goes back to the oldest transaction, and later ones read only what is new', async () => {
    const entries = Array.from({ length: 250 }, (_, index) => stated(`txn_${index}`, 'payout', { id: 'po' }));
    const { list, calls } = listOf(entries);
    const reader = readerWith({ balanceTransactions: { list } });
    await reader.runOnce();
    expect(await balance('txn_0')).toHaveLength(1);
    expect(calls).toHaveLength(3);
    entries.push(stated('txn_250', 'payout', { id: 'po' }));
    await readerWith({ balanceTransactions: { list } }).runOnce();
    expect(await balance('txn_250')).toHaveLength(1);
    expect(calls.slice(3)).toMatchObject([{ before: 'txn_249' }]);
  });

  it('a payment and a refund that no event told about are recorded on the order', async () => {
    await shop.faults({ drop: true });
    const orderId = await shop.place();
    const intent = await shop.startPaying(orderId);
    await shop.pay(intent);
    const refund = await shop.stripe.refunds.create({ payment_intent: intent, amount: 100 });
    const back = { id: refund.id, object: 'refund', amount: 100, currency: 'bdt', payment_intent: intent };
    const { list } = listOf([stated('txn_1', 'charge', chargeOf(intent, orderId)), stated('txn_2', 'refund', back)]);
    await readerWith({ balanceTransactions: { list } }).runOnce();
    expect(await balance('txn_2')).toMatchObject([{ shown: { amount: -100, currency: 'bdt' }, source: refund.id }]);
    expect((await shop.history(orderId)).slice(2)).toMatchObject([recorded(intent), { type: 'RefundReported' }]);
  });

  it('a list that the secret key may not read is named, and the other list is read all the same', async () => {
    const list = (async () => {
      throw new PaymentProviderFailed('no permission', undefined, 403);
    }) as never;
    const balances = listOf([stated('txn_1', 'charge', chargeOf('pi_1'))]);
    const reader = readerWith({ events: { list }, balanceTransactions: balances });
    await reader.runOnce();
    expect(reader.refusedLists()).toEqual(['events']);
    expect(await balance('txn_1')).toHaveLength(1);
  });
});

describe('LEDGER3 the events that Stripe sends', () => {
  const endpointsOf = (...endpoints: { url: string; status?: string; enabled_events: string[] }[]) => ({
    list: (async () => ({ data: endpoints.map((one) => ({ status: 'enabled', ...one })) })) as never,
  });
  const unsent = async (webhookEndpoints?: StripeLists['webhookEndpoints']) => {
    const reader = readerWith(webhookEndpoints ? { webhookEndpoints } : {});
    await reader.runOnce();
    return reader.unsentEvents();
  };

  it('every event of the shop arrives at an endpoint that gets all of them, or the right ones', async () => {
    expect(await unsent()).toEqual([]);
    expect(await unsent(endpointsOf({ url: OWN, enabled_events: ['*'] }))).toEqual([]);
  });

  it('an event that no enabled endpoint of the shop gets is named', async () => {
    const [first, ...others] = WEBHOOK_EVENTS as [string, ...string[]];
    const endpoints = endpointsOf(
      { url: OWN, enabled_events: others },
      { url: OWN, enabled_events: ['*'], status: 'disabled' },
      { url: 'https://books.example/stripe', enabled_events: ['*'] },
    );
    expect(await unsent(endpoints)).toEqual([first]);
    expect(await unsent(endpointsOf())).toEqual(WEBHOOK_EVENTS);
  });
});

it('LEDGER1 LEDGER3 PAY9 the local Stripe states a charge, a refund and a dispute, and the reader records them with what the shopper saw', async () => {
  await shop.faults({ drop: true });
  const orderId = await shop.place();
  const intent = await shop.startPaying(orderId);
  await shop.pay(intent);
  const { id: refund } = await shop.stripe.refunds.create({ payment_intent: intent, amount: 100 });
  const reader = readerWith({ balanceTransactions: shop.stripe.balanceTransactions });
  await reader.runOnce();
  const { data } = await shop.stripe.balanceTransactions.list({ limit: 10 });
  const shown = await Promise.all(data.map(async ({ id }) => (await balance(id))[0]));
  expect(shown).toMatchObject([
    { category: 'refund', source: refund, intent, shown: { amount: -100, currency: 'bdt' }, currency: 'usd' },
    { category: 'charge', intent, orderId, shown: { amount: AMOUNT, currency: 'bdt' }, currency: 'usd' },
  ]);
  expect((await shop.history(orderId)).slice(2)).toMatchObject([recorded(intent), { type: 'RefundReported' }]);
});
