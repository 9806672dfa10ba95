import { z } from 'zod';
import { DECLINES, outcomeOf } from './cards.ts';
import { cardFault, invalidRequest, type StripeFault } from './errors.ts';
import { type confirmIntentParams, findIntent, isOpen, unexpectedState } from './intents.ts';
import type { ChargeObject, IntentObject, PaymentMethodObject, StripeErrorBody } from './objects.ts';
import { text } from './params.ts';
import { methodFor } from './payment-methods.ts';
import { type Call, find, nowInSeconds, save } from './simulation.ts';

/** The outcome of a 3-D Secure challenge. The simulator gets the outcome from the browser, whereas Stripe gets it from the bank's page. */
export const challengeParams = z.strictObject({
  client_secret: text.optional(),
  source: text,
  outcome: z.enum(['complete', 'fail']),
});

/**
 * Charges the card, or first requires a 3-D Secure challenge. A payment method in `params` replaces the one that the
 * payment intent already has.
 * @throws StripeFault if the card is declined; the intent then waits for another card
 */
export function confirmIntent(call: Call, params: z.output<typeof confirmIntentParams>, id: string): IntentObject {
  const found = findIntent(call, id, params.client_secret);
  if (!isOpen(found)) throw unexpectedState(whyNotConfirmable(found), found);
  const method = methodFor(call, params.payment_method ?? found.payment_method, params.payment_method_data);
  if (!method) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      'PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.';
    throw unexpectedState(message, found);
  }
  const { receipt_email = found.receipt_email } = params;
  const intent: IntentObject = { ...found, receipt_email, payment_method: method.id };
  const outcome = outcomeOf(method.card);
  switch (outcome) {
    case 'success':
      return succeed(call, intent, method);
    case 'authenticate':
      return askTheBank(call, intent);
    default:
      throw decline(call, intent, method, DECLINES[outcome]);
  }
}

/**
 * Ends a 3-D Secure challenge. `complete` charges the card. `fail` leaves the payment intent waiting for another card.
 */
export function answerChallenge(call: Call, params: z.output<typeof challengeParams>, id: string): IntentObject {
  const intent = findIntent(call, id, params.client_secret);
  if (intent.status !== 'requires_action') {
    const message = `This PaymentIntent has a status of ${intent.status}: there is nothing to authenticate.`;
    throw unexpectedState(message, intent);
  }
  if (intent.next_action?.use_stripe_sdk.source !== params.source) {
    throw invalidRequest(`No such challenge: '${params.source}'`, { code: 'resource_missing', param: 'source' });
  }
  const method = find(call, 'payment_method', String(intent.payment_method));
  if (params.outcome === 'complete') return succeed(call, intent, method);
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  const details = { code: 'payment_intent_authentication_failure', payment_method: method };
  return waitForAnotherCard(call, intent, invalidRequest(message, details).error);
}

function whyNotConfirmable({ status }: IntentObject): string {
  return status === 'succeeded'
    ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
    : `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the ` +
        'following statuses may be confirmed: requires_confirmation, requires_action.';
}

function succeed(call: Call, intent: IntentObject, method: PaymentMethodObject): IntentObject {
  const charge = newCharge(call, intent, method);
  save(call, charge, 'charge.succeeded');
  const succeeded: IntentObject = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  };
  return save(call, succeeded, 'payment_intent.succeeded');
}

function askTheBank(call: Call, intent: IntentObject): IntentObject {
  const source = call.simulation.newId('payatt_');
  const stripe_js = `/v1/payment_intents/${intent.id}/three_d_secure_challenge`;
  const asking: IntentObject = {
    ...intent,
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js, source } },
    status: 'requires_action',
  };
  return save(call, asking, 'payment_intent.requires_action');
}

function decline(
  call: Call,
  intent: IntentObject,
  method: PaymentMethodObject,
  { message, ...reason }: (typeof DECLINES)[keyof typeof DECLINES],
): StripeFault {
  const charge = newCharge(call, intent, method, { failure_code: reason.code, failure_message: message });
  save(call, charge, 'charge.failed');
  const details = { ...reason, charge: charge.id, payment_method: method };
  const { error } = cardFault(message, details);
  const payment_intent = waitForAnotherCard(call, { ...intent, latest_charge: charge.id }, error);
  return cardFault(message, { ...details, payment_intent });
}

function waitForAnotherCard(call: Call, intent: IntentObject, error: StripeErrorBody): IntentObject {
  const waiting: IntentObject = {
    ...intent,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  return save(call, waiting, 'payment_intent.payment_failed');
}

/** Returns a new charge. If `failure` is given, the charge is marked as failed, with a captured amount of 0. */
function newCharge(
  call: Call,
  intent: IntentObject,
  method: PaymentMethodObject,
  failure?: Pick<ChargeObject, 'failure_code' | 'failure_message'>,
): ChargeObject {
  const { brand, last4, exp_month, exp_year } = method.card;
  const paid = failure === undefined;
  return {
    id: call.simulation.newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: paid,
    created: nowInSeconds(call),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: { brand, last4, exp_month, exp_year } },
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
    ...failure,
  };
}
