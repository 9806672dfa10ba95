import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderCommand } from './order.ts';

const orderId = 'a'.repeat(32);
const productId = 'b'.repeat(32);
const draft = {
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
const delivery = { name: 'Rahim', email: 'rahim@shop.test', phone: '01700000000', address: 'Dhaka' };
const customer = 'c'.repeat(32);
const placed: DomainEvent = { type: 'OrderPlaced', data: { draft, person: customer, personal: delivery } };
const place: OrderCommand = { type: 'PlaceOrder', draft, customer, delivery };
const started = (intent: string, attempt: number): DomainEvent => ({
  type: 'PaymentStarted',
  data: { intent, attempt, amount: 3_750_100 },
});
const recorded: DomainEvent = { type: 'PaymentRecorded', data: { intent: 'pi_1', amount: 3_750_100, currency: 'bdt' } };
const shipped: DomainEvent = { type: 'OrderShipped', data: {} };
const cancelled = (reason: 'customer' | 'expired'): DomainEvent => ({
  type: 'OrderCancelled',
  data: { reason, productId, quantity: 3 },
});
const abandoned: DomainEvent = { type: 'PaymentAbandoned', data: { intent: 'pi_1' } };
const settle = (intent: string, amount = 3_750_100, currency = 'bdt'): OrderCommand => ({
  type: 'SettlePayment',
  intent,
  amount,
  currency,
});
const refundDue = (intent: string, reason: string, amount = 3_750_100, currency = 'bdt') => ({
  events: [{ type: 'RefundDue', data: { intent, amount, currency, reason } }],
});
const { given } = decisionsOf(orderDecider);

describe('placing', () => {
  it('ORD1 opens the order once, whoever comes first', () => {
    expect(given().when(place)).toEqual({ events: [placed] });
    expect(given(placed).when(place)).toEqual({ events: [] });
    expect(given(placed, cancelled('customer')).when(place)).toEqual({ events: [] });
  });

  it('CMD3 refuses an order id that another product has taken', () => {
    const other: OrderCommand = { ...place, draft: { ...draft, productId: 'd'.repeat(32) } };
    expect(given(placed).when(other)).toEqual({ refused: { code: 'idempotency_key_reused' } });
  });

  it('every other command on an order that is not there is not found', () => {
    for (const command of [{ type: 'CancelOrder' }, { type: 'ShipOrder' }, settle('pi_1')] as OrderCommand[]) {
      expect(given().when(command)).toEqual({ refused: { code: 'not_found' } });
    }
  });
});

describe('ORD9 the delivery is corrected until the order ships', () => {
  const change: OrderCommand = { type: 'ChangeDelivery', changes: { address: 'Sylhet' } };
  const changed = { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'Sylhet' } } };

  it('under the person who ordered, whoever corrects it', () => {
    expect(given(placed).when(change)).toEqual({ events: [changed] });
    expect(given(placed, started('pi_1', 1), recorded).when(change)).toEqual({ events: [changed] });
  });

  it('not where nothing differs, and not once it is shipped or cancelled', () => {
    expect(given(placed).when({ type: 'ChangeDelivery', changes: {} })).toEqual({ events: [] });
    expect(given(placed, recorded, shipped).when(change)).toEqual({ refused: { code: 'order_shipped', orderId } });
    for (const reason of ['customer', 'expired'] as const) {
      const refused = { refused: { code: 'order_cancelled', orderId } };
      expect(given(placed, cancelled(reason)).when(change)).toEqual(refused);
    }
  });
});

describe('ORD4 unpaid -> paid -> shipped only', () => {
  it('ships a paid order, once', () => {
    expect(given(placed, started('pi_1', 1), recorded).when({ type: 'ShipOrder' })).toEqual({ events: [shipped] });
    expect(given(placed, recorded, shipped).when({ type: 'ShipOrder' })).toEqual({ events: [] });
  });

  it('T3 ORD4 does not ship an order whose payment has only begun', () => {
    expect(given(placed, started('pi_1', 1)).when({ type: 'ShipOrder' })).toEqual({
      refused: { code: 'order_not_paid', orderId },
    });
  });

  it('does not ship what is unpaid or cancelled', () => {
    expect(given(placed).when({ type: 'ShipOrder' })).toEqual({ refused: { code: 'order_not_paid', orderId } });
    expect(given(placed, cancelled('customer')).when({ type: 'ShipOrder' })).toEqual({
      refused: { code: 'order_cancelled', orderId },
    });
  });

  it('cancels only while unpaid, once', () => {
    expect(given(placed).when({ type: 'CancelOrder' })).toEqual({ events: [cancelled('customer')] });
    expect(given(placed, cancelled('expired')).when({ type: 'CancelOrder' })).toEqual({ events: [] });
    expect(given(placed, recorded).when({ type: 'CancelOrder' })).toEqual({ refused: { code: 'order_paid', orderId } });
    expect(given(placed, recorded, shipped).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
  });
});

describe('ORD6 expiry', () => {
  it('cancels an unpaid order at its time, not before', () => {
    expect(given(placed).when({ type: 'ExpireOrder', now: draft.expiresAt })).toEqual({
      events: [cancelled('expired')],
    });
    expect(given(placed).when({ type: 'ExpireOrder', now: '2026-01-01T23:59:59.999Z' })).toEqual({ events: [] });
  });

  it('leaves alone what is paid or cancelled', () => {
    const late: OrderCommand = { type: 'ExpireOrder', now: '2027-01-01T00:00:00.000Z' };
    expect(given(placed, recorded).when(late)).toEqual({ events: [] });
    expect(given(placed, cancelled('customer')).when(late)).toEqual({ events: [] });
  });
});

describe('paying', () => {
  const start = (intent: string, attempt: number): OrderCommand => ({
    type: 'StartPayment',
    intent,
    attempt,
    amount: 3_750_100,
  });

  it('PAY2 keeps one open intent per order', () => {
    expect(given(placed).when(start('pi_1', 1))).toEqual({ events: [started('pi_1', 1)] });
    expect(given(placed, started('pi_1', 1)).when(start('pi_1', 1))).toEqual({ events: [] });
    expect(given(placed, started('pi_1', 1)).when(start('pi_2', 2))).toHaveProperty(
      'refused.code',
      'payment_superseded',
    );
  });

  it('PAY2 starts the next attempt once the one before was abandoned', () => {
    const history = [placed, started('pi_1', 1), abandoned];
    expect(given(...history).when(start('pi_2', 2))).toEqual({ events: [started('pi_2', 2)] });
    expect(given(...history).when(start('pi_2', 1))).toHaveProperty('refused.code', 'payment_superseded');
  });

  it('does not start a payment of what is paid or cancelled', () => {
    expect(given(placed, recorded).when(start('pi_2', 1))).toHaveProperty('refused.code', 'order_paid');
    expect(given(placed, cancelled('customer')).when(start('pi_2', 1))).toHaveProperty(
      'refused.code',
      'order_cancelled',
    );
  });

  it('PAY2 records a payment exactly once', () => {
    expect(given(placed, started('pi_1', 1)).when(settle('pi_1'))).toEqual({ events: [recorded] });
    expect(given(placed, started('pi_1', 1), recorded).when(settle('pi_1'))).toEqual({ events: [] });
    expect(given(placed, recorded, shipped).when(settle('pi_1'))).toEqual({ events: [] });
  });

  it("PAY4 money that cannot be the order's payment is due to go back", () => {
    expect(given(placed, cancelled('customer')).when(settle('pi_1'))).toEqual(refundDue('pi_1', 'order_cancelled'));
    expect(given(placed, cancelled('expired')).when(settle('pi_1'))).toEqual(refundDue('pi_1', 'order_expired'));
    expect(given(placed, recorded).when(settle('pi_2'))).toEqual(refundDue('pi_2', 'already_paid'));
    expect(given(placed).when(settle('pi_1', 3_750_000))).toEqual(refundDue('pi_1', 'wrong_amount', 3_750_000));
    expect(given(placed).when(settle('pi_1', 3_750_100, 'usd'))).toEqual(
      refundDue('pi_1', 'wrong_currency', 3_750_100, 'usd'),
    );
  });

  it('PAY4 a refund is due once, and made once', () => {
    const due: DomainEvent = {
      type: 'RefundDue',
      data: { intent: 'pi_1', amount: 3_750_100, currency: 'bdt', reason: 'order_cancelled' },
    };
    const record: OrderCommand = { type: 'RecordRefund', intent: 'pi_1', amount: 3_750_100, refund: 're_1' };
    const refunded: DomainEvent = {
      type: 'PaymentRefunded',
      data: { intent: 'pi_1', amount: 3_750_100, refund: 're_1' },
    };
    const history = [placed, started('pi_1', 1), cancelled('customer'), due];
    expect(given(...history).when(settle('pi_1'))).toEqual({ events: [] });
    expect(given(...history).when(record)).toEqual({ events: [refunded] });
    expect(given(...history, refunded).when(record)).toEqual({ events: [] });
    expect(given(placed, recorded).when(record)).toEqual({ events: [] });
  });

  const due: DomainEvent = {
    type: 'RefundDue',
    data: { intent: 'pi_1', amount: 3_750_100, currency: 'bdt', reason: 'order_cancelled' },
  };
  const owing = [placed, started('pi_1', 1), cancelled('customer'), due];
  const record = (refund: string): OrderCommand => ({
    type: 'RecordRefund',
    intent: 'pi_1',
    amount: 3_750_100,
    refund,
  });
  const refunded = (refund: string): DomainEvent => ({
    type: 'PaymentRefunded',
    data: { intent: 'pi_1', amount: 3_750_100, refund },
  });
  const fail = (refund: string): OrderCommand => ({
    type: 'RecordFailedRefund',
    intent: 'pi_1',
    refund,
    failure: 'unknown',
  });
  const failed = (refund: string, attempt: number): DomainEvent => ({
    type: 'RefundFailed',
    data: { intent: 'pi_1', amount: 3_750_100, reason: 'order_cancelled', refund, attempt, failure: 'unknown' },
  });

  it('E6 PAY6 a refund fails once, and its money is due again', () => {
    expect(given(...owing).when(fail('re_1'))).toEqual({ events: [failed('re_1', 1)] });
    expect(given(...owing, failed('re_1', 1)).when(fail('re_1'))).toEqual({ events: [] });
    expect(given(...owing, failed('re_1', 1)).when(fail('re_2'))).toEqual({ events: [failed('re_2', 2)] });
    expect(given(...owing, failed('re_1', 1)).when(record('re_2'))).toEqual({ events: [refunded('re_2')] });
    expect(given(...owing, refunded('re_1')).when(fail('re_1'))).toEqual({ events: [failed('re_1', 1)] });
  });

  it('E6 PAY6 a refund that failed is not made by an older answer', () => {
    expect(given(...owing, failed('re_1', 1)).when(record('re_1'))).toEqual({ events: [] });
  });

  it('E6 PAY6 a refund of what was never due changes nothing', () => {
    expect(given(placed, started('pi_1', 1), recorded).when(fail('re_1'))).toEqual({ events: [] });
    expect(given(placed).when(fail('re_1'))).toEqual({ events: [] });
  });

  it('T1 PAY4 money that went back is not due again when its webhook comes late', () => {
    expect(given(...owing, refunded('re_1')).when(settle('pi_1'))).toEqual({ events: [] });
  });

  it('T2 PAY4 money above the total goes back, and the order stays unpaid', () => {
    expect(given(placed).when(settle('pi_1', 3_750_200))).toEqual(refundDue('pi_1', 'wrong_amount', 3_750_200));
  });

  it('PAY5 an intent that Stripe has cancelled is abandoned, once; a paid one never', () => {
    const abandon: OrderCommand = { type: 'AbandonPayment', intent: 'pi_1' };
    expect(given(placed, started('pi_1', 1)).when(abandon)).toEqual({ events: [abandoned] });
    expect(given(placed, started('pi_1', 1), abandoned).when(abandon)).toEqual({ events: [] });
    expect(given(placed, started('pi_1', 1), recorded).when(abandon)).toEqual({ events: [] });
  });
});

describe('sharing a tracking link', () => {
  const share: OrderCommand = { type: 'ShareTracking' };
  const withdraw: OrderCommand = { type: 'WithdrawTracking' };
  const shared = (generation: number): DomainEvent => ({ type: 'TrackingShared', data: { generation } });
  const withdrawn = (generation: number): DomainEvent => ({ type: 'TrackingWithdrawn', data: { generation } });

  it('TRACK2 ORD4 an order has one link at a time, and a repeat changes nothing', () => {
    expect(given(placed).when(share)).toEqual({ events: [shared(1)] });
    expect(given(placed, shared(1)).when(share)).toEqual({ events: [] });
    expect(given(placed, shared(1)).when(withdraw)).toEqual({ events: [withdrawn(1)] });
    expect(given(placed).when(withdraw)).toEqual({ events: [] });
    expect(given(placed, shared(1), withdrawn(1)).when(withdraw)).toEqual({ events: [] });
  });

  it('TRACK2 a withdrawn link never comes back: the next one has the next generation', () => {
    expect(given(placed, shared(1), withdrawn(1)).when(share)).toEqual({ events: [shared(2)] });
  });
});
