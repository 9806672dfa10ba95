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

async function pay(amount = 125_000): Promise<Stripe.Charge> {
  const params = { amount, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
  const intent = await running.stripe.paymentIntents.create(params);
  return running.stripe.charges.retrieve(String(intent.latest_charge));
}
const refund = (charge: Stripe.Charge, amount?: number) =>
  running.stripe.refunds.create({ charge: charge.id, ...(amount !== undefined && { amount }) });
const listed = async () => (await running.stripe.balanceTransactions.list({ limit: 100 })).data;
const typesOf = async (type: string) => (await running.stripe.events.list({ type })).data.map((event) => event.type);

/** Returns the available and the pending balance by currency. */
async function balance() {
  const { available, pending } = await running.stripe.balance.retrieve();
  const byCurrency = (parts: Stripe.Balance.Available[]) =>
    Object.fromEntries(parts.map(({ amount, currency }) => [currency, amount]));
  return { available: byCurrency(available), pending: byCurrency(pending) };
}

describe('payouts', () => {
  it('a payout takes the whole available balance, and its transaction has a category of its own', async () => {
    const charge = await pay();
    expect((await running.control('payouts', {})).body).toEqual({});
    now += 2 * DAY;
    await pay();
    const { available } = await balance();
    const { body } = await running.control('payouts', {});
    const payout = await running.stripe.payouts.retrieve(String(body.id));
    expect(payout).toMatchObject({ object: 'payout', amount: available.usd, currency: 'usd', status: 'paid' });
    const [booked] = await listed();
    expect(booked).toMatchObject({
      id: payout.balance_transaction,
      type: 'payout',
      reporting_category: 'payout',
      source: payout.id,
      amount: -payout.amount,
      fee: 0,
      net: -payout.amount,
    });
    expect((await balance()).available).toEqual({ usd: 0 });
    expect(await typesOf('payout.*')).toEqual(['payout.paid', 'payout.created']);
    expect(charge.paid).toBe(true);
  });

  it('a negative balance is taken from the bank account', async () => {
    const charge = await pay();
    now += 2 * DAY;
    await running.control('payouts', {});
    await refund(charge);
    const { available } = await balance();
    expect(available.usd).toBeLessThan(0);
    const { body } = await running.control('payouts', {});
    expect(await running.stripe.payouts.retrieve(String(body.id))).toMatchObject({ amount: available.usd });
    expect((await balance()).available).toEqual({ usd: 0 });
  });

  it("a payout that fails gives the money back, although 'paid' was reported before", async () => {
    await pay();
    now += 2 * DAY;
    const before = await balance();
    const { body } = await running.control('payouts', {});
    const failed = await running.control(`payouts/${body.id}/failure`, {});
    expect(failed.body).toMatchObject({ status: 'failed' });
    expect(await balance()).toEqual(before);
    expect((await listed())[0]).toMatchObject({ type: 'payout_failure', reporting_category: 'payout_reversal' });
    expect((await running.control(`payouts/${body.id}/failure`, {})).status).toBe(400);
  });

  it('payouts can be made regularly', async () => {
    await pay();
    await running.faults({ payoutEveryMs: 1_000, availableMs: 0 });
    const { available, pending } = await balance();
    expect(pending.usd).toBeGreaterThan(0);
    now += 2 * DAY;
    await running.control('topups', { amount: 500 });
    await expect.poll(async () => (await running.stripe.payouts.list()).data.length).toBe(1);
    expect(available.usd).toBe(0);
    const [payout] = (await running.stripe.payouts.list()).data;
    expect(payout?.amount).toBe((pending.usd ?? 0) + 500);
  });
});

describe('other movements of money', () => {
  it("a fee of Stripe's own and a top-up are about no object, and have categories of their own", async () => {
    await running.control('fees', { amount: 700, description: 'Radar' });
    await running.control('topups', { amount: 10_000 });
    expect(await listed()).toMatchObject([
      { type: 'topup', reporting_category: 'topup', amount: 10_000, fee: 0, net: 10_000, source: null },
      { type: 'stripe_fee', reporting_category: 'fee', amount: -700, fee: 0, net: -700, source: null },
    ]);
    expect((await balance()).available).toEqual({ usd: 9_300 });
  });

  it("a charge whose money the customer's bank takes back fails after it had succeeded", async () => {
    const charge = await pay();
    await running.control(`charges/${charge.id}/failure`, {});
    const failed = await running.stripe.charges.retrieve(charge.id);
    expect(failed).toMatchObject({ status: 'failed', paid: false });
    const [taken, brought] = await listed();
    expect(taken).toMatchObject({ type: 'payment_failure_refund', reporting_category: 'charge_failure' });
    expect(taken).toMatchObject({ id: failed.failure_balance_transaction, amount: -(brought?.amount ?? 0) });
    expect((await running.control(`charges/${charge.id}/failure`, {})).status).toBe(400);
  });

  it('money is settled in another currency once the account says so, and refunds of older charges too', async () => {
    const charge = await pay();
    await running.faults({ settlesIn: 'eur' });
    await refund(charge, 50_000);
    const [returned, brought] = await listed();
    expect([brought?.currency, returned?.currency]).toEqual(['usd', 'eur']);
    expect(returned?.amount).toBe(-Math.round(50_000 * (returned?.exchange_rate ?? 0)));
    expect(await balance()).toEqual({
      available: { eur: returned?.net, usd: 0 },
      pending: { eur: 0, usd: brought?.net },
    });
    const euros = await running.stripe.balanceTransactions.list({ currency: 'eur' });
    expect(euros.data).toMatchObject([{ id: returned?.id }]);
  });
});

describe('a balance that is too low', () => {
  it('a refund is refused if the available balance does not cover it', async () => {
    await running.faults({ lowBalance: 'refuse' });
    const charge = await pay();
    const refusal = await refusalOf(refund(charge));
    expect(refusal).toMatchObject({ statusCode: 400, code: undefined });
    expect(refusal.message).toBe('Insufficient funds in your Stripe balance to refund this amount.');
    now += 2 * DAY;
    await running.control('topups', { amount: 100 });
    expect(await refund(charge)).toMatchObject({ status: 'succeeded' });
  });

  it('a refund is held as pending, without a transaction, until the balance covers it', async () => {
    await running.faults({ lowBalance: 'hold', decisionMs: 1_000 });
    const charge = await pay();
    const held = await refund(charge);
    expect(held).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
      balance_transaction: null,
    });
    await running.control('topups', { amount: 2_000 });
    now += 2_000;
    await running.control('fees', { amount: 1 });
    await expect.poll(async () => (await running.stripe.refunds.retrieve(held.id)).status).toBe('succeeded');
    expect((await listed())[0]).toMatchObject({ type: 'refund', source: held.id });
  });

  it('every refund can be refused with a message of choice', async () => {
    const charge = await pay();
    await running.faults({ refundRefusal: 'Your account cannot currently make refunds.' });
    expect((await refusalOf(refund(charge))).message).toBe('Your account cannot currently make refunds.');
  });
});

describe('what a key can see', () => {
  it('a restricted key gets a 403 that names the missing permission', async () => {
    const charge = await pay();
    await running.faults({ lackedPermissions: ['refund_read', 'dispute_read'] });
    const refusal = await refusalOf(running.stripe.refunds.list({ charge: charge.id }));
    expect(refusal).toMatchObject({ statusCode: 403, type: 'StripePermissionError', code: undefined });
    expect(refusal.message).toContain("Having the 'rak_refund_read' permission would allow this request to continue.");
    expect(await refund(charge)).toMatchObject({ status: 'succeeded' });
    expect((await refusalOf(running.stripe.disputes.retrieve('dp_1'))).statusCode).toBe(403);
  });

  it("a key that belongs to another account sees none of this account's objects", async () => {
    const charge = await pay();
    const { id } = await running.stripe.accounts.retrieveCurrent();
    await running.faults({ account: 'acct_another' });
    expect((await running.stripe.accounts.retrieveCurrent()).id).not.toBe(id);
    expect(await listed()).toEqual([]);
    expect(await refusalOf(running.stripe.charges.retrieve(charge.id))).toMatchObject({ code: 'resource_missing' });
    const [after] = ['ending_before'].map((param) => ({ [param]: String(charge.balance_transaction) }));
    expect((await refusalOf(running.stripe.balanceTransactions.list(after))).code).toBe('resource_missing');
    await running.faults({ account: id });
    expect(await listed()).toHaveLength(1);
  });
});

describe('lists', () => {
  it('events and balance transactions are listed later than their time, and not in their order', async () => {
    await running.faults({ listLagMs: 600_000 });
    for (let n = 0; n < 8; n += 1) await pay();
    const early = (await listed()).length;
    const seen: string[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      now += 60_000;
      const ids = (await listed()).map(({ id }) => id).reverse();
      seen.push(...ids.filter((one) => !seen.includes(one)));
    }
    expect(early).toBeLessThan(8);
    const inOrder = (await listed()).map(({ id }) => id).reverse();
    expect(inOrder).toHaveLength(8);
    expect([...seen].sort()).toEqual([...inOrder].sort());
    expect(seen).not.toEqual(inOrder);
    expect(new Set((await listed()).map(({ created }) => created))).toEqual(new Set([BEGIN / 1_000]));
  });

  it('an event that has aged out can be neither read nor used as a position', async () => {
    await pay();
    const [newest] = (await running.stripe.events.list()).data;
    now += 31 * DAY;
    const id = newest?.id ?? '';
    const gone = await refusalOf(running.stripe.events.list({ ending_before: id }));
    expect(gone).toMatchObject({ statusCode: 400, code: undefined });
    expect(gone.message).toContain("is no longer available because it's aged out of our retention policy");
    expect(await refusalOf(running.stripe.events.retrieve(id))).toMatchObject({ statusCode: 404 });
  });
});
