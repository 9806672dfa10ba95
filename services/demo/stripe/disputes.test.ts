import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, refusalOf, startSimulator } from './simulator.fixture.ts';

const DAY_S = 86_400;
const BEGIN = Date.UTC(2030, 0, 1, 12);
let running: Running;
let now = BEGIN;
beforeEach(async () => {
  now = BEGIN;
  running = await startSimulator({}, () => now);
});
afterEach(() => running.close());

async function pay(payment_method = 'pm_card_visa'): Promise<string> {
  const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method };
  return String((await running.stripe.paymentIntents.create(params)).latest_charge);
}

async function dispute(charge: string, params: object = {}): Promise<Stripe.Dispute> {
  const { body } = await running.control(`charges/${charge}/disputes`, params);
  return running.stripe.disputes.retrieve(String(body.id));
}

const decide = (id: string, decision: string) => running.control(`disputes/${id}`, { decision });
const movesOf = async (source: string) =>
  (await running.stripe.balanceTransactions.list({ source })).data.map(({ reporting_category, amount, fee, net }) => ({
    reporting_category,
    amount,
    fee,
    net,
  }));

/** Returns the types of the events about disputes, oldest first. */
async function told(): Promise<string[]> {
  const { data } = await running.stripe.events.list({ type: 'charge.dispute.*' });
  return data.map(({ type }) => type.replace('charge.dispute.', '')).reverse();
}

describe('disputes', () => {
  it('a dispute withdraws the disputed amount and a fee at once, and the charge can no longer be refunded', async () => {
    const charge = await pay();
    const opened = await dispute(charge, { reason: 'product_not_received' });
    expect(opened).toMatchObject({
      object: 'dispute',
      amount: 125_000,
      currency: 'bdt',
      charge,
      status: 'needs_response',
      reason: 'product_not_received',
      is_charge_refundable: false,
      evidence_details: { due_by: BEGIN / 1000 + 14 * DAY_S, has_evidence: false },
    });
    const [withdrawal] = opened.balance_transactions;
    expect(withdrawal).toMatchObject({
      type: 'adjustment',
      reporting_category: 'dispute',
      source: opened.id,
      fee: 1_500,
    });
    expect(withdrawal?.net).toBe((withdrawal?.amount ?? 0) - 1_500);
    expect(withdrawal?.amount).toBeLessThan(0);
    expect((await running.stripe.charges.retrieve(charge)).disputed).toBe(true);
    const refusal = await refusalOf(running.stripe.refunds.create({ charge }));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'charge_disputed' });
    expect(await told()).toEqual(['created', 'funds_withdrawn']);
  });

  it('winning a dispute returns the same cents without the fee, and the charge can be refunded again', async () => {
    const charge = await pay();
    const { id } = await dispute(charge);
    now += DAY_S * 1000;
    await decide(id, 'respond');
    expect(await running.stripe.disputes.retrieve(id)).toMatchObject({
      status: 'under_review',
      evidence_details: { has_evidence: true, submission_count: 1 },
    });
    await decide(id, 'win');
    const won = await running.stripe.disputes.retrieve(id);
    expect(won).toMatchObject({ status: 'won', is_charge_refundable: true });
    const [reversal, withdrawal] = await movesOf(id);
    expect(withdrawal).toMatchObject({ reporting_category: 'dispute', fee: 1_500 });
    expect(reversal).toMatchObject({ reporting_category: 'dispute_reversal', fee: 0, net: -(withdrawal?.amount ?? 0) });
    expect(won.balance_transactions).toHaveLength(2);
    expect(await told()).toEqual(['created', 'funds_withdrawn', 'updated', 'closed', 'funds_reinstated']);
    expect((await running.stripe.refunds.create({ charge })).status).toBe('succeeded');
  });

  it.each(['lose', 'close'])('a dispute that ends with the decision %s keeps the money', async (decision) => {
    const { id } = await dispute(await pay());
    await decide(id, decision);
    expect((await running.stripe.disputes.retrieve(id)).status).toBe('lost');
    expect(await movesOf(id)).toHaveLength(1);
    expect(await told()).toEqual(['created', 'funds_withdrawn', 'closed']);
    expect((await decide(id, 'win')).status).toBe(400);
  });

  it('the shop can accept a dispute through the API, but only once', async () => {
    const { id } = await dispute(await pay());
    expect((await running.stripe.disputes.close(id)).status).toBe('lost');
    expect((await refusalOf(running.stripe.disputes.close(id))).statusCode).toBe(400);
  });

  it('an inquiry takes no money and allows a refund until the bank turns it into a dispute', async () => {
    const charge = await pay();
    const inquiry = await dispute(charge, { inquiry: true });
    expect(inquiry).toMatchObject({
      status: 'warning_needs_response',
      is_charge_refundable: true,
      balance_transactions: [],
    });
    await running.stripe.refunds.create({ charge, amount: 25_000 });
    await decide(inquiry.id, 'escalate');
    const escalated = await running.stripe.disputes.retrieve(inquiry.id);
    expect(escalated).toMatchObject({ status: 'needs_response', is_charge_refundable: false });
    expect(escalated.balance_transactions).toHaveLength(1);
    expect(await told()).toEqual(['created', 'updated', 'funds_withdrawn']);
  });

  it('an inquiry can be closed without any movement of money', async () => {
    const { id } = await dispute(await pay(), { inquiry: true });
    await decide(id, 'close');
    expect((await running.stripe.disputes.retrieve(id)).status).toBe('warning_closed');
    expect(await movesOf(id)).toEqual([]);
  });

  it('after a partial refund, a dispute is about the rest of the charge, and a person can dispute another amount', async () => {
    const [first, second] = [await pay(), await pay()];
    await running.stripe.refunds.create({ charge: first, amount: 25_000 });
    expect((await dispute(first)).amount).toBe(100_000);
    expect((await dispute(second, { amount: 70_000, daysToRespond: 0 })).evidence_details.due_by).toBe(0);
    expect((await running.stripe.disputes.list({ charge: second })).data).toMatchObject([{ amount: 70_000 }]);
    expect((await running.stripe.disputes.list({ limit: 1 })).has_more).toBe(true);
  });

  it('only a paid charge can be disputed, only once, and for at most its amount', async () => {
    const charge = await pay();
    expect((await running.control(`charges/${charge}/disputes`, { amount: 125_001 })).status).toBe(400);
    await dispute(charge);
    expect((await running.control(`charges/${charge}/disputes`, {})).status).toBe(400);
    expect((await running.control('charges/ch_none/disputes', {})).status).toBe(404);
  });

  it.each([
    ['pm_card_createDispute', 'needs_response', 'fraudulent'],
    ['pm_card_createDisputeProductNotReceived', 'needs_response', 'product_not_received'],
    ['pm_card_createDisputeInquiry', 'warning_needs_response', 'general'],
  ])('a payment with the test card %s is disputed some time later', async (card, status, reason) => {
    await running.faults({ decisionMs: 3_000 });
    const charge = await pay(card);
    expect((await running.stripe.disputes.list({ charge })).data).toEqual([]);
    now += 3_000;
    await running.faults({});
    await expect
      .poll(async () => (await running.stripe.disputes.list({ charge })).data)
      .toMatchObject([{ status, reason }]);
  });
});
