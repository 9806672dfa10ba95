import { declareDocuments, type Query } from '../../contracts/document-queries.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { searchTexts } from '../../contracts/search-text.ts';

const DAY_MS = 86_400_000;

/**
 * `expires` is when an unpaid order expires. `dueFrom` is from when an order's work in Stripe is due (FEED2): for an
 * unpaid order, the time of its placement, and for any other order '', so that its work is due at once. `shipping` says
 * whether a paid order was shipped within a day. `keptPoisha` is the part of the total that the shop keeps.
 */
export const orders = declareDocuments('order', {
  version: 1,
  columns: {
    createdAt: ({ createdAt }) => createdAt,
    customer: ({ customer }) => customer,
    status: ({ status }) => status,
    listed: ({ status }) => status !== 'cancelled',
    expires: ({ status, expiresAt }) => (status === 'unpaid' ? expiresAt : null),
    dueFrom: ({ status, createdAt, owes }) => {
      if (owes.intents.length + owes.refunds.length === 0) return null;
      return status === 'unpaid' ? createdAt : '';
    },
    paidAt: ({ paidAt }) => paidAt,
    shippedAt: ({ shippedAt }) => shippedAt,
    shipping: ({ paidAt, shippedAt }) => {
      if (paidAt === null) return null;
      if (shippedAt === null) return 'open';
      return Date.parse(shippedAt) - Date.parse(paidAt) <= DAY_MS ? 'in time' : 'late';
    },
    keptPoisha: ({ paidAt, total, kept = total }) => (paidAt === null ? null : Math.round(kept * 100)),
  },
  text: (order) => searchTexts.order(order.id, order),
  indexes: [
    ['customer', 'createdAt'],
    ['status', 'createdAt'],
    ['listed', 'createdAt'],
    ['expires'],
    ['dueFrom', 'id', 'version'],
    ['paidAt', 'id', 'keptPoisha'],
    ['shipping', 'paidAt'],
  ],
  counted: {
    column: 'status',
    values: ['unpaid', 'paid', 'shipped', 'cancelled'],
    most: 'shipped',
    since: 'shippedAt',
    // A shipment this old can no longer be withdrawn (ORD11), even if the processes' clocks differ.
    settledAfterMs: 20 * 60_000,
  },
});

export interface OrderListQuery {
  readonly customer?: string | undefined;
  readonly status?: OrderDocument['status'] | undefined;
  readonly q?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/**
 * Lists orders. Cancelled orders are listed only if `status` is 'cancelled'. Each word of `q` must occur in the order's
 * id, number or product, or in the customer's name, e-mail address, phone number or address.
 */
export function orderList({ customer, status, q, sort }: OrderListQuery): Query<'order'> {
  const where = { customer, status, listed: status === undefined ? (true as const) : undefined };
  return orders.query({ where, text: q, by: 'createdAt', descending: sort === 'newest' });
}

/** Finds the orders that were placed from `from` until `before` (ISO 8601), except cancelled orders. */
export const ordersPlaced = (from: string, before: string): Query<'order'> =>
  orders.query({ where: { listed: true, createdAt: { from, before } }, by: 'createdAt' });

/** Finds the unpaid orders that expire at or before `time` (ISO 8601), earliest first. */
export const ordersToExpire = (time: string): Query<'order'> =>
  orders.query({ where: { expires: { upTo: time } }, by: 'expires' });

/**
 * Finds the orders that have an open payment intent or a refund due. An unpaid order is included only if it was placed
 * at or before `placedBy` (ISO 8601).
 */
export const ordersWithDueWork = (placedBy: string): Query<'order'> =>
  orders.query({ where: { dueFrom: { upTo: placedBy } }, by: 'dueFrom' });

/** Finds the orders that were paid from `from` until `before` (ISO 8601), oldest payment first. Without `before`, until now. */
export const ordersPaid = (from: string, before?: string): Query<'order'> =>
  orders.query({ where: { paidAt: { from, before } }, by: 'paidAt' });

/** Finds the orders that were paid from `from` until `before` (ISO 8601), by whether they were shipped within a day. */
export const ordersByShipping = (
  shipping: 'open' | 'in time' | 'late',
  from: string,
  before?: string,
): Query<'order'> => orders.query({ where: { shipping, paidAt: { from, before } }, by: 'paidAt' });
