import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMAS, upcast } from '../../contracts/upcast.ts';
import { AMOUNT, type PayingShop, recorded, startPayingShop } from '../payment/paying-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable, WEBHOOK_EVENTS, WEBHOOK_PATH } from '../payment/payments.ts';
import { balanceIdOf } from './read-balance-flow.ts';
import { READER, readingDecider } from './reading.ts';
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

const CREATED = 1_767_225_600;
const MINUTE_MS = 60_000;

/** An event that is none of the shop's. `at` is in s after CREATED. */
const otherEvent = (id: string, at = 0) => ({ id, type: 'customer.created', created: CREATED + at });

/** A balance transaction about a charge, a refund or a dispute. `at` is in s after CREATED. */
function stated(id: string, category: string, source: object, at = 0): Stripe.BalanceTransaction {
  const worth = 'amount' in source ? Math.round(Number(source.amount) * 0.0082) : 82;
  const amount = category === 'refund' ? -worth : worth;
  const money = { amount, fee: 32, net: amount - 32, currency: 'usd', exchange_rate: 0.0082 };
  const times = { created: CREATED + at, available_on: 1_767_312_000 };
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

  it('the first round reads all events that are listed, and each later round goes on behind the last one that is ten minutes old, also in another process', async () => {
    const events = [otherEvent('evt_0'), otherEvent('evt_1', 300), otherEvent('evt_2', 1_200)];
    const { list, calls } = listOf(events);
    await readerWith({ events: { list } }).runOnce();
    events.push(otherEvent('evt_3', 1_300), otherEvent('evt_4', 3_000));
    await readerWith({ events: { list } }).runOnce();
    await readerWith({ events: { list } }).runOnce();
    expect(calls).toMatchObject([{ after: undefined }, { before: 'evt_1' }, { before: 'evt_3' }]);
  });

  it('reading stops at an event that cannot be recorded because Stripe is down, and goes on there', async () => {
    const about = (index: number) => ({
      id: `evt_${index}`,
      type: 'payment_intent.succeeded',
      created: CREATED + index,
      data: { object: { id: `pi_${index}` } },
    });
    const { list } = listOf([otherEvent('evt_old', -3_600), ...[1, 2, 3].map(about)]);
    const settled: string[] = [];
    let isDown = true;
    const settle = async (intent: string) => {
      if (isDown && intent === 'pi_2') throw new PaymentUnavailable('down');
      settled.push(intent);
      return { kind: 'not_ours' } as const;
    };
    const reader = readerWith({ events: { list } }, { payments: { ...shop.payments, settle } });
    await reader.runOnce();
    isDown = false;
    await reader.runOnce();
    await reader.runOnce();
    expect(settled).toEqual(['pi_3', 'pi_2', 'pi_1']);
  });

  it('an event that Stripe lists late is read, although later ones were listed and read before it', async () => {
    const about = (id: string, at: number) => ({
      ...otherEvent(id, at),
      type: 'payment_intent.succeeded',
      data: { object: { id: id.replace('evt', 'pi') } },
    });
    const events = [about('evt_0', 0), about('evt_2', 1_500)];
    const { list } = listOf(events);
    const settled: string[] = [];
    const settle = async (intent: string) => {
      settled.push(intent);
      return { kind: 'not_ours' } as const;
    };
    const reader = readerWith({ events: { list } }, { payments: { ...shop.payments, settle } });
    await reader.runOnce();
    await reader.runOnce();
    events.splice(1, 0, about('evt_1', 1_000));
    await reader.runOnce();
    await reader.runOnce();
    expect(settled).toEqual(['pi_2', 'pi_0', 'pi_1']);
  });

  it.each([
    ['is no longer known', new PaymentProviderFailed('No such event', 'resource_missing', 404)],
    ['has aged out', new PaymentProviderFailed("it's aged out of our retention policy", undefined, 400)],
  ])('if the event at which reading would go on %s, all events that are still listed are read', async (_, gone) => {
    await readerWith({ events: listOf([otherEvent('evt_old'), otherEvent('evt_older', 1_200)]) }).runOnce();
    const later = listOf([otherEvent('evt_1'), otherEvent('evt_2', 1_200)]);
    const list = async (params: Stripe.EventListParams) => {
      if (params.ending_before === 'evt_old') throw gone;
      return (later.list as (params: object) => Promise<unknown>)(params);
    };
    await readerWith({ events: { list: list as never } }).runOnce();
    await readerWith({ events: { list: list as never } }).runOnce();
    expect(later.calls).toMatchObject([{ after: undefined, before: undefined }, { before: 'evt_1' }]);
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
        amount: 2_050,
        fee: 32,
        net: 2_018,
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
    const entries = Array.from({ length: 250 }, (_, index) =>
      stated(`txn_${index}`, 'payout', { id: 'po' }, index * 600),
    );
    const { list, calls } = listOf(entries);
    const reader = readerWith({ balanceTransactions: { list } });
    await reader.runOnce();
    expect(await balance('txn_0')).toHaveLength(1);
    expect(calls).toHaveLength(3);
    entries.push(stated('txn_250', 'payout', { id: 'po' }, 250 * 600));
    await readerWith({ balanceTransactions: { list } }).runOnce();
    expect(await balance('txn_250')).toHaveLength(1);
    expect(calls.slice(3)).toMatchObject([{ before: 'txn_248' }]);
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

  it('what a transaction moved is its own amount if that is not the whole amount of what it is about', async () => {
    const dispute = { id: 'dp_1', object: 'dispute', amount: AMOUNT, currency: 'bdt', payment_intent: 'pi_1' };
    const whole = stated('txn_1', 'dispute_reversal', dispute);
    const half = { ...stated('txn_2', 'dispute_reversal', dispute), amount: 1_025, net: 1_025 };
    const taken = { ...stated('txn_3', 'charge_failure', chargeOf('pi_1')), amount: -2_050, net: -2_050 };
    const own = {
      ...stated('txn_4', 'charge', chargeOf('pi_1')),
      amount: AMOUNT,
      currency: 'bdt',
      exchange_rate: null,
    };
    await readerWith({ balanceTransactions: listOf([whole, half, taken, own]) }).runOnce();
    const shown = async (id: string) => ((await balance(id))[0] as { shown: { amount: number } }).shown.amount;
    expect(await Promise.all(['txn_1', 'txn_2', 'txn_3', 'txn_4'].map(shown))).toEqual([
      AMOUNT,
      AMOUNT / 2,
      -AMOUNT,
      AMOUNT,
    ]);
  });

  it('a transaction is recorded only once what it says is, so that a failure in between loses nothing', async () => {
    await shop.faults({ drop: true });
    const orderId = await shop.place();
    const intent = await shop.startPaying(orderId);
    await shop.pay(intent);
    const balances = listOf([stated('txn_1', 'charge', chargeOf(intent, orderId))]);
    let isDown = true;
    const settle: typeof shop.payments.settle = (...args) => {
      if (isDown) throw new PaymentUnavailable('down');
      return shop.payments.settle(...args);
    };
    const reader = readerWith({ balanceTransactions: balances }, { payments: { ...shop.payments, settle } });
    await reader.runOnce();
    expect(await balance('txn_1')).toEqual([]);
    isDown = false;
    await readerWith({ balanceTransactions: balances }).runOnce();
    expect(await balance('txn_1')).toHaveLength(1);
    expect((await shop.history(orderId)).at(-1)).toEqual(recorded(intent));
  });

  it('a permission that the secret key lacks is named, nothing is lost meanwhile, and the other list is read', async () => {
    await shop.faults({ drop: true, lackedPermissions: ['refund_read', 'event_read'] });
    const orderId = await shop.place();
    const intent = await shop.startPaying(orderId);
    await shop.pay(intent);
    await shop.stripe.refunds.create({ payment_intent: intent, amount: 100 });
    const { events, balanceTransactions } = shop.stripe;
    const reader = readerWith({ events, balanceTransactions });
    await reader.runOnce();
    expect([...reader.lackedPermissions()].sort()).toEqual(['event_read', 'refund_read']);
    expect((await shop.history(orderId)).at(-1)).not.toMatchObject({ type: 'RefundReported' });
    await shop.faults({ drop: true });
    await reader.runOnce();
    expect(reader.lackedPermissions()).toEqual([]);
    expect((await shop.history(orderId)).at(-1)).toMatchObject({ type: 'RefundReported' });
  });
});

describe('LEDGER3 how far Stripe’s lists have been read', () => {
  const reading = async () => (await shop.newHandler().load(readingDecider, READER)).state;
  const at = (time: string | null) => Date.parse(time ?? '');

  it('what is ten minutes old has been read, and that is recorded about every ten minutes', async () => {
    const reader = readerWith({});
    const before = shop.clock();
    await reader.runOnce();
    const first = await reading();
    expect(at(first.until)).toBeGreaterThanOrEqual(before - 10 * MINUTE_MS);
    expect(at(first.until)).toBeLessThanOrEqual(shop.clock() - 10 * MINUTE_MS);
    shop.advance(9 * MINUTE_MS);
    await reader.runOnce();
    expect(await reading()).toEqual(first);
    shop.advance(2 * MINUTE_MS);
    await reader.runOnce();
    expect(at((await reading()).until)).toBeGreaterThanOrEqual(at(first.until) + 11 * MINUTE_MS);
  });

  it('a failure that lasts for a quarter of an hour is recorded with Stripe’s words, until reading succeeds', async () => {
    const reader = readerWith({ balanceTransactions: shop.stripe.balanceTransactions });
    await reader.runOnce();
    await shop.faults({ lackedPermissions: ['balance_transaction_read'] });
    await reader.runOnce();
    expect((await reading()).problem).toBeNull();
    shop.advance(10 * MINUTE_MS);
    await reader.runOnce();
    expect((await reading()).problem).toContain("'rak_balance_transaction_read' permission");
    await shop.faults({});
    await reader.runOnce();
    expect((await reading()).problem).toBeNull();
  });

  it('after a change of the account, the lists of the other account are read from their beginning', async () => {
    const { events, balanceTransactions } = shop.stripe;
    const reader = readerWith({ events, balanceTransactions });
    await shop.pay(await shop.startPaying(await shop.place()));
    shop.advance(20 * MINUTE_MS);
    await shop.decide('fees', { amount: 1 });
    await reader.runOnce();
    await shop.faults({ account: 'acct_another' });
    await shop.decide('fees', { amount: 700 });
    await reader.runOnce();
    const [fee] = (await balanceTransactions.list()).data;
    expect(await balance(fee?.id ?? '')).toMatchObject([{ category: 'fee', amount: -700 }]);
    expect((await reading()).problem).toBeNull();
  });

  it('LOG5 a position that was recorded before there was a time in it is read with no time', () => {
    const old = { type: 'StripeRead', schemaversion: 1, data: { event: 'evt_1', transaction: null } };
    expect(upcast(old as never, SCHEMAS).data).toEqual({
      event: 'evt_1',
      transaction: null,
      until: null,
      problem: null,
    });
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
