import { orderDecider } from '../../shop/order/decide-order.ts';
import type { PaymentContext } from './payment-context.ts';
import { type PaymentMeta, PaymentProviderFailed } from './payments.ts';
import { settle } from './settle.ts';
import { callStripe } from './stripe-client.ts';

/** Closes an open intent of an order that waits for no payment any more, and records how it ended (PAY5). */
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

/** Cancels an intent unless it has ended already, and records its end: abandoned, or paid after all. */
export async function closeIntent(context: PaymentContext, intentId: string, meta: PaymentMeta): Promise<void> {
  try {
    await callStripe(() => context.stripe.paymentIntents.cancel(intentId));
  } catch (error) {
    // It succeeded or was cancelled before, or cannot be cancelled just now: settle() asks which.
    if (!(error instanceof PaymentProviderFailed) || error.code !== 'payment_intent_unexpected_state') throw error;
  }
  await settle(context, intentId, meta);
}
