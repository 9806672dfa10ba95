import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, refusalOf, startSimulator } from './simulator.fixture.ts';

let running: Running;
let now = Date.UTC(2030, 0, 1, 12);
beforeEach(async () => {
  running = await startSimulator({}, () => now);
});
afterEach(() => running.close());

async function start(payment_method: string) {
  const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method };
  return running.stripe.paymentIntents.create(params);
}
const statusOf = async (id: string) => (await running.stripe.paymentIntents.retrieve(id)).status;
const told = async () => (await running.stripe.events.list()).data.map(({ type }) => type).reverse();

/** Advances the clock beyond the banks' delay, and makes the simulator look at it. */
async function wait(): Promise<void> {
  now += 60_000;
  await running.faults({});
}

describe('payments that take time', () => {
  it('a payment that is still processing has a pending charge, and can be neither confirmed, cancelled nor refunded', async () => {
    const intent = await start('pm_card_processingThenSucceeds');
    expect(intent).toMatchObject({ status: 'processing', amount_received: 0, last_payment_error: null });
    const charge = await running.stripe.charges.retrieve(String(intent.latest_charge));
    expect(charge).toMatchObject({ status: 'pending', paid: false, balance_transaction: null });
    const { paymentIntents, refunds } = running.stripe;
    const confirmed = await refusalOf(paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }));
    expect(confirmed).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect((await refusalOf(paymentIntents.cancel(intent.id))).code).toBe('payment_intent_unexpected_state');
    expect((await refusalOf(refunds.create({ payment_intent: intent.id }))).statusCode).toBe(400);
    expect((await refusalOf(refunds.create({ charge: charge.id }))).statusCode).toBe(400);
    expect(await told()).toEqual(['payment_intent.created', 'charge.pending', 'payment_intent.processing']);
  });

  it('some time later, the payment succeeds with the same charge, which then has a balance transaction', async () => {
    const { id, latest_charge } = await start('pm_card_processingThenSucceeds');
    await wait();
    await expect.poll(() => statusOf(id)).toBe('succeeded');
    const intent = await running.stripe.paymentIntents.retrieve(id);
    expect(intent).toMatchObject({ amount_received: 125_000, latest_charge });
    const charge = await running.stripe.charges.retrieve(String(latest_charge));
    expect(charge).toMatchObject({ status: 'succeeded', paid: true, balance_transaction: expect.any(String) });
    expect((await told()).slice(3)).toEqual(['charge.succeeded', 'payment_intent.succeeded']);
  });

  it('some time later, the payment fails with the reason for the decline, and another card then works', async () => {
    const { id, latest_charge } = await start('pm_card_processingThenFails');
    await wait();
    await expect.poll(() => statusOf(id)).toBe('requires_payment_method');
    expect(await running.stripe.paymentIntents.retrieve(id)).toMatchObject({
      amount_received: 0,
      payment_method: null,
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline', charge: latest_charge },
    });
    expect((await told()).slice(3)).toEqual(['charge.failed', 'payment_intent.payment_failed']);
    await running.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    expect(await statusOf(id)).toBe('succeeded');
  });

  it('a person can end the processing earlier, and the bank then changes nothing', async () => {
    const { id } = await start('pm_card_processingThenFails');
    expect((await running.control(`payments/${id}`, { outcome: 'succeed' })).body.status).toBe('succeeded');
    const { id: other } = await start('pm_card_processingThenSucceeds');
    expect((await running.control(`payments/${other}`, { outcome: 'fail' })).status).toBe(200);
    const before = await told();
    await wait();
    const marker = await start('pm_card_processingThenSucceeds');
    await wait();
    await expect.poll(() => statusOf(marker.id)).toBe('succeeded');
    expect([await statusOf(id), await statusOf(other)]).toEqual(['succeeded', 'requires_payment_method']);
    expect((await told()).slice(before.length)).not.toContain('payment_intent.payment_failed');
    expect((await running.control(`payments/${id}`, { outcome: 'fail' })).status).toBe(400);
  });

  it('a payment that was processing when the Stripe simulator stopped is decided after the restart', async () => {
    const { id } = await start('pm_card_processingThenSucceeds');
    running = await running.restart();
    expect(await statusOf(id)).toBe('processing');
    await wait();
    await expect.poll(() => statusOf(id)).toBe('succeeded');
  });

  it.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded', ['refund.updated']],
    ['pm_card_refundFail', 'succeeded', 'failed', ['refund.updated', 'refund.failed']],
  ])('a refund to the test card %s is first %s and later %s', async (card, first, later, types) => {
    const { id: payment_intent } = await start(card);
    const refund = await running.stripe.refunds.create({ payment_intent });
    expect(refund.status).toBe(first);
    const before = (await told()).length;
    await wait();
    await expect.poll(async () => (await running.stripe.refunds.retrieve(refund.id)).status).toBe(later);
    expect((await told()).slice(before)).toEqual(types);
  });
});
