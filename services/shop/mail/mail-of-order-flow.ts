import type { OrderDocument } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { foldStream } from '../../engine/log/fold-stream.ts';
import type { ShopCore } from '../../engine/shop-core.ts';
import { orderDecider } from '../order/decide-order.ts';
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
  const refund = state.refunds.find((one) => one.refund === object);
  if (refund) return refund.status === 'succeeded' ? refund.amount : null;
  const known = intentOf(state, object);
  return known?.status === 'refunded' ? (known.due?.amount ?? null) : null;
}

function withdrawalOf(source: Source, orderId: string, shipment: number): Promise<MailFacts['withdrawal']> {
  return foldOrder<MailFacts['withdrawal']>(source, orderId, null, (found, event) =>
    event.type === 'ShipmentWithdrawn' && event.data.shipment === shipment ? event.data : found,
  );
}

/**
 * Returns the sequence number of the order's latest shipment as of `version` of the order's stream: 1 for the first
 * shipment, or 0 if there was none.
 */
export function shipmentAt(source: Source, orderId: string, version: number): Promise<number> {
  return foldOrder(source, orderId, 0, (count, { type, streamversion }) =>
    type === 'OrderShipped' && streamversion <= version ? count + 1 : count,
  );
}

async function foldOrder<State>(
  source: Source,
  orderId: string,
  initial: State,
  evolve: (state: State, event: RecordedEvent) => State,
): Promise<State> {
  const from = { state: initial, version: 0 };
  return (await foldStream(source, streamName('order', orderId), from, evolve, 'bare')).state;
}
