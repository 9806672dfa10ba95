import type Stripe from 'stripe';
import { idSchema } from '../../contracts/ids.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderCommand, OrderState } from '../../shop/order/order.ts';
import { ADMITTED, commandMeta, type PaymentContext } from './payment-context.ts';
import { type PaymentMeta, PaymentProviderFailed, type SettleOutcome } from './payments.ts';
import { callStripe } from './stripe-client.ts';

/**
 * Records what became of an intent, as Stripe says it now: webhook, client and reconciliation all come through here
 * (PAY1). What is recorded is final at Stripe, so that repeats and late callers change nothing (PAY2).
 */
export async function settle(context: PaymentContext, intentId: string, meta: PaymentMeta): Promise<SettleOutcome> {
  const ours = await findOrder(context, intentId);
  if (ours === null) return { kind: 'not_ours' };
  const { orderId, intent } = ours;
  const command = commandFor(intent);
  if (command === null) return { kind: 'not_complete', orderId, status: intent.status };
  const named = commandMeta(context, meta, `settle:${intent.id}`);
  const outcome = await context.handler.execute(orderDecider, orderId, command, named, ADMITTED);
  if (outcome.kind === 'refused') return outcome;
  return {
    kind: 'settled',
    orderId,
    version: outcome.version,
    modified: outcome.events.length > 0,
    paid: hasPaid(outcome.state, intent.id),
  };
}

/** An intent as Stripe has it now, and the order that it pays; null where no order here is named by it. */
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
      return {
        type: 'SettlePayment',
        intent: intent.id,
        amount: intent.amount_received,
        currency: intent.currency,
      };
    case 'canceled':
      return { type: 'AbandonPayment', intent: intent.id };
    default:
      return null;
  }
}

function hasPaid(state: OrderState, intent: string): boolean {
  return state.status !== 'absent' && state.intents.some((one) => one.intent === intent && one.status === 'paid');
}

/** The intent as Stripe has it now; null where Stripe knows none of this id. */
async function retrieveIntent(stripe: Stripe, intentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await callStripe(() => stripe.paymentIntents.retrieve(intentId));
  } catch (error) {
    if (error instanceof PaymentProviderFailed && error.code === 'resource_missing') return null;
    throw error;
  }
}
