import { describe, expect, it } from 'vitest';
import type { DomainEvent, EventData } from '../../contracts/events.ts';
import type { RefundStatus } from '../../contracts/order-reasons.ts';
import { orderView } from '../views.ts';
import { owedGrants } from './money-of-order.ts';
import { evolveOrder, initialOrderState, type OrderCommand, paymentOf } from './order.ts';
import {
  cancelled,
  customer,
  given,
  later,
  orderId,
  placed,
  recorded,
  ship,
  shipped,
  started,
} from './order-events.fixture.ts';
import { projectOrder } from './project-order.ts';

const PAID = 3_750_100;
const grant = (amount: number, more: { cancels?: boolean; seen?: number; grant?: string } = {}): OrderCommand => ({
  type: 'GrantRefund',
  grant: 'g_1',
  amount,
  reason: 'damaged',
  note: 'The fan is broken.',
  cancels: false,
  ...more,
});
const granted = (amount: number, id = 'g_1'): DomainEvent => ({
  type: 'RefundGranted',
  data: {
    grant: id,
    intent: 'pi_1',
    amount,
    currency: 'bdt',
    reason: 'damaged',
    person: customer,
    personal: { note: 'The fan is broken.' },
  },
});
const refund = (
  status: RefundStatus,
  amount = PAID,
  more: { refund?: string; grant?: string | null } = {},
): EventData<'RefundReported'> => ({
  refund: 're_1',
  intent: 'pi_1',
  amount,
  currency: 'bdt',
  status,
  grant: null,
  failure: null,
  ...more,
});
const reported = (...args: Parameters<typeof refund>): DomainEvent => ({
  type: 'RefundReported',
  data: refund(...args),
});
const report = (...args: Parameters<typeof refund>): OrderCommand => ({
  type: 'ReportRefund',
  reported: refund(...args),
});
const dispute = (moves: 0 | 1 | 2, refundable = false, intent = 'pi_1'): EventData<'DisputeReported'> => ({
  dispute: 'dp_1',
  intent,
  amount: PAID,
  currency: 'bdt',
  status: 'needs_response',
  withdrawn: moves > 0,
  reinstated: moves > 1,
  refundable,
});
const disputed = (...args: Parameters<typeof dispute>): DomainEvent => ({
  type: 'DisputeReported',
  data: dispute(...args),
});
const paid = [placed, started('pi_1', 1), recorded];
const documentOf = (history: readonly DomainEvent[]) =>
  history.reduce<ReturnType<typeof projectOrder>>(
    (before, event, index) => projectOrder(before, { ...event, streamversion: index + 1, time: later(0) } as never),
    null,
  );
/** Returns the amounts that Stripe still has to send back after these events. */
function owedOf(...events: DomainEvent[]): number[] {
  const state = events.reduce(evolveOrder, initialOrderState);
  return state.status === 'absent' ? [] : owedGrants(state, paymentOf(state)).map(({ amount }) => amount);
}

describe('PAY8 granting a refund', () => {
  it('a part of the payment is granted, before or after shipping', () => {
    expect(given(...paid).when(grant(100))).toEqual({ events: [granted(100)] });
    expect(given(...paid, shipped).when(grant(100))).toEqual({ events: [granted(100)] });
  });

  it('the same command again grants nothing, and another amount under its key is refused', () => {
    const history = [...paid, granted(100)];
    expect(given(...history).when(grant(100), [granted(100)])).toEqual({ events: [] });
    expect(given(...history).when(grant(200), [granted(100)])).toHaveProperty('refused.code', 'idempotency_key_reused');
  });

  it('never more is granted than was paid, counting what was granted before and what was refunded in Stripe', () => {
    const refused = (left: number) => ({ refused: { code: 'refund_too_large', orderId, left } });
    expect(given(...paid).when(grant(PAID + 1))).toEqual(refused(PAID));
    expect(given(...paid, granted(100)).when(grant(PAID, { grant: 'g_2' }))).toEqual(refused(PAID - 100));
    expect(given(...paid, reported('pending', 100)).when(grant(PAID))).toEqual(refused(PAID - 100));
    const made = reported('succeeded', 100, { grant: 'g_1' });
    expect(given(...paid, granted(100), made).when(grant(PAID, { grant: 'g_2' }))).toEqual(refused(PAID - 100));
  });

  it('what went back in Stripe, or was taken by a dispute, is no longer owed for a grant', () => {
    const refunded = [...paid, granted(300), reported('succeeded', PAID - 100)];
    expect(given(...refunded).when(grant(1, { grant: 'g_2' }))).toHaveProperty('refused.left', 0);
    expect(owedOf(...refunded)).toEqual([100]);
    expect(owedOf(...paid, granted(300), disputed(1))).toEqual([]);
    expect(owedOf(...paid, granted(300), disputed(1), disputed(2, true))).toEqual([300]);
  });

  it('a refund that the bank sent back after the order was cancelled can be granted again', () => {
    const sentBack = [...paid, reported('succeeded'), cancelled('admin'), reported('failed')];
    expect(given(...sentBack).when(grant(PAID))).toEqual({ events: [granted(PAID)] });
    expect(given(...sentBack).when(grant(PAID, { cancels: true }))).toHaveProperty('refused.code', 'order_cancelled');
  });

  it('a refund that failed in Stripe can be granted again, unless it was granted and is still owed', () => {
    expect(given(...paid, reported('succeeded'), reported('failed')).when(grant(PAID))).toHaveProperty('events');
    const owed = [...paid, granted(PAID), reported('failed', PAID, { grant: 'g_1' })];
    expect(given(...owed).when(grant(1, { grant: 'g_2' }))).toHaveProperty('refused.code', 'refund_too_large');
  });

  it('a refund is granted only at the version that the admin saw, so a shipment at the same time wins or loses', () => {
    expect(given(...paid).when(grant(PAID, { seen: 3 }))).toEqual({ events: [granted(PAID)] });
    expect(given(...paid, shipped).when(grant(PAID, { seen: 3 }))).toEqual({
      refused: { code: 'stale_version', version: 4 },
    });
  });

  it('nothing is granted for an unpaid or a cancelled order', () => {
    expect(given(placed, started('pi_1', 1)).when(grant(100))).toHaveProperty('refused.code', 'order_not_paid');
    expect(given(placed, cancelled('customer')).when(grant(100))).toHaveProperty('refused.code', 'order_cancelled');
  });

  it('a refund of everything that is left can cancel an order that is not shipped', () => {
    expect(given(...paid).when(grant(PAID, { cancels: true }))).toEqual({
      events: [granted(PAID), cancelled('admin')],
    });
    expect(given(...paid).when(grant(100, { cancels: true }))).toHaveProperty('refused.code', 'refund_incomplete');
    expect(given(...paid, shipped).when(grant(PAID, { cancels: true }))).toHaveProperty(
      'refused.code',
      'order_shipped',
    );
    const rest = given(...paid, reported('succeeded', 100)).when(grant(PAID - 100, { cancels: true }));
    expect(rest).toEqual({ events: [granted(PAID - 100), cancelled('admin')] });
  });

  it('PAY9 nothing is granted while Stripe says that the payment cannot be refunded', () => {
    expect(given(...paid, disputed(1)).when(grant(100))).toHaveProperty('refused.code', 'order_disputed');
    expect(given(...paid, disputed(1), disputed(2, true)).when(grant(100))).toEqual({ events: [granted(100)] });
  });
});

describe('PAY6 what Stripe says about a refund', () => {
  const [pending, succeeded, failed] = (['pending', 'succeeded', 'failed'] as const).map((status) => ({ status }));

  it.each([
    [pending, succeeded, failed],
    [failed, pending, succeeded],
    [succeeded, failed, pending],
    [succeeded, succeeded, failed],
  ])('reports in any order, and repeated reports, leave the same state: %o %o %o', (...order) => {
    const history = [...paid];
    for (const one of order) {
      const outcome = given(...history).when(report(one?.status ?? 'pending'));
      if ('events' in outcome) history.push(...outcome.events);
    }
    expect(history.at(-1)).toEqual(reported('failed'));
    const document = documentOf(history);
    expect(document).toMatchObject({ kept: PAID / 100, refundedAt: null, owes: { refunds: [] } });
  });

  it('PAY6 a refund of an intent that did not pay for the order is not recorded here', () => {
    expect(given(placed, started('pi_1', 1)).when(report('succeeded'))).toEqual({ events: [] });
    expect(given(...paid).when({ type: 'ReportRefund', reported: { ...refund('pending'), intent: 'pi_2' } })).toEqual({
      events: [],
    });
  });
});

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

describe('PAY7 payments that take time', () => {
  const until = '2026-01-02T12:00:00.000Z';
  const processing: DomainEvent = { type: 'PaymentProcessing', data: { intent: 'pi_1', until } };
  const note: OrderCommand = { type: 'NoteProcessing', intent: 'pi_1', until: '2026-01-03T00:00:00.000Z' };
  const failed = (attempt = 0): DomainEvent[] =>
    Array(attempt).fill({ type: 'PaymentFailed', data: { intent: 'pi_1', reason: 'declined' } });
  const fail: OrderCommand = { type: 'NoteFailedAttempt', intent: 'pi_1', reason: 'declined' };
  const expire = (now: string): OrderCommand => ({ type: 'ExpireOrder', now });
  const open = [placed, started('pi_1', 1)];

  it('the order waits from the first report on, and a repeated report does not make it wait longer', () => {
    expect(given(...open).when({ ...note, until } as OrderCommand)).toEqual({ events: [processing] });
    expect(given(...open, processing).when(note)).toEqual({ events: [] });
    expect(given(...open, processing).when(expire('2026-01-02T00:00:00.000Z'))).toEqual({ events: [] });
    expect(given(...open, processing).when(expire(until))).toEqual({ events: [cancelled('expired')] });
  });

  it('if the payment fails, the order expires when its hold ends', () => {
    expect(given(...open, processing, ...failed(1)).when(expire('2026-01-02T00:00:00.000Z'))).toEqual({
      events: [cancelled('expired')],
    });
  });

  it('CMD8 at most 20 failed attempts are recorded', () => {
    expect(given(...open, ...failed(19)).when(fail)).toEqual({ events: failed(1) });
    expect(given(...open, ...failed(20)).when(fail)).toEqual({ events: [] });
  });

  it('a report about an intent that is no longer open changes nothing', () => {
    for (const history of [paid, [...open, cancelled('expired')], [placed]]) {
      expect(given(...history).when(note)).toEqual({ events: [] });
      expect(given(...history).when(fail)).toEqual({ events: [] });
    }
  });
});
