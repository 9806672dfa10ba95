import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, refusalOf, startSimulator } from './simulator.fixture.ts';

let running: Running;
beforeAll(async () => {
  running = await startSimulator();
});
afterAll(() => running.close());

const ORDER = { amount: 125_000, currency: 'bdt', metadata: { order: 'o1' } };
const create = () => running.stripe.paymentIntents.create(ORDER);
const confirm = (id: string, payment_method: string) => running.stripe.paymentIntents.confirm(id, { payment_method });

describe('payment intent calls made through the Stripe SDK', () => {
  it('a new payment intent has the status requires_payment_method, and retrieving it returns the same intent', async () => {
    const params = { ...ORDER, automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const } };
    const intent = await running.stripe.paymentIntents.create(params);
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 125_000,
      amount_received: 0,
      currency: 'bdt',
      status: 'requires_payment_method',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: { order: 'o1' },
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      payment_method: null,
      livemode: false,
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(60);
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  it('confirming a payment intent charges a valid card, and a second confirmation is refused', async () => {
    const { id } = await create();
    const paid = await confirm(id, 'pm_card_visa');
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 125_000 });
    const charge = await running.stripe.charges.retrieve(String(paid.latest_charge));
    expect(charge).toMatchObject({ paid: true, status: 'succeeded', payment_intent: id, amount: 125_000 });
    const refusal = await refusalOf(confirm(id, 'pm_card_visa'));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(refusal.payment_intent).toMatchObject({ id, status: 'succeeded' });
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      'pm_card_chargeDeclinedInsufficientFunds',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', '', 'Your card has expired.'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', '', "Your card's security code is incorrect."],
  ])('the card %s is declined with a 402, and another card then works', async (card, code, declineCode, message) => {
    const { id } = await create();
    const refusal = await refusalOf(confirm(id, card));
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(refusal).toMatchObject({ statusCode: 402, code, decline_code: declineCode, message });
    expect(refusal.payment_intent).toMatchObject({ id, status: 'requires_payment_method' });
    const waiting = await running.stripe.paymentIntents.retrieve(id);
    expect(waiting).toMatchObject({ amount_received: 0, payment_method: null, last_payment_error: { code, message } });
    const charge = await running.stripe.charges.retrieve(String(waiting.latest_charge));
    expect(charge).toMatchObject({ paid: false, status: 'failed', failure_code: code });
    expect(await confirm(id, 'pm_card_mastercard')).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  it('a card that requires 3-D Secure is not charged until the challenge is completed', async () => {
    const { id } = await create();
    const asking = await confirm(id, 'pm_card_threeDSecure2Required');
    expect(asking).toMatchObject({ status: 'requires_action', amount_received: 0 });
    expect(asking.next_action).toMatchObject({ type: 'use_stripe_sdk' });
    const sdkAction = asking.next_action?.use_stripe_sdk as { source: string; stripe_js: string };
    const forged = await running.raw(sdkAction.stripe_js, { body: 'source=payatt_forged&outcome=complete' });
    expect(forged.status).toBe(400);
    const done = await running.raw(sdkAction.stripe_js, { body: `source=${sdkAction.source}&outcome=complete` });
    expect(await done.json()).toMatchObject({ id, status: 'succeeded', amount_received: 125_000, next_action: null });
  });

  it('a payment intent whose 3-D Secure challenge failed can still be paid with another card', async () => {
    const { id } = await create();
    const asking = await confirm(id, 'pm_card_threeDSecure2Required');
    const sdkAction = asking.next_action?.use_stripe_sdk as { source: string; stripe_js: string };
    await running.raw(sdkAction.stripe_js, { body: `source=${sdkAction.source}&outcome=fail` });
    expect(await running.stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    expect((await confirm(id, 'pm_card_visa')).status).toBe('succeeded');
  });

  it('a payment intent can be cancelled while it is open, but not after it has succeeded or been cancelled', async () => {
    const open = await create();
    const canceled = await running.stripe.paymentIntents.cancel(open.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(canceled.canceled_at).toEqual(expect.any(Number));
    const paid = await create();
    await confirm(paid.id, 'pm_card_visa');
    for (const { id } of [open, paid]) {
      const refusal = await refusalOf(running.stripe.paymentIntents.cancel(id));
      expect(refusal.code).toBe('payment_intent_unexpected_state');
    }
    expect((await refusalOf(confirm(open.id, 'pm_card_visa'))).code).toBe('payment_intent_unexpected_state');
  });

  it("an open payment intent's amount and metadata can be updated, and an empty value removes a metadata key", async () => {
    const { id } = await create();
    const metadata = { order: '', customer: 'c1' };
    const updated = await running.stripe.paymentIntents.update(id, { amount: 50_000, metadata });
    expect(updated).toMatchObject({ amount: 50_000, metadata: { customer: 'c1' } });
    expect(updated.metadata).not.toHaveProperty('order');
    await confirm(id, 'pm_card_visa');
    const refusal = await refusalOf(running.stripe.paymentIntents.update(id, { amount: 60_000 }));
    expect(refusal.code).toBe('payment_intent_unexpected_state');
  });

  it('a payment intent can be created and confirmed in one request', async () => {
    const params = { ...ORDER, confirm: true, payment_method: 'pm_card_visa' };
    expect((await running.stripe.paymentIntents.create(params)).status).toBe('succeeded');
    const declined = { ...params, payment_method: 'pm_card_chargeDeclined' };
    expect((await refusalOf(running.stripe.paymentIntents.create(declined))).code).toBe('card_declined');
  });

  it('confirming a payment intent without a payment method, or with an unknown one, is refused', async () => {
    const { id } = await create();
    const refusal = await refusalOf(running.stripe.paymentIntents.confirm(id));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect((await refusalOf(confirm(id, 'pm_unknown'))).code).toBe('resource_missing');
  });

  it.each([
    [{ amount: 5_999, currency: 'bdt' }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000, currency: 'bdt' }, 'amount_too_large', 'amount'],
    [{ amount: 12.5, currency: 'bdt' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: -5, currency: 'bdt' }, 'parameter_invalid_integer', 'amount'],
    [{ currency: 'bdt' }, 'parameter_missing', 'amount'],
    [{ amount: 125_000, currency: 'xyz' }, undefined, 'currency'],
    [{ ...ORDER, colour: 'red' }, 'parameter_unknown', 'colour'],
    [
      { ...ORDER, automatic_payment_methods: { enabled: true, depth: 1 } },
      'parameter_unknown',
      'automatic_payment_methods[depth]',
    ],
    [{ ...ORDER, metadata: { long: 'x'.repeat(501) } }, undefined, 'metadata[long]'],
  ])('creating a payment intent with the parameters %o is refused', async (params, code, param) => {
    const refusal = await refusalOf(running.stripe.paymentIntents.create(params as Stripe.PaymentIntentCreateParams));
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(refusal).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', code, param });
  });

  it('a payment intent can be created for the smallest and the largest allowed amount', async () => {
    for (const amount of [6_000, 99_999_999]) {
      expect((await running.stripe.paymentIntents.create({ amount, currency: 'bdt' })).amount).toBe(amount);
    }
  });

  it('payment intents are listed newest first, and the list can be paged through to the oldest', async () => {
    const ids = [await create(), await create(), await create()].map((intent) => intent.id).reverse();
    const page = await running.stripe.paymentIntents.list({ limit: 2 });
    expect(page.data.map((intent) => intent.id)).toEqual(ids.slice(0, 2));
    expect(page).toMatchObject({ object: 'list', url: '/v1/payment_intents', has_more: true });
    const walked: string[] = [];
    for await (const { id } of running.stripe.paymentIntents.list({ limit: 2 })) if (walked.push(id) === 3) break;
    expect(walked).toEqual(ids);
    const newer = await running.stripe.paymentIntents.list({ ending_before: ids[2] ?? '' });
    expect(newer.data.map((intent) => intent.id)).toEqual(ids.slice(0, 2));
    const future = await running.stripe.paymentIntents.list({ created: { gt: Math.floor(Date.now() / 1000) + 60 } });
    expect(future.data).toEqual([]);
    expect((await refusalOf(running.stripe.paymentIntents.list({ limit: 101 }))).param).toBe('limit');
  });
});

describe('payment methods', () => {
  const inTwoYears = new Date().getFullYear() + 2;
  const make = (number: string, rest: object = {}) =>
    running.stripe.paymentMethods.create({
      type: 'card',
      card: { number, exp_month: 12, exp_year: inTwoYears, cvc: '123', ...rest },
      billing_details: { name: 'Rina', email: 'rina@micro-center.test' },
    });

  it("a payment method stores its test card's brand and last four digits, but not the full number", async () => {
    const method = await make('4242 4242 4242 4242');
    expect(method).toMatchObject({ object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242' } });
    expect(method.billing_details).toMatchObject({ name: 'Rina', email: 'rina@micro-center.test', phone: null });
    expect(JSON.stringify(method)).not.toContain('42424242');
    expect(await running.stripe.paymentMethods.retrieve(method.id)).toEqual(method);
    const { id } = await create();
    expect(await confirm(id, method.id)).toMatchObject({ status: 'succeeded', payment_method: method.id });
  });

  it.each([
    ['4111111111111111', {}, 'card_declined', 'test_mode_live_card'],
    ['4242424242424241', {}, 'incorrect_number', ''],
    ['4242', {}, 'incorrect_number', ''],
    ['4242424242424242', { exp_month: 13 }, 'invalid_expiry_month', ''],
    ['4242424242424242', { exp_year: 2020 }, 'invalid_expiry_year', ''],
    ['4242424242424242', { cvc: '12' }, 'invalid_cvc', ''],
  ])('creating a payment method for card %s with details %o is refused', async (number, rest, code, declineCode) => {
    const refusal = await refusalOf(make(number, rest));
    expect(refusal).toMatchObject({ statusCode: 402, code, decline_code: declineCode });
  });
});
