import { z } from 'zod';
import { invalidRequest, type StripeFault } from './errors.ts';
import type { IntentObject, Metadata } from './objects.ts';
import { flag, integer, metadata, text } from './params.ts';
import { fromTheBrowser, howToPay, methodFor } from './payment-methods.ts';
import { type Call, find, nowInSeconds, save } from './simulation.ts';

/** The minimum amounts, in each currency's smallest unit. They're worth about half a US dollar. */
const MINIMUM_AMOUNTS: Record<string, number> = { bdt: 6_000, eur: 50, usd: 50 };
const MAXIMUM_AMOUNT = 99_999_999;

const clientSecret = { client_secret: text.optional() };
/** An empty value unsets the field. */
const optionalText = z
  .string()
  .max(1000)
  .transform((given) => given || null)
  .optional();

export const createIntentParams = z.strictObject({
  amount: integer,
  currency: text.toLowerCase(),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).default('always') })
    .default({ enabled: true, allow_redirects: 'always' }),
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
export const retrieveIntentParams = z.strictObject(clientSecret);
export const confirmIntentParams = z.strictObject({
  receipt_email: optionalText,
  ...clientSecret,
  ...howToPay,
  ...fromTheBrowser,
});
export const cancelIntentParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export function createIntent(call: Call, params: z.output<typeof createIntentParams>): IntentObject {
  const { amount, currency, automatic_payment_methods, description = null, receipt_email = null } = params;
  checkAmount(amount, currency);
  const id = call.simulation.newId('pi_');
  const method = methodFor(call, params.payment_method, params.payment_method_data);
  const intent: IntentObject = {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: call.simulation.newId(`${id}_secret_`),
    confirmation_method: 'automatic',
    created: nowInSeconds(call),
    currency,
    customer: null,
    description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    next_action: null,
    payment_method: method?.id ?? null,
    payment_method_types: ['card'],
    processing: null,
    receipt_email,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
  };
  return save(call, intent, 'payment_intent.created');
}

export function updateIntent(call: Call, params: z.output<typeof updateIntentParams>, id: string): IntentObject {
  const before = findIntent(call, id);
  const after = { ...before, ...params, metadata: mergeMetadata(before.metadata, params.metadata) };
  if (after.amount !== before.amount && !isOpen(before)) {
    const message = `This PaymentIntent's amount could not be updated because it has a status of ${before.status}.`;
    throw unexpectedState(message, before);
  }
  checkAmount(after.amount, after.currency);
  return save(call, after);
}

export function cancelIntent(call: Call, params: z.output<typeof cancelIntentParams>, id: string): IntentObject {
  const intent = findIntent(call, id);
  if (!isOpen(intent)) {
    const message =
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of ` +
      'the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, ' +
      'requires_action, processing.';
    throw unexpectedState(message, intent);
  }
  const { cancellation_reason = null } = params;
  const canceled: IntentObject = {
    ...intent,
    status: 'canceled',
    canceled_at: nowInSeconds(call),
    cancellation_reason,
    next_action: null,
  };
  return save(call, canceled, 'payment_intent.canceled');
}

/** Returns the payment intent with this id. A call with the publishable key must also pass the client secret. */
export function findIntent(call: Call, id: string, clientSecret?: string): IntentObject {
  const intent = find(call, 'payment_intent', id, call.publishable ? 'intent' : undefined);
  if (call.publishable && clientSecret === undefined) {
    const details = { code: 'parameter_missing', param: 'client_secret' };
    throw invalidRequest('Missing required param: client_secret.', details);
  }
  if (clientSecret !== undefined && clientSecret !== intent.client_secret) {
    const message = 'The client_secret provided does not match the client_secret associated with the PaymentIntent.';
    throw invalidRequest(message, { code: 'payment_intent_invalid_parameter', param: 'client_secret' });
  }
  return intent;
}

export function unexpectedState(message: string, payment_intent: IntentObject): StripeFault {
  return invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent });
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
    const message = `Amount must convert to at least 50 cents. The minimum amount is ${money(minimum, currency)}.`;
    throw invalidRequest(message, { code: 'amount_too_small', param: 'amount' });
  }
}

export function money(amount: number, currency: string): string {
  const figure = (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${figure} ${currency}`;
}
