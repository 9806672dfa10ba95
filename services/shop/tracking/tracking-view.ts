import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';
import type { TrackingView } from '../../contracts/tracking/tracking-view.ts';

// The fields are listed one by one, so that no internal field leaks out (LIVE3).

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
