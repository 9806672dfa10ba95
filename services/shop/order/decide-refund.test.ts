import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { stateAfter } from '../given-when-then.fixture.ts';
import { orderDecider } from './decide-order.ts';
import { disputed, documentOf, grant, granted, PAID, paid, refund, reported } from './money-events.fixture.ts';
import { owedGrants } from './money-of-order.ts';
import type { OrderCommand } from './order.ts';
import { cancelled, given, orderId, placed, shipped, started } from './order-events.fixture.ts';

const report = (...args: Parameters<typeof refund>): OrderCommand => ({
  type: 'ReportRefund',
  reported: refund(...args),
});
/** Returns the amounts that Stripe still has to send back after these events. */
function owedOf(...events: DomainEvent[]): number[] {
  const state = stateAfter(orderDecider, events);
  return state.status === 'absent' ? [] : owedGrants(state).map(({ amount }) => amount);
}

describe('PAY8 granting a refund', () => {
  it('a part of the payment is granted, before or after shipping', () => {
    expect(given(...paid).when(grant(100))).toEqual({ events: [granted(100)] });
    expect(given(...paid, shipped).when(grant(100))).toEqual({ events: [granted(100)] });
  });

  it('the same command again grants nothing, and another amount or another fate of the order under its key is refused', () => {
    const history = [...paid, granted(100)];
    expect(given(...history).when(grant(100), [granted(100)])).toEqual({ events: [] });
    expect(given(...history).when(grant(200), [granted(100)])).toHaveProperty('refused.code', 'idempotency_key_reused');
    const both = [granted(PAID), cancelled('admin')];
    const again = (cancels: boolean, prior: DomainEvent[]) =>
      given(...paid, ...prior).when(grant(PAID, { cancels }), prior);
    expect(again(true, both)).toEqual({ events: [] });
    expect(again(false, both)).toHaveProperty('refused.code', 'idempotency_key_reused');
    expect(again(true, [granted(PAID)])).toHaveProperty('refused.code', 'idempotency_key_reused');
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

  it('PAY6 a refund of money that the order could not accept counts as the order’s own only if the order has no payment', () => {
    const due = { intent: 'pi_2', amount: PAID, currency: 'bdt', reason: 'already_paid' } as const;
    const back: DomainEvent[] = [
      { type: 'RefundDue', data: due },
      { type: 'PaymentRefunded', data: { intent: 'pi_2', amount: PAID, refund: 're_2' } },
    ];
    expect(documentOf([...paid, ...back])).toMatchObject({ refundedAt: null, owes: { refunds: [] } });
    expect(documentOf([placed, cancelled('expired'), ...back])?.refundedAt).not.toBeNull();
  });

  it('PAY6 a refund of an intent that did not pay for the order is not recorded here', () => {
    expect(given(placed, started('pi_1', 1)).when(report('succeeded'))).toEqual({ events: [] });
    expect(given(...paid).when({ type: 'ReportRefund', reported: { ...refund('pending'), intent: 'pi_2' } })).toEqual({
      events: [],
    });
  });
});
