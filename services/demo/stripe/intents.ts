import { z } from 'zod';
import { invalidRequest, resourceMissing, unexpectedState } from './errors.ts';
import type { IntentObject, Metadata } from './objects.ts';
import { flag, integer, type ListParams, metadata, text } from './params.ts';
import { fromTheBrowser, howToPay, methodFor } from './payment-methods.ts';
import { type Call, emit, listPage, nowInSeconds } from './simulation.ts';

/** About half a US dollar, in the smallest unit of each currency. */
const MINIMUM_AMOUNTS: Record<string, number> = { bdt: 6_000, eur: 50, usd: 50 };
const MAXIMUM_AMOUNT = 99_999_999;

const secret = { client_secret: text.optional() };
const optionalText = z.string().max(1000).optional();

export const createIntentParams = z.strictObject({
  amount: integer,
  currency: text.toLowerCase(),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).default('always') })
    .optional(),
  confirm: flag.optional(),
  description: optionalText,
  metadata: metadata.optional(),
  receipt_email: optionalText,
  return_url: text.optional(),
  ...howToPay,
});
export const updateIntentParams = z.strictObject({
  amount: integer.optional(),
  description: optionalText,
  metadata: metadata.optional(),
  receipt_email: optionalText,
});
export const retrieveIntentParams = z.strictObject(secret);
export const confirmIntentParams = z.strictObject({
  receipt_email: optionalText,
  ...secret,
  ...howToPay,
  ...fromTheBrowser,
});
export const cancelIntentParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export function createIntent(call: Call, params: z.output<typeof createIntentParams>): IntentObject {
  const { amount, currency, automatic_payment_methods: automatic, description, receipt_email } = params;
  checkAmount(amount, currency);
  const id = call.simulation.newId('pi_');
  const paid = methodFor(call, params);
  const intent: IntentObject = {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: automatic ?? { enabled: true, allow_redirects: 'always' },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: call.simulation.newId(`${id}_secret_`),
    confirmation_method: 'automatic',
    created: nowInSeconds(call),
    currency,
    customer: null,
    description: description || null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    next_action: null,
    payment_method: paid?.method.id ?? null,
    payment_method_types: ['card'],
    processing: null,
    receipt_email: receipt_email || null,
    status: paid ? 'requires_confirmation' : 'requires_payment_method',
  };
  keepIntent(call, intent);
  emit(call, 'payment_intent.created', intent);
  return intent;
}

export function updateIntent(call: Call, id: string, params: z.output<typeof updateIntentParams>): IntentObject {
  const intent = findIntent(call, id);
  const amount = params.amount ?? intent.amount;
  if (amount !== intent.amount && !isOpen(intent)) {
    const message = `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}.`;
    throw unexpectedState(message, intent);
  }
  checkAmount(amount, intent.currency);
  return keepIntent(call, {
    ...intent,
    amount,
    description: params.description === undefined ? intent.description : params.description || null,
    receipt_email: params.receipt_email === undefined ? intent.receipt_email : params.receipt_email || null,
    metadata: mergeMetadata(intent.metadata, params.metadata),
  });
}

/** With the publishable key it needs the intent's secret as well, and hides the shop's own fields. */
export function retrieveIntent(call: Call, id: string, params: { client_secret?: string | undefined }) {
  return viewFor(call, findIntent(call, id, params.client_secret));
}

export function listIntents(call: Call, params: ListParams) {
  return listPage(call, 'payment_intent', '/v1/payment_intents', params);
}

export function cancelIntent(call: Call, id: string, params: z.output<typeof cancelIntentParams>): IntentObject {
  const intent = findIntent(call, id);
  if (!isOpen(intent)) {
    const message =
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of ` +
      'the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, ' +
      'requires_action, processing.';
    throw unexpectedState(message, intent);
  }
  const canceled = keepIntent(call, {
    ...intent,
    status: 'canceled',
    canceled_at: nowInSeconds(call),
    cancellation_reason: params.cancellation_reason ?? null,
    next_action: null,
  });
  emit(call, 'payment_intent.canceled', canceled);
  return canceled;
}

/** With the publishable key it needs the client secret as well. */
export function findIntent(call: Call, id: string, clientSecret?: string): IntentObject {
  const intent = call.simulation.store.get('payment_intent', id);
  if (!intent) throw resourceMissing('payment_intent', id, call.publishable ? 'intent' : undefined);
  if (call.publishable && clientSecret === undefined) {
    throw invalidRequest('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    });
  }
  if (clientSecret !== undefined && clientSecret !== intent.client_secret) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      {
        code: 'payment_intent_invalid_parameter',
        param: 'client_secret',
      },
    );
  }
  return intent;
}

export function keepIntent(call: Call, intent: IntentObject): IntentObject {
  call.simulation.store.put('payment_intent', intent.id, intent, { created: intent.created });
  return intent;
}

/** Browsers see neither the metadata nor the charge. */
export function viewFor(call: Call, intent: IntentObject): Partial<IntentObject> {
  if (!call.publishable) return intent;
  const {
    metadata: _metadata,
    latest_charge: _charge,
    amount_received: _received,
    customer: _customer,
    ...seen
  } = intent;
  return seen;
}

export function isOpen({ status }: IntentObject): boolean {
  return status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action';
}

export function mergeMetadata(before: Metadata, changes: Metadata = {}): Metadata {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}

function checkAmount(amount: number, currency: string): void {
  const minimum = MINIMUM_AMOUNTS[currency];
  if (minimum === undefined) {
    const known = Object.keys(MINIMUM_AMOUNTS).join(', ');
    throw invalidRequest(`Invalid currency: ${currency}. The simulator supports ${known}.`, { param: 'currency' });
  }
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.';
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' });
  }
  if (amount > MAXIMUM_AMOUNT) {
    const message = `Amount must be no more than ${money(MAXIMUM_AMOUNT, currency)}.`;
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount' });
  }
  if (amount < minimum) {
    const message = `Amount must convert to at least 50 cents. The least amount is ${money(minimum, currency)}.`;
    throw invalidRequest(message, { code: 'amount_too_small', param: 'amount' });
  }
}

export function money(amount: number, currency: string): string {
  const figure = (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${figure} ${currency}`;
}
