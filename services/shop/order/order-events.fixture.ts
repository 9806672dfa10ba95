import type { DomainEvent } from '../../contracts/events.ts';
import type { CancelReason } from '../../contracts/order/cancel-reasons.ts';
import type { Parcel } from '../../contracts/order/order-document.ts';
import type { WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderCommand } from './order.ts';

export const orderId = 'a'.repeat(32);
export const productId = 'b'.repeat(32);
export const draft = {
  orderId,
  number: 'MC-1001',
  productId,
  product: 'Tower One',
  quantity: 3,
  price: 1_250_050,
  total: 37_501,
  placedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
};
export const delivery = { name: 'Rahim', email: 'rahim@shop.test', phone: '01700000000', address: 'Dhaka' };
export const customer = 'c'.repeat(32);
export const placed: DomainEvent = { type: 'OrderPlaced', data: { draft, person: customer, personal: delivery } };
export const place = { type: 'PlaceOrder', draft, userId: customer, delivery } as const;
export const started = (intent: string, attempt: number): DomainEvent => ({
  type: 'PaymentStarted',
  data: { intent, attempt, amount: 3_750_100 },
});
export const recorded: DomainEvent = {
  type: 'PaymentRecorded',
  data: { intent: 'pi_1', amount: 3_750_100, currency: 'bdt' },
};
const SHIPPED_AT = '2026-01-01T12:00:00.000Z';
/** Returns the time `after` milliseconds after the order was shipped. */
export const later = (after: number) => new Date(Date.parse(SHIPPED_AT) + after).toISOString();
export const shipped: DomainEvent = { type: 'OrderShipped', data: { shippedAt: SHIPPED_AT } };
export const ship = (more: { seen?: number; parcel?: Parcel } = {}): OrderCommand => ({
  type: 'ShipOrder',
  now: SHIPPED_AT,
  ...more,
});
export const withdrawn = (reason: WithdrawalReason | null, shipment = 1): DomainEvent => ({
  type: 'ShipmentWithdrawn',
  data: { shipment, reason },
});
export const cancelled = (reason: CancelReason): DomainEvent => ({
  type: 'OrderCancelled',
  data: { reason, productId, quantity: 3 },
});
export const abandoned: DomainEvent = { type: 'PaymentAbandoned', data: { intent: 'pi_1' } };
export const settle = (intent: string, amount = 3_750_100, currency = 'bdt'): OrderCommand => ({
  type: 'SettlePayment',
  intent,
  amount,
  currency,
});
export const refundDue = (intent: string, reason: string, amount = 3_750_100, currency = 'bdt') => ({
  events: [{ type: 'RefundDue', data: { intent, amount, currency, reason } }],
});
export const { given } = decisionsOf(orderDecider);
