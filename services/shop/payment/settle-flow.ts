import type Stripe from 'stripe';
import { idSchema } from '../../contracts/ids.ts';
import { CURRENCY, toPoisha } from '../../contracts/money.ts';
import type { PaymentFailure } from '../../contracts/payment/payment-failures.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import { intentOf, type OrderCommand, type OrderState, openIntent } from '../order/order.ts';
import { executeOnOrder, type PaymentContext, type StripeCalls } from './payment-context-flow.ts';
import {
  type Known,
  type OrderMissing,
  type PaymentMeta,
  PaymentProviderFailed,
  type SettleOutcome,
} from './payments.ts';
import { callStripe } from './stripe-client-flow.ts';

type Settlement = Extract<OrderCommand, { type: 'SettlePayment' | 'AbandonPayment' }>;
type Signed = NonNullable<Known['signed']>;

/**
 * Records a payment intent's outcome on its order. Webhooks, client reports and reconciliation all use this one
 * function (PAY1). Idempotent (PAY2). Fetches the intent from Stripe unless the payment is already recorded or the
 * amounts in `known.signed` match the order.
 */
export async function settle(
  context: PaymentContext,
  intentId: string,
  meta: PaymentMeta,
  known?: Known,
): Promise<SettleOutcome> {
  if (known) {
    const { orderId, signed } = known;
    const { state, version } = await context.handler.load(orderDecider, orderId);
    if (isRecorded(state, intentId)) return settled(orderId, intentId, { state, version, modified: false });
    if (signed && isAskedFor(state, intentId, signed))
      return record(context, orderId, succeeded(intentId, signed), meta);
  }
  const found = await findOrder(context, intentId);
  if (found.kind !== 'found') return found;
  const { orderId, intent } = found;
  const command = commandFor(intent);
  if (command !== null) return record(context, orderId, command, meta);
  await noteProgress(context, found, meta);
  return { kind: 'not_complete', orderId, status: intent.status };
}

/** Records that Stripe is processing the payment, or that an attempt to pay failed (PAY7). Otherwise does nothing. */
async function noteProgress(
  context: PaymentContext,
  { orderId, intent }: { readonly orderId: string; readonly intent: Stripe.PaymentIntent },
  meta: PaymentMeta,
): Promise<void> {
  const { id, status, last_payment_error: error, latest_charge: charge } = intent;
  if (status === 'processing') {
    const until = isoTime(context.clock() + context.processingTtlMs);
    const command = { type: 'NoteProcessing', intent: id, until } as const;
    await executeOnOrder(context, orderId, command, { ...meta, cause: `processing:${id}` });
  } else if (error) {
    const command = { type: 'NoteFailedAttempt', intent: id, reason: failureOf(error) } as const;
    const attempt = typeof charge === 'string' ? charge : (charge?.id ?? error.code ?? error.type);
    await executeOnOrder(context, orderId, command, { ...meta, cause: `attempt:${id}:${attempt}` });
  }
}

const FAILURES: Readonly<Record<string, PaymentFailure>> = {
  card_declined: 'declined',
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'wrong_card_details',
  invalid_cvc: 'wrong_card_details',
  incorrect_number: 'wrong_card_details',
  invalid_number: 'wrong_card_details',
  invalid_expiry_month: 'wrong_card_details',
  invalid_expiry_year: 'wrong_card_details',
  payment_intent_authentication_failure: 'not_authenticated',
  authentication_required: 'not_authenticated',
};

function failureOf({ code, decline_code: declined }: Stripe.PaymentIntent.LastPaymentError): PaymentFailure {
  return FAILURES[declined ?? ''] ?? FAILURES[code ?? ''] ?? 'other';
}

/**
 * Returns true if the payment is already recorded on the order's stream. No later event about the payment intent can
 * change that.
 */
function isRecorded(state: OrderState, intentId: string): boolean {
  const status = state.status === 'absent' ? undefined : intentOf(state, intentId)?.status;
  return status === 'paid' || status === 'refund_due' || status === 'refunded';
}

/**
 * Returns true if `intentId` is the open payment intent of an unpaid order and exactly the order's total was received.
 * Otherwise, the intent has to be fetched from Stripe.
 */
function isAskedFor(state: OrderState, intentId: string, { amount, amountReceived, currency }: Signed): boolean {
  if (state.status !== 'unpaid' || openIntent(state)?.intent !== intentId) return false;
  const total = toPoisha(state.total);
  return amount === total && amountReceived === total && currency === CURRENCY;
}

async function record(
  context: PaymentContext,
  orderId: string,
  command: Settlement,
  meta: PaymentMeta,
): Promise<SettleOutcome> {
  const { intent } = command;
  const outcome = await executeOnOrder(context, orderId, command, { ...meta, cause: `settle:${intent}` });
  if (outcome.kind === 'refused') return outcome;
  return settled(orderId, intent, { ...outcome, modified: outcome.events.length > 0 });
}

function settled(
  orderId: string,
  intentId: string,
  { state, version, modified }: { state: OrderState; version: number; modified: boolean },
): SettleOutcome {
  const paid = state.status !== 'absent' && intentOf(state, intentId)?.status === 'paid';
  return { kind: 'settled', orderId, version, modified, paid };
}

type Found =
  | { readonly kind: 'found'; readonly orderId: string; readonly intent: Stripe.PaymentIntent }
  | { readonly kind: 'not_ours' }
  | OrderMissing;

/**
 * Fetches a payment intent from Stripe and finds the order that the intent's metadata names. Logs an error if money was
 * received but the order isn't in the log. The ledger lists such a payment until it was refunded (LEDGER4).
 */
export async function findOrder(context: PaymentContext, intentId: string): Promise<Found> {
  const intent = await retrieveIntent(context.stripe, intentId);
  const named = idSchema.safeParse(intent?.metadata.orderId);
  if (intent === null || !named.success) return { kind: 'not_ours' };
  const orderId = named.data;
  const { state } = await context.handler.load(orderDecider, orderId);
  if (state.status !== 'absent') return { kind: 'found', orderId, intent };
  if (intent.amount_received === 0) return { kind: 'not_ours' };
  const { id, amount_received: amount } = intent;
  context.logger.error({ orderId, intent: id, amount }, 'money was received for an order that the shop does not have');
  return { kind: 'order_missing', orderId };
}

function commandFor({ id, status, amount, amount_received: amountReceived, currency }: Stripe.PaymentIntent) {
  switch (status) {
    case 'succeeded':
      return succeeded(id, { amount, amountReceived, currency });
    case 'canceled':
      return { type: 'AbandonPayment', intent: id } as const;
    default:
      return null;
  }
}

function succeeded(intent: string, { amountReceived, currency }: Signed): Settlement {
  return { type: 'SettlePayment', intent, amount: amountReceived, currency };
}

/** Fetches a payment intent. Returns null if Stripe doesn't know it. */
export async function retrieveIntent(stripe: StripeCalls, intentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await callStripe(() => stripe.paymentIntents.retrieve(intentId));
  } catch (error) {
    if (error instanceof PaymentProviderFailed && error.code === 'resource_missing') return null;
    throw error;
  }
}

/** Closes an order's open payment intent if the order is no longer unpaid (PAY5). */
export async function withdraw(
  context: PaymentContext,
  orderId: string,
  intentId: string,
  meta: PaymentMeta,
): Promise<void> {
  const { state } = await context.handler.load(orderDecider, orderId);
  if (state.status === 'absent' || state.status === 'unpaid') return;
  if (!state.intents.some((one) => one.intent === intentId && one.status === 'open')) return;
  await closeIntent(context, orderId, intentId, meta);
}

/** Cancels a payment intent unless it has already ended, and records the outcome: abandoned, or paid after all. */
export async function closeIntent(
  context: PaymentContext,
  orderId: string,
  intentId: string,
  meta: PaymentMeta,
): Promise<void> {
  try {
    await callStripe(() => context.stripe.paymentIntents.cancel(intentId));
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed)) throw error;
    if (error.code === 'resource_missing') return abandonMissing(context, orderId, intentId, meta);
    // If the payment intent has ended or can't be cancelled right now, settle() finds out which.
    if (error.code !== 'payment_intent_unexpected_state') throw error;
  }
  await settle(context, intentId, meta);
}

/**
 * Abandons a payment intent that Stripe doesn't know, because the secret key now belongs to another account or mode. If
 * money arrives for the intent all the same, the order can't accept it any more and refunds it (PAY4).
 */
export async function abandonMissing(
  context: PaymentContext,
  orderId: string,
  intent: string,
  meta: PaymentMeta,
): Promise<void> {
  context.logger.warn({ orderId, intent }, 'Stripe does not know a payment intent any more; it is abandoned');
  await executeOnOrder(context, orderId, { type: 'AbandonPayment', intent }, { ...meta, cause: `missing:${intent}` });
}
