import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { dispute, disputed, documentOf, granted, PAID, paid, reported } from './money-events.fixture.ts';
import type { OrderCommand } from './order.ts';
import { cancelled, given, orderId, placed, recorded, ship, shipped, started } from './order-events.fixture.ts';
import { orderView } from './order-view.ts';

describe('ORD14 an order whose money went back', () => {
  it.each([
    ['was granted', granted(PAID)],
    ['is on its way back', reported('pending')],
    ['went back', reported('succeeded')],
  ])('an order is not shipped if its money %s', (_, event) => {
    expect(given(...paid, event).when(ship())).toEqual({ refused: { code: 'order_refunded', orderId } });
  });

  it('an order is shipped if only a part of its money went back, or if its refund failed', () => {
    expect(given(...paid, granted(100)).when(ship())).toEqual({ events: [shipped] });
    expect(given(...paid, reported('succeeded'), reported('failed')).when(ship())).toEqual({ events: [shipped] });
  });

  it('PAY9 an order is not shipped while a dispute has taken its money, and is shipped once the money is back', () => {
    expect(given(...paid, disputed(1)).when(ship())).toEqual({ refused: { code: 'order_disputed', orderId } });
    expect(given(...paid, disputed(2)).when(ship())).toEqual({ events: [shipped] });
    const other = [placed, started('pi_1', 1), recorded, started('pi_2', 2), disputed(1, false, 'pi_2')];
    expect(given(...other).when(ship())).toEqual({ events: [shipped] });
  });

  it('ORD4 an admin can cancel it, and a customer cannot', () => {
    const history = [...paid, reported('succeeded')];
    expect(given(...history).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [cancelled('admin')] });
    expect(given(...history).when({ type: 'CancelOrder' })).toHaveProperty('refused.code', 'order_paid');
    expect(given(...paid, granted(100)).when({ type: 'CancelOrder', by: 'admin' })).toHaveProperty(
      'refused.code',
      'order_paid',
    );
  });

  it('PAY9 a dispute of a cancelled and refunded order returns no stock', () => {
    const history = [...paid, granted(PAID), cancelled('admin'), reported('succeeded', PAID, { grant: 'g_1' })];
    expect(given(...history).when({ type: 'ReportDispute', reported: dispute(1) })).toEqual({ events: [disputed(1)] });
  });

  it.each([
    [1, 'lost', 'needs_response'],
    [0, 'warning_closed', 'warning_under_review'],
  ] as const)(
    'PAY9 after a dispute whose money has moved %i times has ended as %s, a late report that it is open changes nothing',
    (moves, ended, open) => {
      const end: DomainEvent = { type: 'DisputeReported', data: { ...dispute(moves), status: ended } };
      const late: OrderCommand = { type: 'ReportDispute', reported: { ...dispute(moves), status: open } };
      expect(given(...paid, end).when(late)).toEqual({ events: [] });
      expect(given(...paid, { ...end, data: late.reported }).when({ ...late, reported: end.data })).toEqual({
        events: [end],
      });
    },
  );

  it('PAY9 the appeal of a lost dispute is recorded, and so is its result', () => {
    const states = ['lost', 'appeal_needs_response', 'appeal_under_review', 'lost'];
    const reports = states.map((status) => ({ ...dispute(1), status }));
    const history = [...paid];
    for (const reported of reports) {
      const outcome = given(...history).when({ type: 'ReportDispute', reported });
      expect(outcome).toEqual({ events: [{ type: 'DisputeReported', data: reported }] });
      history.push({ type: 'DisputeReported', data: reported });
    }
  });

  it('PAY9 ORD4 an order whose money a prevented dispute took is lost, and an admin can cancel it', () => {
    const prevented: DomainEvent = { type: 'DisputeReported', data: { ...dispute(1), status: 'prevented' } };
    const document = documentOf([...paid, prevented]);
    expect(document && orderView(document)).toMatchObject({ heldBack: 'lost' });
    expect(given(...paid, prevented).when({ type: 'CancelOrder', by: 'admin' })).toEqual({
      events: [cancelled('admin')],
    });
  });

  it('PAY9 ERASE1 once a dispute is lost, an admin can cancel the order, and the person can be erased', () => {
    const lost: DomainEvent = { type: 'DisputeReported', data: { ...dispute(1), status: 'lost' } };
    const byAdmin: OrderCommand = { type: 'CancelOrder', by: 'admin' };
    expect(given(...paid, disputed(1)).when(byAdmin)).toHaveProperty('refused.code', 'order_paid');
    expect(given(...paid, disputed(1), lost).when(byAdmin)).toEqual({ events: [cancelled('admin')] });
    expect(given(...paid, granted(300), disputed(1), lost).when({ type: 'ErasePersonalData' })).toHaveProperty(
      'events',
    );
  });

  it('ERASE1 ORD14 if the bank sends a refund back after the erasure, the order gets no address and is not shipped, and an admin can cancel it', () => {
    const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };
    const history = [...paid, reported('succeeded'), erased, reported('failed')];
    expect(given(...history).when(ship())).toHaveProperty('refused.code', 'order_erased');
    const address: OrderCommand = { type: 'ChangeDelivery', changes: { address: 'Khulna' } };
    expect(given(...history).when(address)).toHaveProperty('refused.code', 'order_erased');
    expect(given(...history).when({ type: 'CancelOrder', by: 'admin' })).toEqual({ events: [cancelled('admin')] });
    const document = documentOf(history);
    expect(document && orderView(document)).toMatchObject({ heldBack: 'erased' });
  });

  it('PAY4 PAY9 a dispute about money that the order could not accept leaves its refund due', () => {
    const due = { intent: 'pi_2', amount: PAID, currency: 'bdt', reason: 'order_cancelled' } as const;
    const history: DomainEvent[] = [placed, cancelled('customer'), { type: 'RefundDue', data: due }];
    const owes = { refunds: [{ intent: 'pi_2', amount: PAID }] };
    expect(documentOf([...history, disputed(1, false, 'pi_2'), disputed(2, true, 'pi_2')])).toMatchObject({ owes });
    const granting: DomainEvent[] = [
      ...paid,
      { type: 'RefundDue', data: { ...due, reason: 'already_paid' } },
      granted(100),
    ];
    const both = {
      refunds: [
        { intent: 'pi_2', amount: PAID },
        { intent: 'pi_1', amount: 100 },
      ],
    };
    expect(documentOf([...granting, disputed(0, true, 'pi_2')])).toMatchObject({ owes: both });
  });

  it('PAY9 ERASE1 a refund that is due is no longer owed once its money was lost to a dispute', () => {
    const due = { intent: 'pi_2', amount: PAID, currency: 'bdt', reason: 'order_cancelled' } as const;
    const history: DomainEvent[] = [placed, cancelled('customer'), { type: 'RefundDue', data: due }];
    const lost: DomainEvent = { type: 'DisputeReported', data: { ...dispute(1, false, 'pi_2'), status: 'lost' } };
    const erase: OrderCommand = { type: 'ErasePersonalData' };
    expect(given(...history, disputed(1, false, 'pi_2')).when(erase)).toHaveProperty('refused.code', 'refund_pending');
    expect(given(...history, disputed(1, false, 'pi_2'), lost).when(erase)).toHaveProperty('events');
  });

  it('ERASE1 a refund that failed three times does not delay an erasure, because the shop does not try again', () => {
    const failures = (count: number) =>
      Array.from({ length: count }, (_, index) => reported('failed', PAID, { refund: `re_${index}`, grant: 'g_1' }));
    const erase: OrderCommand = { type: 'ErasePersonalData' };
    expect(given(...paid, granted(PAID), ...failures(2)).when(erase)).toHaveProperty('refused.code', 'refund_pending');
    expect(given(...paid, granted(PAID), ...failures(3)).when(erase)).toHaveProperty('events');
  });

  it('ERASE1 its personal data is erased only once the money has arrived', () => {
    const erase: OrderCommand = { type: 'ErasePersonalData' };
    expect(given(...paid, granted(PAID)).when(erase)).toHaveProperty('refused.code', 'refund_pending');
    expect(given(...paid, granted(PAID), reported('succeeded', PAID, { grant: 'g_1' })).when(erase)).toEqual({
      events: [{ type: 'PersonalDataErased', data: {} }],
    });
  });
});
