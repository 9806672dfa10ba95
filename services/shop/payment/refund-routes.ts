import { updatedSchema } from '../../contracts/answers.ts';
import { toPoisha } from '../../contracts/money.ts';
import { newRefundSchema } from '../../contracts/payment/payment-requests.ts';
import { updated } from '../../http/answers.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { orderDecider } from '../order/decide-order.ts';
import { orderTarget } from '../order/order-routes.ts';

/** Grants a refund (PAY8). The money is sent by Stripe a moment later, and the order's timeline says when. */
const grantRefund = defineRoute({
  method: 'POST',
  path: '/orders/:id/refunds',
  summary:
    'Refunds all or part of a paid order, at the version that the admin saw. A refund of everything that is left can cancel the order',
  access: 'admin',
  body: newRefundSchema,
  target: orderTarget,
  answer: { status: 200, schema: updatedSchema },
  idempotent: true,
  problems: [
    'order_not_paid',
    'order_cancelled',
    'order_shipped',
    'order_disputed',
    'stale_version',
    'refund_too_large',
    'refund_incomplete',
  ],
  async serve(shop, exchange) {
    const { params, body } = exchange;
    const { reason, note, version: seen, cancel: cancels } = body;
    const grant = exchange.creationId();
    const meta = commandMeta(shop, exchange, 'refund', grant);
    const command = { type: 'GrantRefund', grant, amount: toPoisha(body.amount), reason, note, seen, cancels } as const;
    return updated(await shop.handler.execute(orderDecider, params.id, command, meta));
  },
});

export const refundRoutes: readonly Route[] = [grantRefund];
