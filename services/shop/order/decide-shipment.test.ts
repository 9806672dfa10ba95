import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import type { OrderCommand } from './order.ts';
import {
  cancelled,
  customer,
  given,
  later,
  orderId,
  placed,
  recorded,
  refundDue,
  settle,
  ship,
  shipped,
  withdrawn,
} from './order-events.fixture.ts';

describe('ORD10 shipping an order only at the version that the admin saw', () => {
  const moved: DomainEvent = { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'Sylhet' } } };

  it('an order ships only if it is still at the version that the admin saw, or if the command names no version', () => {
    expect(given(placed, recorded).when(ship({ seen: 2 }))).toEqual({ events: [shipped] });
    expect(given(placed, recorded, moved).when(ship({ seen: 2 }))).toEqual({
      refused: { code: 'order_changed', orderId, version: 3 },
    });
    expect(given(placed, recorded, moved).when(ship())).toEqual({ events: [shipped] });
  });

  it('shipping does nothing if the order is already shipped, whichever version the admin saw', () => {
    expect(given(placed, recorded, shipped).when(ship({ seen: 2 }))).toEqual({ events: [] });
  });

  it('ORD4 shipping is refused if the order is unpaid or cancelled, whichever version the admin saw', () => {
    expect(given(placed).when(ship({ seen: 7 }))).toHaveProperty('refused.code', 'order_not_paid');
    expect(given(placed, cancelled('expired')).when(ship({ seen: 7 }))).toHaveProperty(
      'refused.code',
      'order_cancelled',
    );
  });

  it('CMD3 repeating a ship command after its shipment was withdrawn does nothing', () => {
    const history = [placed, recorded, shipped, withdrawn(null)];
    expect(given(...history).when(ship({ seen: 2 }), [shipped])).toEqual({ events: [] });
    expect(given(...history).when(ship(), [shipped])).toEqual({ events: [] });
    expect(given(...history).when(ship({ seen: 2 }))).toHaveProperty('refused.code', 'order_changed');
  });
});

describe('ORD11 withdrawing a shipment', () => {
  const withdraw = (after: number, reason: WithdrawalReason | null = null, shipment = 1): OrderCommand => ({
    type: 'WithdrawShipment',
    shipment,
    reason,
    now: later(after),
  });
  const [SECOND, MINUTE] = [1_000, 60_000];
  const history = [placed, recorded, shipped];

  it('a shipment can be withdrawn without a reason within 30 seconds, and with a reason within 15 minutes', () => {
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

  it('ORD4 an order whose shipment was withdrawn counts as paid again, can be corrected, and can be shipped again', () => {
    const back = [...history, withdrawn(null)];
    expect(given(...back).when(ship())).toEqual({ events: [shipped] });
    expect(given(...back).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
    expect(given(...back).when({ type: 'ChangeDelivery', changes: { address: 'Sylhet' } })).toHaveProperty('events.0');
    expect(given(...back).when(settle('pi_2'))).toEqual(refundDue('pi_2', 'already_paid'));
    expect(given(...back, shipped).when(withdraw(SECOND, null, 2))).toEqual({ events: [withdrawn(null, 2)] });
  });

  it("withdrawing a shipment is refused unless the request names the order's current shipment", () => {
    const refused = { refused: { code: 'order_not_shipped', orderId } };
    expect(given(placed, recorded).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history, withdrawn(null)).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history, withdrawn(null), shipped).when(withdraw(SECOND))).toEqual(refused);
    expect(given(...history).when(withdraw(SECOND, null, 2))).toEqual(refused);
  });

  it("CMD3 ORD4 repeating a shipment's withdrawal does nothing, but reusing its idempotency key with another reason is refused", () => {
    const back = [...history, withdrawn('damaged')];
    expect(given(...back).when(withdraw(SECOND, 'damaged'), [withdrawn('damaged')])).toEqual({ events: [] });
    expect(given(...back, shipped).when(withdraw(SECOND, 'damaged'), [withdrawn('damaged')])).toEqual({ events: [] });
    expect(given(...back).when(withdraw(SECOND, 'mistake'), [withdrawn('damaged')])).toEqual({
      refused: { code: 'idempotency_key_reused' },
    });
  });

  it("a shipment can't be withdrawn once the customer has been erased", () => {
    const final = { refused: { code: 'shipment_final', orderId } };
    const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };
    expect(given(...history, erased).when(withdraw(SECOND))).toEqual(final);
  });
});

describe("ORD12 a parcel's carrier and tracking number", () => {
  const parcel = { carrier: 'pathao', trackingNumber: 'DH240827' } as const;
  const parcelRecorded = (shipment: number, trackingNumber = 'DH240827'): DomainEvent => ({
    type: 'ParcelRecorded',
    data: { shipment, carrier: 'pathao', trackingNumber },
  });
  const record = (trackingNumber = 'DH240827'): OrderCommand => ({
    type: 'RecordParcel',
    parcel: { carrier: 'pathao', trackingNumber },
  });

  it('a parcel’s carrier and tracking number can be recorded when the order ships or later, and can be corrected', () => {
    expect(given(placed, recorded).when(ship({ parcel }))).toEqual({ events: [shipped, parcelRecorded(1)] });
    expect(given(placed, recorded, shipped).when(record())).toEqual({ events: [parcelRecorded(1)] });
    expect(given(placed, recorded, shipped, parcelRecorded(1)).when(record('DH-2'))).toEqual({
      events: [parcelRecorded(1, 'DH-2')],
    });
    expect(given(placed, recorded, shipped, parcelRecorded(1)).when(record())).toEqual({ events: [] });
  });

  it('a parcel’s carrier and tracking number belong to one shipment, and the next shipment starts without them', () => {
    const again = [placed, recorded, shipped, parcelRecorded(1), withdrawn(null), shipped];
    expect(given(...again).when(record())).toEqual({ events: [parcelRecorded(2)] });
    expect(given(...again.slice(0, 5)).when(ship({ parcel }))).toEqual({ events: [shipped, parcelRecorded(2)] });
  });

  it('a parcel’s carrier and tracking number are recorded only for a shipped order', () => {
    const refused = { refused: { code: 'order_not_shipped', orderId } };
    expect(given(placed, recorded).when(record())).toEqual(refused);
    expect(given(placed, recorded, shipped, withdrawn(null)).when(record())).toEqual(refused);
  });
});
