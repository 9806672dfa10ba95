import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ShopCore } from '../../engine/shop-core.ts';
import { orderDecider } from '../order/decide-order.ts';
import { foldOrder } from '../order/fold-order-flow.ts';
import { moneyBackOf } from '../order/money-of-order.ts';
import { intentOf } from '../order/order.ts';
import { composeMail, type MailFacts, type OrderMail, refundedObject, withdrawnShipment } from './order-mails.ts';

type Source = Pick<ShopCore, 'handler' | 'log' | 'sealing'>;

/** Composes an e-mail from the order's current state. Returns null if the e-mail has become obsolete. */
export async function mailOfOrder(
  source: Source,
  order: OrderDocument,
  { mail, origin }: { readonly mail: string; readonly origin: string },
): Promise<OrderMail | null> {
  const object = refundedObject(mail);
  const withdrawn = withdrawnShipment(mail);
  const refunded = object === null ? null : await amountRefunded(source, order.id, object);
  const withdrawal = withdrawn && (await withdrawalOf(source, order.id, withdrawn.shipment));
  return composeMail(mail, order, { origin, refunded, withdrawal });
}

/**
 * Returns the refunded amount in poisha. `object` is the id of a payment intent or of a refund. Returns null if the money
 * wasn't refunded, or if the refund has since failed.
 */
async function amountRefunded({ handler }: Source, orderId: string, object: string): Promise<number | null> {
  const { state } = await handler.load(orderDecider, orderId);
  if (state.status === 'absent') return null;
  const refund = moneyBackOf(state).refunds.find((one) => one.refund === object);
  if (refund) return refund.status === 'succeeded' ? refund.amount : null;
  const known = intentOf(state, object);
  return known?.status === 'refunded' ? (known.due?.amount ?? null) : null;
}

function withdrawalOf(source: Source, orderId: string, shipment: number): Promise<MailFacts['withdrawal']> {
  return foldOrder<MailFacts['withdrawal']>(source, orderId, null, (found, event) =>
    event.type === 'ShipmentWithdrawn' && event.data.shipment === shipment ? event.data : found,
  );
}
