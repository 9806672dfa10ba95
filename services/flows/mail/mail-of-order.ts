import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { intentOf } from '../../shop/order/order.ts';
import { composeMail, type OrderMail, refundedIntent } from '../../shop/order/order-mails.ts';

/** A mail about an order as the order is now; null where it is out of date. */
export async function mailOfOrder(
  handler: Pick<CommandHandler, 'load'>,
  order: OrderDocument,
  { mail, origin }: { readonly mail: string; readonly origin: string },
): Promise<OrderMail | null> {
  const intent = refundedIntent(mail);
  const refunded = intent === null ? null : await amountRefunded(handler, order.id, intent);
  return composeMail(mail, order, { origin, refunded });
}

/** In poisha; null where the payment was not given back, or its refund has failed since. */
async function amountRefunded(
  handler: Pick<CommandHandler, 'load'>,
  orderId: string,
  intent: string,
): Promise<number | null> {
  const { state } = await handler.load(orderDecider, orderId);
  const known = state.status === 'absent' ? undefined : intentOf(state, intent);
  return known?.status === 'refunded' ? (known.due?.amount ?? null) : null;
}
