import type Stripe from 'stripe';
import { orderDecider } from '../domain/order/decide-order.ts';
import { ADMITTED, commandMeta, type PaymentContext } from './payment-context.ts';
import { type PaymentMeta, PaymentProviderFailed } from './payments.ts';
import { callStripe, createUnderKey } from './stripe-client.ts';

interface MadeRefund {
  /** the refund's id at Stripe */
  readonly refund: string;
  /** in poisha */
  readonly amount: number;
}

/** Gives back what an intent brought in, and records it. A refund made by an earlier try, or by hand, is taken as done. */
export async function refund(
  context: PaymentContext,
  orderId: string,
  intentId: string,
  meta: PaymentMeta,
): Promise<void> {
  const { state } = await context.handler.load(orderDecider, orderId);
  if (state.status === 'absent') return;
  if (!state.intents.some((one) => one.intent === intentId && one.status === 'refund_due')) return;
  const made = await refundAtStripe(context.stripe, orderId, intentId);
  await context.handler.execute(
    orderDecider,
    orderId,
    { type: 'RecordRefund', intent: intentId, ...made },
    commandMeta(context, meta, `refund:${intentId}`),
    ADMITTED,
  );
}

async function refundAtStripe(stripe: Stripe, orderId: string, intentId: string): Promise<MadeRefund> {
  const params = { payment_intent: intentId, metadata: { orderId } };
  try {
    const made = await callStripe(() =>
      createUnderKey(`refund:${intentId}:full`, (options) => stripe.refunds.create(params, options)),
    );
    if (!isGood(made)) throw new PaymentProviderFailed(`Refund ${made.id} of ${intentId} is ${made.status}.`);
    return { refund: made.id, amount: made.amount };
  } catch (error) {
    if (!(error instanceof PaymentProviderFailed) || error.code !== 'charge_already_refunded') throw error;
    return earlierRefund(stripe, intentId);
  }
}

/** The newest refund of an intent whose money is back already, with the amount of all of them. */
async function earlierRefund(stripe: Stripe, intentId: string): Promise<MadeRefund> {
  const { data } = await callStripe(() => stripe.refunds.list({ payment_intent: intentId, limit: 100 }));
  const good = data.filter(isGood);
  const [newest] = good;
  if (!newest) throw new PaymentProviderFailed(`Stripe calls ${intentId} refunded and lists no refund of it.`);
  return { refund: newest.id, amount: good.reduce((sum, { amount }) => sum + amount, 0) };
}

function isGood({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled';
}
