import { z } from 'zod';
import { bookCharge, bookChargeFailure } from './balance-transactions.ts';
import { afterwardsOf, DECLINES, outcomeOf } from './cards.ts';
import { cardFault, invalidRequest, type StripeFault } from './errors.ts';
import { type confirmIntentParams, findIntent, isOpen, unexpectedState } from './intents.ts';
import type { ChargeObject, IntentObject, PaymentMethodObject, StripeErrorBody } from './objects.ts';
import { text } from './params.ts';
import { methodFor } from './payment-methods.ts';
import { type Call, doLater, find, nowInSeconds, save } from './simulation.ts';

/** The outcome of a 3-D Secure challenge. The simulator gets the outcome from the browser, whereas Stripe gets it from the bank's page. */
export const challengeParams = z.strictObject({
  client_secret: text.optional(),
  source: text,
  outcome: z.enum(['complete', 'fail']),
});

/**
 * Charges the card, or starts a payment that takes time, or first requires a 3-D Secure challenge. A payment method in `params` replaces the one that the
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
    case 'processing_then_succeed':
      return startProcessing(call, intent, method, 'succeed');
    case 'processing_then_fail':
      return startProcessing(call, intent, method, 'fail');
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

/** Ends the processing of a payment, as a bank does some time after the confirmation. */
export function finishPayment(call: Call, id: string, outcome: 'succeed' | 'fail'): IntentObject {
  const intent = find(call, 'payment_intent', id);
  if (intent.status !== 'processing' || intent.latest_charge === null) {
    throw unexpectedState(`This PaymentIntent has a status of ${intent.status}: it isn't processing.`, intent);
  }
  const charge = find(call, 'charge', intent.latest_charge);
  if (outcome === 'succeed') return collect(call, intent, charge);
  const method = find(call, 'payment_method', String(intent.payment_method));
  fail(call, intent, method, charge, DECLINES.generic_decline);
  return find(call, 'payment_intent', id);
}

/** Books the money of a charge that was made without a balance transaction. */
export function settleCharge(call: Call, id: string): void {
  const charge = find(call, 'charge', id);
  if (charge.balance_transaction !== null) return;
  save(call, { ...charge, balance_transaction: bookCharge(call, charge) }, 'charge.updated');
}

/**
 * Takes a completed charge's money back, as the bank of a debited account can do weeks later.
 * @throws StripeFault if the charge brought no money, or it was already taken back
 */
export function failCharge(call: Call, id: string): ChargeObject {
  const charge = find(call, 'charge', id);
  if (charge.balance_transaction === null || charge.failure_balance_transaction !== null) {
    throw invalidRequest(`Charge ${id} has no money that could be taken back.`, { param: 'charge' });
  }
  const failure_balance_transaction = bookChargeFailure(call, charge);
  const failed: ChargeObject = {
    ...charge,
    failure_balance_transaction,
    failure_code: 'payment_method_no_longer_valid',
  };
  return save(call, { ...failed, paid: false, status: 'failed' }, 'charge.failed');
}

function whyNotConfirmable({ status }: IntentObject): string {
  return status === 'succeeded'
    ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
    : `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the ` +
        'following statuses may be confirmed: requires_confirmation, requires_action.';
}

function succeed(call: Call, intent: IntentObject, method: PaymentMethodObject): IntentObject {
  return collect(call, intent, newCharge(call, intent, method));
}

/** Completes the charge and the payment. */
function collect(call: Call, intent: IntentObject, pending: ChargeObject): IntentObject {
  const { lateBalanceMs, decisionMs } = call.simulation.faults;
  const paid: ChargeObject = {
    ...pending,
    amount_captured: pending.amount,
    captured: true,
    paid: true,
    status: 'succeeded',
  };
  const charge = lateBalanceMs > 0 ? paid : { ...paid, balance_transaction: bookCharge(call, paid) };
  save(call, charge, 'charge.succeeded');
  if (lateBalanceMs > 0) doLater(call, lateBalanceMs, { kind: 'settle_charge', charge: charge.id });
  const { dispute } = afterwardsOf(charge.payment_method_details.card);
  if (dispute) doLater(call, decisionMs, { kind: 'open_dispute', charge: charge.id, params: dispute });
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

function startProcessing(
  call: Call,
  intent: IntentObject,
  method: PaymentMethodObject,
  outcome: 'succeed' | 'fail',
): IntentObject {
  const charge = save(call, newCharge(call, intent, method), 'charge.pending');
  doLater(call, call.simulation.faults.decisionMs, { kind: 'finish_payment', intent: intent.id, outcome });
  const processing: IntentObject = {
    ...intent,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'processing',
  };
  return save(call, processing, 'payment_intent.processing');
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

type Decline = (typeof DECLINES)[keyof typeof DECLINES];

function decline(call: Call, intent: IntentObject, method: PaymentMethodObject, reason: Decline): StripeFault {
  return fail(call, intent, method, newCharge(call, intent, method), reason);
}

/** Marks a charge as failed. Returns the error that the caller of the API gets if the card is declined at once. */
function fail(
  call: Call,
  intent: IntentObject,
  method: PaymentMethodObject,
  pending: ChargeObject,
  { message, ...reason }: Decline,
): StripeFault {
  const charge: ChargeObject = {
    ...pending,
    failure_code: reason.code,
    failure_message: message,
    status: 'failed',
  };
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

/** Returns a new charge that is neither paid nor failed yet. */
function newCharge(call: Call, intent: IntentObject, method: PaymentMethodObject): ChargeObject {
  const { brand, last4, exp_month, exp_year } = method.card;
  return {
    id: call.simulation.newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: false,
    created: nowInSeconds(call),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: { brand, last4, exp_month, exp_year } },
    refunded: false,
    status: 'pending',
  };
}
