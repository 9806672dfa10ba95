import type {
  AnyDocument,
  OrderDocument,
  ProductDocument,
  ReviewDocument,
  UserDocument,
} from '../contracts/documents.ts';
import { ERASED } from '../contracts/events.ts';
import { toTaka } from '../contracts/money.ts';
import type { PushedView } from '../contracts/projection.ts';
import type { OrderView, ProductView, ReviewView, TrackingView, UserView } from '../contracts/views.ts';
import { isBarred, leftToGrant, unsettled, whyHeldBack } from './order/money-of-order.ts';
import { paymentFrom } from './order/project-order.ts';

// Each view lists its fields one by one, so that no internal field leaks out (LIVE3).

export function productView(product: ProductDocument): ProductView {
  return {
    _id: product.id,
    name: product.name,
    img1: product.img1,
    img2: product.img2,
    processor: product.processor,
    gpu: product.gpu,
    rated: product.rated,
    description: product.description,
    price: toTaka(product.price),
    quantity: product.quantity,
    minorder: product.minorder,
    addedAt: product.createdAt,
    version: product.version,
  };
}

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
    shipment: order.status === 'shipped' ? (order.shipments ?? 1) : null,
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
  const payment = paymentFrom(order);
  const left = leftToGrant(moneyBack, payment);
  const returning = unsettled(moneyBack, payment);
  const heldBack = status === 'paid' ? whyHeldBack(moneyBack, payment, order.name === ERASED) : null;
  return {
    moneyBack: {
      returned: toTaka(payment.paid - left - returning),
      returning: toTaka(returning),
      left: isBarred(moneyBack, payment.intent) ? 0 : toTaka(left),
    },
    ...(heldBack && { heldBack }),
  };
}

/**
 * Shows the product's current name and picture while the product is listed, so that the tracking page matches the
 * product's page in the shop.
 */
export function trackingView(order: OrderDocument, product: ProductDocument | null): TrackingView {
  const { name, img1 } = product && !product.removed ? product : { name: order.product, img1: '' };
  return {
    _id: order.id,
    number: order.number,
    product: name,
    img1,
    quantity: order.quantity,
    status: TRACKED_STATUS[order.status],
    placedAt: order.createdAt,
    confirmedAt: order.paidAt,
    shippedAt: order.shippedAt,
    cancelledAt: order.cancelledAt,
    carrier: order.parcel?.carrier ?? null,
    trackingNumber: order.parcel?.trackingNumber ?? null,
    version: order.version,
  };
}

/** A paid order is shown as confirmed, because someone who only tracks the parcel shouldn't learn about the payment (TRACK1). */
const TRACKED_STATUS = { unpaid: 'placed', paid: 'confirmed', shipped: 'shipped', cancelled: 'cancelled' } as const;

export function userView(user: UserDocument): UserView {
  return {
    _id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    address: user.address,
    phone: user.phone,
    education: user.education,
    social: user.social,
    registeredAt: user.createdAt,
    version: user.version,
  };
}

export function reviewView(review: ReviewDocument): ReviewView {
  return {
    _id: review.id,
    name: review.name,
    ratings: review.ratings,
    username: review.username,
    description: review.description,
    postedAt: review.createdAt,
    version: review.version,
  };
}

/**
 * Returns a document's kind and view in the form that is sent in a push. The view is null if the document is no longer
 * in any list (PRJ5). Returns null for the documents of e-mails and balance transactions, which are never pushed.
 */
export function pushedView(document: AnyDocument): PushedView | null {
  switch (document.kind) {
    case 'product':
      return { kind: 'product', view: document.removed ? null : productView(document) };
    case 'order':
      return { kind: 'order', view: document.status === 'cancelled' ? null : orderView(document) };
    case 'user':
      return { kind: 'user', view: document.closed ? null : userView(document) };
    case 'review':
      return { kind: 'review', view: reviewView(document) };
    case 'mail':
    case 'balance':
      return null;
  }
}
