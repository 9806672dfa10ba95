import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PUBLISHABLE_KEY, type Running, refusalOf, sdk, startSimulator } from './simulator.fixture.ts';

let running: Running;
let now = Date.UTC(2030, 0, 1);
beforeEach(async () => {
  running = await startSimulator({}, () => now);
});
afterEach(() => running.close());

const ORDER = { amount: 125_000, currency: 'bdt' };
const KEY = { idempotencyKey: 'order:o1:pi:1' };
const intents = async () => (await running.stripe.paymentIntents.list()).data;

describe('idempotency keys', () => {
  it('a request with a repeated idempotency key gets the first response again, even after the Stripe simulator restarts', async () => {
    const first = await running.stripe.paymentIntents.create(ORDER, KEY);
    const again = await running.stripe.paymentIntents.create(ORDER, KEY);
    expect(again).toEqual(first);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    running = await running.restart();
    expect(await running.stripe.paymentIntents.create(ORDER, KEY)).toEqual(first);
    expect(await intents()).toHaveLength(1);
  });

  it('reusing an idempotency key with different parameters or on a different endpoint is refused', async () => {
    await running.stripe.paymentIntents.create(ORDER, KEY);
    const changed = await refusalOf(running.stripe.paymentIntents.create({ ...ORDER, amount: 60_000 }, KEY));
    expect(changed).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    const elsewhere = await refusalOf(running.stripe.refunds.create({ payment_intent: 'pi_1' }, KEY));
    expect(elsewhere).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(await intents()).toHaveLength(1);
  });

  it('repeating a declined confirmation with the same idempotency key gets the same refusal and creates no second charge', async () => {
    const { id } = await running.stripe.paymentIntents.create(ORDER);
    const confirm = () => running.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, KEY);
    const first = await refusalOf(confirm());
    expect((await refusalOf(confirm())).charge).toBe(first.charge);
    const failures = await running.stripe.events.list({ type: 'charge.failed' });
    expect(failures.data).toHaveLength(1);
  });

  it('an idempotency key can be reused after its first request was refused for invalid parameters', async () => {
    await refusalOf(running.stripe.paymentIntents.create({ ...ORDER, amount: 1.5 }, KEY));
    expect((await running.stripe.paymentIntents.create(ORDER, KEY)).amount).toBe(125_000);
  });

  it('a 500 response tells the Stripe SDK not to retry, and is returned again for the same idempotency key', async () => {
    await running.faults({ apiFailures: 1 });
    const patient = sdk(running.port, undefined, 2);
    const first = await refusalOf(patient.paymentIntents.create(ORDER, KEY));
    expect(first).toMatchObject({ statusCode: 500, rawType: 'api_error' });
    const again = await refusalOf(running.stripe.paymentIntents.create(ORDER, KEY));
    expect(again.statusCode).toBe(500);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
    expect(await intents()).toEqual([]);
  });

  it('while a request is in flight, a second one with the same idempotency key gets a 409, which the Stripe SDK retries', async () => {
    await running.faults({ apiDelayMs: 300 });
    const first = running.stripe.paymentIntents.create(ORDER, KEY);
    const body = 'amount=125000&currency=bdt';
    const headers = { 'idempotency-key': KEY.idempotencyKey };
    await expect
      .poll(async () => (await running.raw('/v1/payment_intents', { body, headers })).status, { interval: 5 })
      .toBe(409);
    const patient = await sdk(running.port, undefined, 3).paymentIntents.create(ORDER, KEY);
    expect(patient).toEqual(await first);
    expect(await intents()).toHaveLength(1);
  });

  it('if a response is lost, the Stripe SDK retries the request without creating a second payment intent', async () => {
    await running.faults({ lostAnswers: 1 });
    const intent = await sdk(running.port, undefined, 2).paymentIntents.create(ORDER);
    expect(await intents()).toMatchObject([{ id: intent.id }]);
  });

  it('a browser can use the same idempotency key as the shop without a conflict', async () => {
    const intent = await running.stripe.paymentIntents.create(ORDER, KEY);
    const headers = { 'idempotency-key': KEY.idempotencyKey };
    const body = `client_secret=${intent.client_secret}&payment_method=pm_card_visa`;
    const path = `/v1/payment_intents/${intent.id}/confirm`;
    expect((await running.raw(path, { key: PUBLISHABLE_KEY, body, headers })).status).toBe(200);
  });

  it('an idempotency key expires after 24 hours', async () => {
    const first = await running.stripe.paymentIntents.create(ORDER, KEY);
    now += 24 * 60 * 60 * 1000;
    expect((await running.stripe.paymentIntents.create(ORDER, KEY)).id).not.toBe(first.id);
  });
});
