import type Stripe from 'stripe';
import { idSchema } from '../../contracts/ids.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderCommand, OrderState } from '../../shop/order/order.ts';
import { executeOnOrder, type PaymentContext } from './payment-context.ts';
import { type PaymentMeta, PaymentProviderFailed, type SettleOutcome } from './payments.ts';
import { callStripe } from './stripe-client.ts';

/** Records how an intent has ended at Stripe: the one way for webhook, client and reconciliation (PAY1). Idempotent (PAY2). */
export async function settle(context: PaymentContext, intentId: string, meta: PaymentMeta): Promise<SettleOutcome> {
  const ours = await findOrder(context, intentId);
  if (ours === null) return { kind: 'not_ours' };
  const { orderId, intent } = ours;
  const command = commandFor(intent);
  if (command === null) return { kind: 'not_complete', orderId, status: intent.status };
  const outcome = await executeOnOrder(context, orderId, command, { ...meta, cause: `settle:${intent.id}` });
  if (outcome.kind === 'refused') return outcome;
  return {
    kind: 'settled',
    orderId,
    version: outcome.version,
    modified: outcome.events.length > 0,
    paid: hasPaid(outcome.state, intent.id),
  };
}

/** Returns an intent from Stripe and its order; null where it names no order of this shop. */
export async function findOrder(
  { handler, stripe }: PaymentContext,
  intentId: string,
): Promise<{ orderId: string; intent: Stripe.PaymentIntent } | null> {
  const intent = await retrieveIntent(stripe, intentId);
  const orderId = idSchema.safeParse(intent?.metadata.orderId);
  if (intent === null || !orderId.success) return null;
  const { state } = await handler.load(orderDecider, orderId.data);
  return state.status === 'absent' ? null : { orderId: orderId.data, intent };
}

function commandFor(intent: Stripe.PaymentIntent): OrderCommand | null {
  switch (intent.status) {
    case 'succeeded':
      return { type: 'SettlePayment', intent: intent.id, amount: intent.amount_received, currency: intent.currency };
    case 'canceled':
      return { type: 'AbandonPayment', intent: intent.id };
    default:
      return null;
  }
}

function hasPaid(state: OrderState, intent: string): boolean {
  return state.status !== 'absent' && state.intents.some((one) => one.intent === intent && one.status === 'paid');
}

async function retrieveIntent(stripe: Stripe, intentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await callStripe(() => stripe.paymentIntents.retrieve(intentId));
  } catch (error) {
    if (error instanceof PaymentProviderFailed && error.code === 'resource_missing') return null;
    throw error;
  }
}

/** Closes an open intent of an order that is no longer unpaid (PAY5). */
export async function withdraw(
  context: PaymentContext,
  orderId: string,
  intentId: string,
  meta: PaymentMeta,
): Promise<void> {
  const { state } = await context.handler.load(orderDecider, orderId);
  if (state.status === 'absent' || state.status === 'unpaid') return;
  if (!state.intents.some((one) => one.intent === intentId && one.status === 'open')) return;
  await closeIntent(context, intentId, meta);
}

/** Cancels an intent unless it has ended, and records its end: abandoned, or paid after all. */
export async function closeIntent(context: PaymentContext, intentId: string, meta: PaymentMeta): Promise<void> {
  try {
    await callStripe(() => context.stripe.paymentIntents.cancel(intentId));
  } catch (error) {
    // It has ended, or cannot be cancelled just now: settle() finds out.
    if (!(error instanceof PaymentProviderFailed) || error.code !== 'payment_intent_unexpected_state') throw error;
  }
  await settle(context, intentId, meta);
}
