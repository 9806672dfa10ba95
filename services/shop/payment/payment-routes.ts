import { updatedSchema } from '../../contracts/answers.ts';
import { idSchema } from '../../contracts/ids.ts';
import { paymentIntentAnswerSchema } from '../../contracts/payment/payment-answers.ts';
import { newPaymentIntentSchema, paymentReportSchema } from '../../contracts/payment/payment-requests.ts';
import { currentDocument } from '../../engine/projector/current-document.ts';
import { updateOf } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { commandRefused, RequestRefused } from '../../http/problem-details.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { orderTarget } from '../order/order-routes.ts';
import type { Payments } from './payments.ts';

declare module '../../http/dependencies.ts' {
  interface ApiDependencies {
    readonly payments: Pick<Payments, 'createIntent' | 'settle'>;
  }
}

const createIntent = defineRoute({
  method: 'POST',
  path: '/create-payment-intent',
  summary: "Starts the payment of an order's total and returns the client secret that the browser needs to pay",
  access: 'owner-or-admin',
  body: newPaymentIntentSchema,
  target: {
    in: 'body',
    async find(shop, { orderId: id }) {
      const found = idSchema.safeParse(id).success ? await orderTarget.find(shop, { id }) : null;
      if (!found) throw new RequestRefused('not_found', { detail: `There is no order ${id.slice(0, 64)}.` });
      return found;
    },
  },
  answer: { status: 200, schema: paymentIntentAnswerSchema },
  problems: [
    'total_mismatch',
    'amount_too_small',
    'order_paid',
    'order_cancelled',
    'payment_unavailable',
    'payment_provider_failed',
  ],
  async serve(shop, { body, document: order, session, requestId }) {
    if (body.totalPrice !== order.total) throw new RequestRefused('total_mismatch');
    const minimum = shop.settings.paymentMinimumTaka;
    if (order.total < minimum) {
      throw new RequestRefused('amount_too_small', { detail: `At least ${minimum} taka.` });
    }
    const outcome = await shop.payments.createIntent(order.id, { actor: session.userId, correlationId: requestId });
    if (outcome.kind === 'refused') throw commandRefused(outcome.refusal);
    return { body: { clientSecret: outcome.clientSecret } };
  },
});

const recordPayment = defineRoute({
  method: 'PATCH',
  path: '/orders/:id',
  summary: 'Looks up a payment at the payment provider and, if it succeeded, marks the order as paid',
  access: 'owner-or-admin',
  target: orderTarget,
  body: paymentReportSchema,
  answer: { status: 200, schema: updatedSchema },
  problems: [
    'payment_mismatch',
    'payment_not_complete',
    'order_paid',
    'order_cancelled',
    'payment_unavailable',
    'payment_provider_failed',
  ],
  async serve(shop, { params: { id }, body, session, requestId }) {
    if (body.order !== undefined && body.order !== id) throw new RequestRefused('payment_mismatch');
    const meta = { actor: session.userId, correlationId: requestId };
    const outcome = await shop.payments.settle(body.transactionId, meta, { orderId: id });
    if (outcome.kind === 'refused') throw commandRefused(outcome.refusal);
    if (outcome.kind === 'not_ours' || outcome.kind === 'order_missing' || outcome.orderId !== id)
      throw new RequestRefused('payment_mismatch');
    if (outcome.kind === 'not_complete') throw new RequestRefused('payment_not_complete', { detail: outcome.status });
    if (!outcome.paid) throw await whyNotPaid(shop, id);
    return { body: updateOf(outcome) };
  },
});

/** Returns the reason why a successful payment couldn't be applied to its order. Such a payment is refunded (PAY4). */
async function whyNotPaid(shop: ApiDependencies, id: string): Promise<RequestRefused> {
  const order = await currentDocument(shop, 'order', id);
  if (order?.status === 'cancelled') return new RequestRefused('order_cancelled');
  return new RequestRefused(order?.status === 'unpaid' ? 'payment_mismatch' : 'order_paid');
}

export const paymentRoutes: readonly Route[] = [createIntent, recordPayment];
