import type Stripe from 'stripe';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { type IntentState, intentOf, type OrderCommand } from '../../shop/order/order.ts';
import { executeOnOrder, type PaymentContext, type StripeCalls } from './payment-context.ts';
import { type PaymentMeta, PaymentProviderFailed } from './payments.ts';
import { callStripe, createUnderKey } from './stripe-client.ts';

/**
 * The maximum number of refunds attempted for a payment intent. If all of them fail, a person has to return the money
 * manually.
 */
const MAX_REFUNDS = 3;

interface Refunding {
  readonly context: PaymentContext;
  readonly orderId: string;
  readonly intentId: string;
  readonly meta: PaymentMeta;
}

/**
 * Refunds a payment intent, and records the refund if it has succeeded in Stripe (PAY6). First checks Stripe for
 * earlier refunds of the same intent, because they may still succeed.
 */
export async function refund(refunding: Refunding): Promise<void> {
  const { context, orderId } = refunding;
  const before = await loadIntent(refunding);
  if (before?.status !== 'refund_due') return;
  const { pending } = await recordRefunds(refunding, before);
  const left = await loadIntent(refunding);
  if (pending || left?.status !== 'refund_due' || left.failedRefunds.length >= MAX_REFUNDS) return;
  await refundAtStripe(context, orderId, left);
  await recordRefunds(refunding, left);
}

/**
 * Records a payment intent's failed refunds, and its full refund once Stripe has returned all of the money. If Stripe
 * has refunded money although no refund of the intent was ever due, stores a note, so that a person can look into it.
 */
export async function settleRefunds(refunding: Refunding): Promise<void> {
  const { context, orderId, intentId } = refunding;
  const intent = await loadIntent(refunding);
  if (intent?.due) await recordRefunds(refunding, intent);
  const amount = intent?.due ? 0 : await refundedAt(context.stripe, intentId);
  context.unrecorded.note({ what: 'refunded_without_being_due', orderId, intent: intentId, amount });
}

/**
 * Stores a note about the unrefunded part of a payment, so that a person can look into it. Call this if the payment's
 * order isn't in the log.
 */
export async function noteMissingOrder(
  { stripe, unrecorded }: PaymentContext,
  orderId: string,
  { id: intent, amount_received: received }: Stripe.PaymentIntent,
): Promise<void> {
  const amount = received - (await refundedAt(stripe, intent));
  unrecorded.note({ what: 'paid_for_missing_order', orderId, intent, amount });
}

/**
 * Returns how much of a payment intent Stripe has refunded or is about to refund, in the smallest unit of the intent's
 * currency.
 */
async function refundedAt(stripe: StripeCalls, intentId: string): Promise<number> {
  const refunds = await refundsOf(stripe, intentId);
  return refunds.filter((one) => !hasFailed(one)).reduce((sum, { amount }) => sum + amount, 0);
}

async function refundsOf(stripe: StripeCalls, intentId: string): Promise<Stripe.Refund[]> {
  return (await callStripe(() => stripe.refunds.list({ payment_intent: intentId, limit: 100 }))).data;
}

async function loadIntent({ context, orderId, intentId }: Refunding): Promise<IntentState | undefined> {
  const { state } = await context.handler.load(orderDecider, orderId);
  return state.status === 'absent' ? undefined : intentOf(state, intentId);
}

async function recordRefunds(refunding: Refunding, { due, failedRefunds }: IntentState): Promise<{ pending: boolean }> {
  const data = await refundsOf(refunding.context.stripe, refunding.intentId);
  const failed = data.filter((one) => hasFailed(one) && !failedRefunds.includes(one.id));
  // Stripe lists the newest refund first, but failures are recorded oldest first.
  for (const one of failed.reverse()) await recordFailure(refunding, one, one.failure_reason ?? one.status ?? 'failed');
  const made = data.filter(({ status }) => status === 'succeeded');
  const [newest] = made;
  const amount = made.reduce((sum, one) => sum + one.amount, 0);
  if (newest && amount >= (due?.amount ?? Number.POSITIVE_INFINITY)) {
    await record(refunding, { type: 'RecordRefund', intent: refunding.intentId, amount, refund: newest.id });
  }
  return { pending: data.some((one) => one.status !== 'succeeded' && !hasFailed(one)) };
}

async function recordFailure(refunding: Refunding, failed: Stripe.Refund, failure: string): Promise<void> {
  const { context, orderId, intentId } = refunding;
  const command = { type: 'RecordFailedRefund', intent: intentId, refund: failed.id, failure } as const;
  const outcome = await record(refunding, command);
  const failures = outcome?.failedRefunds.length ?? 0;
  const next = failures < MAX_REFUNDS ? 'another one is made' : 'a person has to give the money back';
  context.logger.error({ orderId, intent: intentId, refund: failed.id, failure, failures }, `a refund failed; ${next}`);
}

async function record(
  { context, orderId, intentId, meta }: Refunding,
  command: Extract<OrderCommand, { type: 'RecordRefund' | 'RecordFailedRefund' }>,
): Promise<IntentState | undefined> {
  const step = command.type === 'RecordRefund' ? 'refund' : 'refund-failed';
  const outcome = await executeOnOrder(context, orderId, command, { ...meta, cause: `${step}:${command.refund}` });
  return outcome.kind === 'done' && outcome.state.status !== 'absent' ? intentOf(outcome.state, intentId) : undefined;
}

/**
 * Asks Stripe to refund a payment intent's remaining amount. A retry after a failed refund needs a new idempotency key,
 * because with the old key, Stripe would replay the failed refund.
 */
async function refundAtStripe(
  { stripe, clock }: PaymentContext,
  orderId: string,
  { intent, failedRefunds }: IntentState,
): Promise<void> {
  const params = { payment_intent: intent, metadata: { orderId } };
  const key = failedRefunds.length === 0 ? 'full' : `after-${failedRefunds.length}`;
  try {
    await callStripe(() =>
      createUnderKey(`refund:${intent}:${key}`, (options) => stripe.refunds.create(params, options), clock()),
    );
  } catch (error) {
    // If the charge was already refunded, e.g. by another process, nothing is left to do here.
    if (!(error instanceof PaymentProviderFailed) || error.code !== 'charge_already_refunded') throw error;
  }
}

function hasFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled';
}
