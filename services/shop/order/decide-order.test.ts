import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../contracts/documents.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import {
  CANCEL_REASONS,
  type CancelReason,
  WITHDRAWAL_REASONS,
  type WithdrawalReason,
} from '../../contracts/reasons.ts';
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
const SHIPPED_AT = '2026-01-01T12:00:00.000Z';
/** `after` milliseconds */
const later = (after: number) => new Date(Date.parse(SHIPPED_AT) + after).toISOString();
const shipped: DomainEvent = { type: 'OrderShipped', data: { shippedAt: SHIPPED_AT } };
const ship = (more: { seen?: number; parcel?: Parcel } = {}): OrderCommand => ({
  type: 'ShipOrder',
  now: SHIPPED_AT,
  ...more,
});
const withdrawn = (reason: WithdrawalReason | null, shipment = 1): DomainEvent => ({
  type: 'ShipmentWithdrawn',
  data: { shipment, reason },
});
const cancelled = (reason: CancelReason): DomainEvent => ({
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
    for (const command of [{ type: 'CancelOrder' }, ship(), settle('pi_1')] as OrderCommand[]) {
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
    for (const reason of CANCEL_REASONS) {
      const refused = { refused: { code: 'order_cancelled', orderId } };
      expect(given(placed, cancelled(reason)).when(change)).toEqual(refused);
    }
  });
});

describe('ORD4 unpaid -> paid -> shipped only', () => {
  it('ships a paid order, once', () => {
    expect(given(placed, started('pi_1', 1), recorded).when(ship())).toEqual({ events: [shipped] });
    expect(given(placed, recorded, shipped).when(ship())).toEqual({ events: [] });
  });

  it('T3 ORD4 does not ship an order whose payment has only begun', () => {
    expect(given(placed, started('pi_1', 1)).when(ship())).toEqual({
      refused: { code: 'order_not_paid', orderId },
    });
  });

  it('does not ship what is unpaid or cancelled', () => {
    expect(given(placed).when(ship())).toEqual({ refused: { code: 'order_not_paid', orderId } });
    expect(given(placed, cancelled('customer')).when(ship())).toEqual({
      refused: { code: 'order_cancelled', orderId },
    });
  });

  it('E30 ORD4 says whether an admin cancelled it', () => {
    expect(given(placed).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [cancelled('admin')] });
    expect(given(placed, cancelled('customer')).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [] });
    const late = settle('pi_1');
    expect(given(placed, started('pi_1', 1), cancelled('admin')).when(late)).toEqual(
      refundDue('pi_1', 'order_cancelled'),
    );
  });

  it('cancels only while unpaid, once', () => {
    expect(given(placed).when({ type: 'CancelOrder' })).toEqual({ events: [cancelled('customer')] });
    expect(given(placed, cancelled('expired')).when({ type: 'CancelOrder' })).toEqual({ events: [] });
    expect(given(placed, recorded).when({ type: 'CancelOrder' })).toEqual({ refused: { code: 'order_paid', orderId } });
    expect(given(placed, recorded, shipped).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
  });
});

describe('ORD10 an admin ships the order that they saw', () => {
  const moved: DomainEvent = { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'Sylhet' } } };

  it('at the version seen, and at no other', () => {
    expect(given(placed, recorded).when(ship({ seen: 2 }))).toEqual({ events: [shipped] });
    expect(given(placed, recorded, moved).when(ship({ seen: 2 }))).toEqual({
      refused: { code: 'order_changed', orderId, version: 3 },
    });
    expect(given(placed, recorded, moved).when(ship())).toEqual({ events: [shipped] });
  });

  it('and what is shipped already stays as it is, whichever version was seen', () => {
    expect(given(placed, recorded, shipped).when(ship({ seen: 2 }))).toEqual({ events: [] });
  });

  it('ORD4 what is unpaid or cancelled is told so, whichever version was seen', () => {
    expect(given(placed).when(ship({ seen: 7 }))).toHaveProperty('refused.code', 'order_not_paid');
    expect(given(placed, cancelled('expired')).when(ship({ seen: 7 }))).toHaveProperty(
      'refused.code',
      'order_cancelled',
    );
  });

  it('CMD3 a repeat after its shipment was withdrawn ships nothing', () => {
    const history = [placed, recorded, shipped, withdrawn(null)];
    expect(given(...history).when(ship({ seen: 2 }), [shipped])).toEqual({ events: [] });
    expect(given(...history).when(ship(), [shipped])).toEqual({ events: [] });
    expect(given(...history).when(ship({ seen: 2 }))).toHaveProperty('refused.code', 'order_changed');
  });
});

describe('ORD11 a shipment can be withdrawn for a while', () => {
  const withdraw = (after: number, reason: WithdrawalReason | null = null, shipment = 1): OrderCommand => ({
    type: 'WithdrawShipment',
    shipment,
    reason,
    now: later(after),
  });
  const [SECOND, MINUTE] = [1_000, 60_000];
  const history = [placed, recorded, shipped];

  it('without a reason for 30 seconds, with one for 15 minutes', () => {
    expect(given(...history).when(withdraw(30 * SECOND))).toEqual({ events: [withdrawn(null)] });
    expect(given(...history).when(withdraw(SECOND, 'mistake'))).toEqual({ events: [withdrawn('mistake')] });
    expect(given(...history).when(withdraw(30 * SECOND + 1))).toEqual({
      refused: { code: 'reason_required', orderId },
    });
    for (const reason of WITHDRAWAL_REASONS) {
      expect(given(...history).when(withdraw(15 * MINUTE, reason))).toEqual({ events: [withdrawn(reason)] });
    }
    for (const reason of [null, 'damaged'] as const) {
      expect(given(...history).when(withdraw(15 * MINUTE + 1, reason))).toEqual({
        refused: { code: 'shipment_final', orderId },
      });
    }
  });

  it('ORD4 leaves the order paid: it can be corrected and shipped again, as the next shipment', () => {
    const back = [...history, withdrawn(null)];
    expect(given(...back).when(ship())).toEqual({ events: [shipped] });
    expect(given(...back).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
    expect(given(...back).when({ type: 'ChangeDelivery', changes: { address: 'Sylhet' } })).toHaveProperty('events.0');
    expect(given(...back).when(settle('pi_2'))).toEqual(refundDue('pi_2', 'already_paid'));
    expect(given(...back, shipped).when(withdraw(SECOND, null, 2))).toEqual({ events: [withdrawn(null, 2)] });
  });

  it('names its shipment, so that a late one does not take back the next', () => {
    const refused = { refused: { code: 'order_not_shipped', orderId } };
    expect(given(placed, recorded).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history, withdrawn(null)).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history, withdrawn(null), shipped).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history).when(withdraw(SECOND, null, 2))).toEqual(refused);
  });

  it('CMD3 ORD4 a repeat changes nothing; the same key with another reason is another request', () => {
    const back = [...history, withdrawn('damaged')];
    expect(given(...back).when(withdraw(SECOND, 'damaged'), [withdrawn('damaged')])).toEqual({ events: [] });
    expect(given(...back, shipped).when(withdraw(SECOND, 'damaged'), [withdrawn('damaged')])).toEqual({ events: [] });
    expect(given(...back).when(withdraw(SECOND, 'mistake'), [withdrawn('damaged')])).toEqual({
      refused: { code: 'idempotency_key_reused' },
    });
  });

  it('not where an older version shipped it, nor once its customer is erased', () => {
    const final = { refused: { code: 'shipment_final', orderId } };
    const old: DomainEvent = { type: 'OrderShipped', data: {} };
    expect(given(placed, recorded, old).when(withdraw(SECOND, 'mistake'))).toEqual(final);
    const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };
    expect(given(...history, erased).when(withdraw(SECOND))).toEqual(final);
  });
});

describe('ORD12 who carries a parcel', () => {
  const parcel = { carrier: 'pathao', trackingNumber: 'DH240827' } as const;
  const parcelRecorded = (shipment: number, trackingNumber = 'DH240827'): DomainEvent => ({
    type: 'ParcelRecorded',
    data: { shipment, carrier: 'pathao', trackingNumber },
  });
  const record = (trackingNumber = 'DH240827'): OrderCommand => ({
    type: 'RecordParcel',
    parcel: { carrier: 'pathao', trackingNumber },
  });

  it('is recorded with shipping or later, and corrected', () => {
    expect(given(placed, recorded).when(ship({ parcel }))).toEqual({ events: [shipped, parcelRecorded(1)] });
    expect(given(placed, recorded, shipped).when(record())).toEqual({ events: [parcelRecorded(1)] });
    expect(given(placed, recorded, shipped, parcelRecorded(1)).when(record('DH-2'))).toEqual({
      events: [parcelRecorded(1, 'DH-2')],
    });
    expect(given(placed, recorded, shipped, parcelRecorded(1)).when(record())).toEqual({ events: [] });
  });

  it('belongs to one shipment: the next one begins without', () => {
    const again = [placed, recorded, shipped, parcelRecorded(1), withdrawn(null), shipped];
    expect(given(...again).when(record())).toEqual({ events: [parcelRecorded(2)] });
    expect(given(...again.slice(0, 5)).when(ship({ parcel }))).toEqual({ events: [shipped, parcelRecorded(2)] });
  });

  it('is asked of a shipped order alone', () => {
    const refused = { refused: { code: 'order_not_shipped', orderId } };
    expect(given(placed, recorded).when(record())).toEqual(refused);
    expect(given(placed, recorded, shipped, withdrawn(null)).when(record())).toEqual(refused);
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

describe('erasing its customer', () => {
  const erase = { type: 'ErasePersonalData' } as const;
  const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };

  it('E11 ERASE1 cancels an unpaid order in the same step, so that it is never paid afterwards', () => {
    const { events } = given(placed).when(erase) as { events: DomainEvent[] };
    expect(events).toEqual([{ type: 'OrderCancelled', data: expect.objectContaining({ reason: 'customer' }) }, erased]);
  });

  it('E11 ERASE1 is refused while an order is paid and not shipped, also where its shipment was withdrawn', () => {
    const refused = { refused: { code: 'order_paid', orderId } };
    expect(given(placed, recorded).when(erase)).toEqual(refused);
    expect(given(placed, recorded, shipped, withdrawn(null)).when(erase)).toEqual(refused);
    expect(given(placed, recorded, shipped).when(erase)).toEqual({ events: [erased] });
  });

  it('E11 ERASE1 BACKUP1 goes through for a paid order whose address is already gone', () => {
    expect(given(placed, recorded).when({ ...erase, evenIfPaid: true })).toEqual({ events: [erased] });
  });

  it('E24 ERASE1 is recorded once, whatever caused it', () => {
    expect(given(placed, recorded, shipped, erased).when(erase)).toEqual({ events: [] });
  });
});
