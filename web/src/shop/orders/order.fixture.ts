import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';

/** An unpaid order for two casings. */
export function orderOf(changes: Partial<OrderView> = {}): OrderView {
  return {
    _id: 'aaaaaaaaaaaaaaaaaaaaaaaa',
    number: 'MC-1042',
    name: 'Rina Akter',
    email: 'rina@micro-center.test',
    phone: '01711000000',
    address: 'House 7, Dhanmondi',
    product: 'Norwester G7',
    productId: 'bbbbbbbbbbbbbbbbbbbbbbbb',
    quantity: 2,
    price: 52000.5,
    totalPrice: 104001,
    paid: false,
    transactionId: '',
    status: '',
    placedAt: '2026-01-01T10:00:00.000Z',
    expiresAt: '2026-01-02T10:00:00.000Z',
    paidAt: null,
    shippedAt: null,
    cancelledAt: null,
    cancelReason: null,
    refundedAt: null,
    deliveryChangedAt: null,
    shipment: null,
    carrier: null,
    trackingNumber: null,
    version: 1,
    ...changes,
  };
}

export const PAID = { paid: true, transactionId: 'pi_3Nx', paidAt: '2026-01-01T10:05:00.000Z', version: 3 } as const;
export const SHIPPED = {
  ...PAID,
  status: 'shipped',
  shippedAt: '2026-01-01T11:00:00.000Z',
  shipment: 1,
  version: 4,
} as const;

/**
 * A paid order that is waiting to be shipped. `n` is the last digit of the order number, from 1 for the oldest order to
 * 9 for the newest.
 */
export const paidOrder = (n: number): OrderView =>
  orderOf({
    ...PAID,
    _id: String(n).repeat(24),
    number: `MC-100${n}`,
    name: `Buyer ${n}`,
    placedAt: `2026-01-01T10:0${n}:00.000Z`,
  });

/** A casing that is sold in quantities of 2 to 5. */
export function productOf(changes: Partial<ProductView> = {}): ProductView {
  return {
    _id: 'bbbbbbbbbbbbbbbbbbbbbbbb',
    name: 'Norwester G7',
    img1: '/goods/norwester.svg',
    img2: '',
    processor: 'Any ATX board',
    gpu: 'Up to 400 mm',
    rated: '850 W',
    description: 'Quiet gaming',
    price: 52000.5,
    quantity: 5,
    minorder: 2,
    addedAt: '2026-01-01T09:00:00.000Z',
    version: 1,
    ...changes,
  };
}

export const deleted = { acknowledged: true, deletedCount: 1 };
export const updated = { acknowledged: true, matchedCount: 1, modifiedCount: 1, version: 4 };
export const created = { acknowledged: true, insertedId: 'cccccccccccccccccccccccc', number: 'MC-1043', version: 1 };

export const CUSTOMER = {
  token: 'customer-token',
  email: 'rina@micro-center.test',
  name: 'Rina Akter',
  role: 'customer',
} as const;
export const ADMIN = { token: 'admin-token', email: 'admin@micro-center.test', name: 'Admin', role: 'admin' } as const;
