import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, refusalOf, startSimulator } from './simulator.fixture.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2030, 0, 1, 12);
let running: Running;
let now = BEGIN;
beforeEach(async () => {
  now = BEGIN;
  running = await startSimulator({}, () => now);
});
afterEach(() => running.close());

async function pay(amount = 125_000, currency = 'bdt'): Promise<Stripe.Charge> {
  const params = { amount, currency, confirm: true, payment_method: 'pm_card_visa' };
  const intent = await running.stripe.paymentIntents.create(params);
  return running.stripe.charges.retrieve(String(intent.latest_charge));
}

const transaction = (id: unknown) => running.stripe.balanceTransactions.retrieve(String(id));
const listed = async (params: Stripe.BalanceTransactionListParams = {}) =>
  (await running.stripe.balanceTransactions.list(params)).data;
const sumOfNet = async () => (await listed({ limit: 100 })).reduce((sum, { net }) => sum + net, 0);

async function balance() {
  const { available, pending } = await running.stripe.balance.retrieve();
  return { available: available[0]?.amount, pending: pending[0]?.amount };
}

describe('balance transactions', () => {
  it("a charge in taka is settled in US dollars at the day's rate, without Stripe's fee", async () => {
    const charge = await pay();
    const booked = await transaction(charge.balance_transaction);
    const rate = booked.exchange_rate ?? 0;
    expect(booked).toMatchObject({
      object: 'balance_transaction',
      amount: Math.round(125_000 * rate),
      currency: 'usd',
      source: charge.id,
      type: 'charge',
      reporting_category: 'charge',
      created: BEGIN / 1000,
      available_on: Date.UTC(2030, 0, 3) / 1000,
      status: 'pending',
    });
    expect(rate).toBeGreaterThan(0.0081);
    expect(rate).toBeLessThan(0.0083);
    const fee = Math.round(booked.amount * 0.029) + 30;
    expect(booked).toMatchObject({ fee, net: booked.amount - fee });
    expect(booked.fee_details).toMatchObject([{ amount: fee, currency: 'usd', type: 'stripe_fee' }]);
  });

  it('a refund is settled at the rate of its own day, and the fee of the charge is not returned', async () => {
    const charge = await pay();
    now += DAY;
    const refund = await running.stripe.refunds.create({ charge: charge.id, amount: 50_000 });
    const [paid, returned] = [
      await transaction(charge.balance_transaction),
      await transaction(refund.balance_transaction),
    ];
    const rate = returned.exchange_rate ?? 0;
    expect(rate).not.toBe(paid.exchange_rate);
    expect(returned).toMatchObject({
      amount: -Math.round(50_000 * rate),
      fee: 0,
      net: returned.amount,
      source: refund.id,
      type: 'refund',
      reporting_category: 'refund',
      status: 'available',
    });
  });

  it('when a refund fails, its money returns to the balance, and the refund names both balance transactions', async () => {
    const charge = await pay();
    const { id, balance_transaction } = await running.stripe.refunds.create({ charge: charge.id, amount: 50_000 });
    now += DAY;
    await running.changeRefund(id, 'failed');
    const failed = await running.stripe.refunds.retrieve(id);
    expect(failed).toMatchObject({ status: 'failed', balance_transaction });
    const taken = await transaction(balance_transaction);
    expect(await transaction(failed.failure_balance_transaction)).toMatchObject({
      amount: -taken.amount,
      exchange_rate: taken.exchange_rate,
      net: -taken.net,
      source: id,
      type: 'refund_failure',
      reporting_category: 'refund_failure',
    });
    expect((await listed({ source: id })).map(({ type }) => type)).toEqual(['refund_failure', 'refund']);
  });

  it('a refund takes no money until the customer has said where it should go, and none if it fails before that', async () => {
    const charge = await pay();
    await running.faults({ refundStatus: 'requires_action' });
    const [first, second] = [
      await running.stripe.refunds.create({ charge: charge.id, amount: 50_000 }),
      await running.stripe.refunds.create({ charge: charge.id, amount: 50_000 }),
    ];
    expect(first.balance_transaction).toBeNull();
    await running.changeRefund(first.id, 'succeeded');
    await running.changeRefund(second.id, 'canceled');
    expect(await listed({ type: 'refund' })).toMatchObject([{ source: first.id }]);
    expect(await listed({ source: second.id })).toEqual([]);
  });

  it('a charge that is already in US dollars has no exchange rate', async () => {
    const { balance_transaction } = await pay(10_000, 'usd');
    expect(await transaction(balance_transaction)).toMatchObject({
      amount: 10_000,
      exchange_rate: null,
      fee: 320,
      net: 9_680,
    });
  });

  it('a declined charge moves no money', async () => {
    const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_chargeDeclined' };
    const { charge } = await refusalOf(running.stripe.paymentIntents.create(params));
    expect((await running.stripe.charges.retrieve(String(charge))).balance_transaction).toBeNull();
    expect(await listed()).toEqual([]);
  });

  it('with the lateBalanceMs fault, a charge gets its balance transaction later, and charge.updated reports it', async () => {
    await running.faults({ lateBalanceMs: 5_000 });
    const early = await pay();
    expect(early).toMatchObject({ paid: true, balance_transaction: null });
    expect(await listed()).toEqual([]);
    now += 5_000;
    await running.faults({});
    await expect.poll(async () => (await listed()).length).toBe(1);
    const charge = await running.stripe.charges.retrieve(early.id);
    expect((await transaction(charge.balance_transaction)).source).toBe(charge.id);
    const { data } = await running.stripe.events.list({ type: 'charge.updated' });
    expect(data).toMatchObject([
      { data: { object: { id: charge.id, balance_transaction: charge.balance_transaction } } },
    ]);
  });

  it('balance transactions can be listed by type, source, currency and time, and paged through in both directions', async () => {
    const charges = [await pay(), await pay(), await pay()];
    now += DAY;
    const refund = await running.stripe.refunds.create({ charge: charges[0]?.id ?? '' });
    const ids = (await listed()).map(({ id }) => id);
    expect(ids).toHaveLength(4);
    const page = await running.stripe.balanceTransactions.list({ limit: 2 });
    expect(page).toMatchObject({ url: '/v1/balance_transactions', has_more: true });
    const next = await running.stripe.balanceTransactions.list({ limit: 2, starting_after: page.data[1]?.id ?? '' });
    expect(next.has_more).toBe(false);
    expect([...page.data, ...next.data].map(({ id }) => id)).toEqual(ids);
    expect(await listed({ ending_before: ids[1] ?? '' })).toMatchObject([{ id: ids[0] }]);
    expect(await listed({ type: 'charge' })).toHaveLength(3);
    expect(await listed({ source: refund.id })).toMatchObject([{ id: refund.balance_transaction }]);
    expect(await listed({ created: { gt: BEGIN / 1000 } })).toMatchObject([{ type: 'refund' }]);
    expect(await listed({ created: { gte: BEGIN / 1000, lt: now / 1000 } })).toHaveLength(3);
    expect(await listed({ currency: 'usd' })).toHaveLength(4);
    expect(await listed({ currency: 'bdt' })).toEqual([]);
    const refusal = await refusalOf(running.stripe.balanceTransactions.list({ payout: 'po_1' }));
    expect(refusal).toMatchObject({ code: 'resource_missing', param: 'payout' });
  });

  it('the balance equals the sum of all balance transactions, and a charge becomes available after two days', async () => {
    const charge = await pay();
    const { net } = await transaction(charge.balance_transaction);
    expect(await balance()).toEqual({ available: 0, pending: net });
    now += 2 * DAY;
    expect(await balance()).toEqual({ available: net, pending: 0 });
    expect((await transaction(charge.balance_transaction)).status).toBe('available');
    for (const amount of [33_333, 33_333, 33_333]) await running.stripe.refunds.create({ charge: charge.id, amount });
    const another = await pay(99_999);
    await running.control(`charges/${another.id}/disputes`, {});
    const { available = 0, pending = 0 } = await balance();
    expect(available).toBeLessThan(0);
    expect(available + pending).toBe(await sumOfNet());
  });
});
