import { ERASED } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { OrderView } from '../../contracts/order/order-view.ts';
import { isBarred, leftToGrant, paidOf, unsettled, whyHeldBack } from './money-of-order.ts';
import { shipmentsOf } from './project-order.ts';

// The fields are listed one by one, so that no internal field leaks out (LIVE3).

export function orderView(order: OrderDocument): OrderView {
  return {
    _id: order.id,
    number: order.number,
    name: order.name,
    email: order.email,
    phone: order.phone,
    address: order.address,
    product: order.product,
    productId: order.productId,
    quantity: order.quantity,
    price: toTaka(order.price),
    totalPrice: order.total,
    paid: order.status === 'paid' || order.status === 'shipped',
    transactionId: order.transactionId,
    status: order.status === 'shipped' ? 'shipped' : '',
    placedAt: order.createdAt,
    expiresAt: order.paymentDeadline,
    paidAt: order.paidAt,
    shippedAt: order.shippedAt,
    cancelledAt: order.cancelledAt,
    cancelReason: order.cancelReason,
    refundedAt: order.refundedAt,
    deliveryChangedAt: order.deliveryChangedAt ?? null,
    shipment: order.status === 'shipped' ? shipmentsOf(order) : null,
    carrier: order.parcel?.carrier ?? null,
    trackingNumber: order.parcel?.trackingNumber ?? null,
    ...moneyOf(order),
    version: order.version,
  };
}

/** Returns the fields about money that only some orders have, so that the views of all others stay as small as they were. */
function moneyOf(order: OrderDocument): Partial<OrderView> {
  const { processing, paymentFailure, moneyBack, status } = order;
  if (!moneyBack) {
    return {
      ...(processing && { processingUntil: processing.until }),
      ...(paymentFailure && { paymentFailure }),
    };
  }
  const left = leftToGrant(order);
  const returning = unsettled(order);
  const heldBack = status === 'paid' ? whyHeldBack(order, order.name === ERASED) : null;
  return {
    moneyBack: {
      returned: toTaka(paidOf(order) - left - returning),
      returning: toTaka(returning),
      left: isBarred(order, order.transactionId) ? 0 : toTaka(left),
    },
    ...(heldBack && { heldBack }),
  };
}
