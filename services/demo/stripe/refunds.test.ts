import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, refusalOf, startSimulator } from './simulator.fixture.ts';

let running: Running;
beforeAll(async () => {
  running = await startSimulator();
});
afterAll(() => running.close());

async function paid() {
  const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
  return running.stripe.paymentIntents.create(params);
}

describe('refund calls made through the Stripe SDK', () => {
  it('a payment is refunded in full, and a second refund is refused with charge_already_refunded', async () => {
    const intent = await paid();
    const params = { payment_intent: intent.id, reason: 'requested_by_customer' as const, metadata: { order: 'o1' } };
    const refund = await running.stripe.refunds.create(params);
    expect(refund).toMatchObject({
      object: 'refund',
      amount: 125_000,
      currency: 'bdt',
      status: 'succeeded',
      charge: intent.latest_charge,
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { order: 'o1' },
    });
    expect(await running.stripe.refunds.retrieve(refund.id)).toEqual(refund);
    const charge = await running.stripe.charges.retrieve(String(intent.latest_charge));
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 125_000 });
    const refusal = await refusalOf(running.stripe.refunds.create({ payment_intent: intent.id }));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
  });

  it('a payment can be refunded in parts, but the refunds never exceed the amount paid', async () => {
    const intent = await paid();
    const charge = String(intent.latest_charge);
    await running.stripe.refunds.create({ charge, amount: 100_000 });
    const tooMuch = await refusalOf(running.stripe.refunds.create({ charge, amount: 25_001 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param: 'amount' });
    expect(tooMuch.message).toBe('Refund amount (250.01 bdt) is greater than unrefunded amount on charge (250.00 bdt)');
    expect((await refusalOf(running.stripe.refunds.create({ charge, amount: 0 }))).param).toBe('amount');
    expect(await running.stripe.charges.retrieve(charge)).toMatchObject({ refunded: false, amount_refunded: 100_000 });
    expect((await running.stripe.refunds.create({ charge })).amount).toBe(25_000);
    const listed = await running.stripe.refunds.list({ payment_intent: intent.id });
    expect(listed.data.map((refund) => refund.amount)).toEqual([25_000, 100_000]);
    expect((await running.stripe.refunds.list({ charge })).data).toEqual(listed.data);
    const other = await paid();
    expect((await running.stripe.refunds.list({ payment_intent: other.id })).data).toEqual([]);
  });

  it('a partial refund that is repeated with the same idempotency key is made once, and another amount is refused', async () => {
    const intent = await paid();
    const params = { payment_intent: intent.id, amount: 25_000, reason: 'duplicate' as const };
    const key = { idempotencyKey: `refund:${intent.id}:1` };
    const first = await running.stripe.refunds.create(params, key);
    expect((await running.stripe.refunds.create(params, key)).id).toBe(first.id);
    const changed = await refusalOf(running.stripe.refunds.create({ ...params, amount: 30_000 }, key));
    expect(changed.type).toBe('StripeIdempotencyError');
    expect((await running.stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(1);
  });

  it('a person can refund a part of a charge in the dashboard, and webhooks report it', async () => {
    const intent = await paid();
    const path = `charges/${intent.latest_charge}/refunds`;
    const { body } = await running.control(path, { amount: 25_000, reason: 'fraudulent' });
    expect(await running.stripe.refunds.retrieve(String(body.id))).toMatchObject({
      amount: 25_000,
      payment_intent: intent.id,
      reason: 'fraudulent',
      status: 'succeeded',
    });
    await running.settled();
    const told = running.receiver.events.filter((event) => JSON.stringify(event).includes(`"${intent.latest_charge}"`));
    expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['refund.created', 'charge.refunded']));
    expect((await running.control(path, { amount: 200_000 })).status).toBe(400);
    expect((await running.control(path, { amount: 0.5 })).status).toBe(400);
  });

  it('a pending refund can still fail, and the payment can then be refunded again', async () => {
    await running.faults({ refundStatus: 'pending' });
    const intent = await paid();
    const refund = await running.stripe.refunds.create({ payment_intent: intent.id });
    expect(refund.status).toBe('pending');
    const refusal = await refusalOf(running.stripe.refunds.create({ payment_intent: intent.id }));
    expect(refusal.code).toBe('charge_already_refunded');
    await running.changeRefund(refund.id, 'failed');
    expect(await running.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    });
    const charge = await running.stripe.charges.retrieve(String(intent.latest_charge));
    expect(charge).toMatchObject({ refunded: false, amount_refunded: 0 });
    await running.faults({});
    expect((await running.stripe.refunds.create({ payment_intent: intent.id })).status).toBe('succeeded');
    await running.settled();
    const told = running.receiver.events.filter(({ type }) => type === 'refund.updated' || type === 'refund.failed');
    expect(told.map(({ type }) => type).sort()).toEqual(['refund.failed', 'refund.updated']);
  });

  it("a failed refund is subtracted from the charge's refunded amount only once, even if the failure is reported twice", async () => {
    const intent = await paid();
    const charge = String(intent.latest_charge);
    await running.stripe.refunds.create({ charge, amount: 100_000 });
    const refund = await running.stripe.refunds.create({ charge, amount: 25_000 });
    await running.changeRefund(refund.id, 'failed');
    await running.changeRefund(refund.id, 'failed');
    expect((await running.changeRefund(refund.id, 'succeeded')).status).toBe(400);
    expect(await running.stripe.charges.retrieve(charge)).toMatchObject({ refunded: false, amount_refunded: 100_000 });
  });

  it('refunding an unpaid or unknown payment intent is refused', async () => {
    const open = await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });
    const refusal = await refusalOf(running.stripe.refunds.create({ payment_intent: open.id }));
    expect(refusal.message).toContain('does not have a successful charge to refund');
    expect((await refusalOf(running.stripe.refunds.create({ payment_intent: 'pi_none' }))).code).toBe(
      'resource_missing',
    );
    expect((await refusalOf(running.stripe.refunds.create({}))).statusCode).toBe(400);
    expect((await refusalOf(running.stripe.refunds.retrieve('re_none'))).statusCode).toBe(404);
  });
});
