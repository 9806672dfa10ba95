import { z } from 'zod';
import { declineOf } from './cards.ts';
import { cardFault, docUrl, invalidRequest, type StripeFault, unexpectedState } from './errors.ts';
import { type confirmIntentParams, findIntent, isOpen, keepIntent, viewFor } from './intents.ts';
import type { ChargeObject, IntentObject, PaymentErrorObject } from './objects.ts';
import { text } from './params.ts';
import { methodFor, type UsableMethod } from './payment-methods.ts';
import { type Call, emit, nowInSeconds } from './simulation.ts';

/** The simulator asks by a call of the browser, Stripe by a page of the bank. */
export const challengeParams = z.strictObject({
  client_secret: text.optional(),
  source: text,
  outcome: z.enum(['complete', 'fail']),
});

/** The intent succeeds, asks for 3-D Secure, or waits for another card. */
export function confirmIntent(call: Call, id: string, params: z.output<typeof confirmIntentParams>) {
  const intent = findIntent(call, id, params.client_secret);
  checkConfirmable(call, intent);
  const usable = methodFor(call, { payment_method: intent.payment_method ?? undefined, ...present(params) });
  if (!usable) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      'PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.';
    throw unexpectedState(message, viewFor(call, intent));
  }
  const receiptEmail = params.receipt_email ?? intent.receipt_email;
  return attempt(call, { ...intent, receipt_email: receiptEmail, payment_method: usable.method.id }, usable);
}

/** `complete` takes the money, `fail` leaves the intent waiting for another card. */
export function answerChallenge(call: Call, id: string, params: z.output<typeof challengeParams>) {
  const intent = findIntent(call, id, params.client_secret);
  if (intent.status !== 'requires_action') {
    const message = `This PaymentIntent has a status of ${intent.status}: there is nothing to authenticate.`;
    throw unexpectedState(message, viewFor(call, intent));
  }
  if (intent.next_action?.use_stripe_sdk.source !== params.source) {
    throw invalidRequest(`No such challenge: '${params.source}'`, { code: 'resource_missing', param: 'source' });
  }
  const usable = methodFor(call, { payment_method: intent.payment_method ?? undefined });
  if (!usable) throw new Error(`the payment method of ${intent.id} is not there`);
  if (params.outcome === 'complete') return succeed(call, { ...intent, next_action: null }, usable);
  return failAuthentication(call, intent, usable);
}

/** A card in the confirmation replaces the intent's. */
function present({ payment_method, payment_method_data }: z.output<typeof confirmIntentParams>) {
  return payment_method === undefined && payment_method_data === undefined
    ? {}
    : { payment_method, payment_method_data };
}

function checkConfirmable(call: Call, intent: IntentObject): void {
  if (isOpen(intent)) return;
  const message =
    intent.status === 'succeeded'
      ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
      : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one ` +
        'of the following statuses may be confirmed: requires_confirmation, requires_action.';
  throw unexpectedState(message, viewFor(call, intent));
}

function attempt(call: Call, intent: IntentObject, usable: UsableMethod) {
  const { outcome } = usable;
  switch (outcome) {
    case 'success':
      return succeed(call, intent, usable);
    case 'authenticate':
      return askTheBank(call, intent);
    default:
      throw decline(call, intent, usable, outcome);
  }
}

function succeed(call: Call, intent: IntentObject, usable: UsableMethod) {
  const charge = keepCharge(call, intent, usable, { status: 'succeeded', paid: true, captured: true });
  const succeeded = keepIntent(call, {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  });
  emit(call, 'charge.succeeded', charge);
  emit(call, 'payment_intent.succeeded', succeeded);
  return viewFor(call, succeeded);
}

function askTheBank(call: Call, intent: IntentObject) {
  const source = call.simulation.newId('payatt_');
  const asking = keepIntent(call, {
    ...intent,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: {
        type: 'three_d_secure_redirect',
        stripe_js: `/v1/payment_intents/${intent.id}/three_d_secure_challenge`,
        source,
      },
    },
    status: 'requires_action',
  });
  emit(call, 'payment_intent.requires_action', asking);
  return viewFor(call, asking);
}

function decline(
  call: Call,
  intent: IntentObject,
  usable: UsableMethod,
  outcome: Parameters<typeof declineOf>[0],
): StripeFault {
  const reason = declineOf(outcome);
  const failure = { failure_code: reason.code, failure_message: reason.message };
  const charge = keepCharge(call, intent, usable, { status: 'failed', ...failure });
  const error = { ...reason, charge: charge.id, payment_method: usable.method };
  const waiting = backToWaiting(
    call,
    { ...intent, latest_charge: charge.id },
    { type: 'card_error', ...error, doc_url: docUrl(reason.code) },
  );
  emit(call, 'charge.failed', charge);
  emit(call, 'payment_intent.payment_failed', waiting);
  return cardFault({ ...error, payment_intent: viewFor(call, waiting) });
}

function failAuthentication(call: Call, intent: IntentObject, usable: UsableMethod) {
  const waiting = backToWaiting(call, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    doc_url: docUrl('payment_intent_authentication_failure'),
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: usable.method,
  });
  emit(call, 'payment_intent.payment_failed', waiting);
  return viewFor(call, waiting);
}

function backToWaiting(call: Call, intent: IntentObject, error: PaymentErrorObject): IntentObject {
  return keepIntent(call, {
    ...intent,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
}

function keepCharge(
  call: Call,
  intent: IntentObject,
  { method }: UsableMethod,
  result: Pick<ChargeObject, 'status'> & Partial<ChargeObject>,
): ChargeObject {
  const { brand, last4, exp_month, exp_year } = method.card;
  const charge: ChargeObject = {
    id: call.simulation.newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: result.paid ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: false,
    created: nowInSeconds(call),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: { brand, last4, exp_month, exp_year } },
    refunded: false,
    ...result,
  };
  call.simulation.store.put('charge', charge.id, charge, { created: charge.created, parent: intent.id });
  return charge;
}
