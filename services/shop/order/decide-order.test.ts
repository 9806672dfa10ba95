import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { CANCEL_REASONS } from '../../contracts/order/cancel-reasons.ts';
import { stateAfter } from '../given-when-then.fixture.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderCommand } from './order.ts';
import {
  cancelled,
  customer,
  delivery,
  draft,
  given,
  orderId,
  place,
  placed,
  recorded,
  refundDue,
  settle,
  ship,
  shipped,
  started,
  withdrawn,
} from './order-events.fixture.ts';

describe('placing', () => {
  it('ORD1 an order is placed only once, even if two processes try to place it', () => {
    expect(given().when(place)).toEqual({ events: [placed] });
    expect(given(placed).when(place)).toEqual({ events: [] });
    expect(given(placed, cancelled('customer')).when(place)).toEqual({ events: [] });
  });

  it('CMD3 placing an order is refused if its id was already used for an order of another product', () => {
    const other: OrderCommand = { ...place, draft: { ...draft, productId: 'd'.repeat(32) } };
    expect(given(placed).when(other)).toEqual({ refused: { code: 'idempotency_key_reused' } });
  });

  it('a command for an order that does not exist is refused, unless the command places the order', () => {
    for (const command of [{ type: 'CancelOrder' }, ship(), settle('pi_1')] as OrderCommand[]) {
      expect(given().when(command)).toEqual({ refused: { code: 'not_found' } });
    }
  });
});

describe("ORD9 correcting an order's delivery details", () => {
  const change: OrderCommand = { type: 'ChangeDelivery', changes: { address: 'Sylhet' } };
  const changed = { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'Sylhet' } } };

  it('corrected delivery details are recorded as personal data of the customer who placed the order, before and after the payment', () => {
    expect(given(placed).when(change)).toEqual({ events: [changed] });
    expect(given(placed, started('pi_1', 1), recorded).when(change)).toEqual({ events: [changed] });
  });

  it('an empty change to the delivery details does nothing, and changes are refused once the order is shipped or cancelled', () => {
    expect(given(placed).when({ type: 'ChangeDelivery', changes: {} })).toEqual({ events: [] });
    expect(given(placed, recorded, shipped).when(change)).toEqual({ refused: { code: 'order_shipped', orderId } });
    for (const reason of CANCEL_REASONS) {
      const refused = { refused: { code: 'order_cancelled', orderId } };
      expect(given(placed, cancelled(reason)).when(change)).toEqual(refused);
    }
  });
});

describe('ORD4 an order goes from unpaid to paid to shipped', () => {
  it('a paid order is shipped only once', () => {
    expect(given(placed, started('pi_1', 1), recorded).when(ship())).toEqual({ events: [shipped] });
    expect(given(placed, recorded, shipped).when(ship())).toEqual({ events: [] });
  });

  it('ORD4 an order whose payment has started but not completed is not shipped', () => {
    expect(given(placed, started('pi_1', 1)).when(ship())).toEqual({
      refused: { code: 'order_not_paid', orderId },
    });
  });

  it('an unpaid or cancelled order is not shipped', () => {
    expect(given(placed).when(ship())).toEqual({ refused: { code: 'order_not_paid', orderId } });
    expect(given(placed, cancelled('customer')).when(ship())).toEqual({
      refused: { code: 'order_cancelled', orderId },
    });
  });

  it("ORD4 a cancellation by an admin is recorded as the admin's, and a payment that arrives later becomes due for a refund", () => {
    expect(given(placed).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [cancelled('admin')] });
    expect(given(placed, cancelled('customer')).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [] });
    const late = settle('pi_1');
    expect(given(placed, started('pi_1', 1), cancelled('admin')).when(late)).toEqual(
      refundDue('pi_1', 'order_cancelled'),
    );
  });

  it('an order can be cancelled only once, and only while it is unpaid', () => {
    expect(given(placed).when({ type: 'CancelOrder' })).toEqual({ events: [cancelled('customer')] });
    expect(given(placed, cancelled('expired')).when({ type: 'CancelOrder' })).toEqual({ events: [] });
    expect(given(placed, recorded).when({ type: 'CancelOrder' })).toEqual({ refused: { code: 'order_paid', orderId } });
    expect(given(placed, recorded, shipped).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
  });
});

describe('ORD6 expiry', () => {
  it('an unpaid order is cancelled at its expiry time and not before', () => {
    expect(given(placed).when({ type: 'ExpireOrder', now: draft.expiresAt })).toEqual({
      events: [cancelled('expired')],
    });
    expect(given(placed).when({ type: 'ExpireOrder', now: '2026-01-01T23:59:59.999Z' })).toEqual({ events: [] });
  });

  it('expiry does not change paid or cancelled orders', () => {
    const late: OrderCommand = { type: 'ExpireOrder', now: '2027-01-01T00:00:00.000Z' };
    expect(given(placed, recorded).when(late)).toEqual({ events: [] });
    expect(given(placed, cancelled('customer')).when(late)).toEqual({ events: [] });
  });
});

describe('sharing a tracking link', () => {
  const share: OrderCommand = { type: 'ShareTracking' };
  const withdraw: OrderCommand = { type: 'WithdrawTracking' };
  const shared = (generation: number): DomainEvent => ({ type: 'TrackingShared', data: { generation } });
  const withdrawn = (generation: number): DomainEvent => ({ type: 'TrackingWithdrawn', data: { generation } });

  it('TRACK2 ORD4 an order has one tracking link at a time, and sharing or withdrawing that link again changes nothing', () => {
    expect(given(placed).when(share)).toEqual({ events: [shared(1)] });
    expect(given(placed, shared(1)).when(share)).toEqual({ events: [] });
    expect(given(placed, shared(1)).when(withdraw)).toEqual({ events: [withdrawn(1)] });
    expect(given(placed).when(withdraw)).toEqual({ events: [] });
    expect(given(placed, shared(1), withdrawn(1)).when(withdraw)).toEqual({ events: [] });
  });

  it('TRACK2 a withdrawn tracking link is never issued again, because each new link gets the next generation number', () => {
    expect(given(placed, shared(1), withdrawn(1)).when(share)).toEqual({ events: [shared(2)] });
  });
});

describe("erasing an order's customer", () => {
  const erase = { type: 'ErasePersonalData' } as const;
  const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };

  it('ERASE1 erasing the customer of an unpaid order cancels the order in the same commit', () => {
    const { events } = given(placed).when(erase) as { events: DomainEvent[] };
    expect(events).toEqual([{ type: 'OrderCancelled', data: expect.objectContaining({ reason: 'customer' }) }, erased]);
  });

  it("ERASE1 an order's customer can't be erased while the order is paid but not shipped, even if a shipment was withdrawn", () => {
    const refused = { refused: { code: 'order_paid', orderId } };
    expect(given(placed, recorded).when(erase)).toEqual(refused);
    expect(given(placed, recorded, shipped, withdrawn(null)).when(erase)).toEqual(refused);
    expect(given(placed, recorded, shipped).when(erase)).toEqual({ events: [erased] });
  });

  it("ERASE1 BACKUP1 a paid order's customer can be erased if the customer's encryption key is already deleted", () => {
    expect(given(placed, recorded).when({ ...erase, evenIfPaid: true })).toEqual({ events: [erased] });
  });

  it('ERASE1 a decision never sees personal data, even just after the event that contains it was decided', () => {
    const moved: DomainEvent = { type: 'DeliveryChanged', data: { person: customer, personal: { address: 'Sylhet' } } };
    const seen = JSON.stringify(stateAfter(orderDecider, [placed, moved]));
    for (const personal of [...Object.values(delivery), 'Sylhet']) expect(seen).not.toContain(personal);
  });

  it("ERASE1 the erasure of an order's personal data is recorded only once, even if it is requested twice", () => {
    expect(given(placed, recorded, shipped, erased).when(erase)).toEqual({ events: [] });
  });
});
