import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import type { OrderCommand } from './order.ts';
import {
  abandoned,
  cancelled,
  given,
  placed,
  recorded,
  refundDue,
  settle,
  shipped,
  started,
} from './order-events.fixture.ts';

describe('paying', () => {
  const start = (intent: string, attempt: number): OrderCommand => ({
    type: 'StartPayment',
    intent,
    attempt,
    amount: 3_750_100,
  });

  it('PAY2 an order has at most one open payment intent at a time', () => {
    expect(given(placed).when(start('pi_1', 1))).toEqual({ events: [started('pi_1', 1)] });
    expect(given(placed, started('pi_1', 1)).when(start('pi_1', 1))).toEqual({ events: [] });
    expect(given(placed, started('pi_1', 1)).when(start('pi_2', 2))).toHaveProperty(
      'refused.code',
      'payment_superseded',
    );
  });

  it('PAY2 the next payment attempt can start once the previous one has been abandoned', () => {
    const history = [placed, started('pi_1', 1), abandoned];
    expect(given(...history).when(start('pi_2', 2))).toEqual({ events: [started('pi_2', 2)] });
    expect(given(...history).when(start('pi_2', 1))).toHaveProperty('refused.code', 'payment_superseded');
  });

  it('no payment is started for a paid or cancelled order', () => {
    expect(given(placed, recorded).when(start('pi_2', 1))).toHaveProperty('refused.code', 'order_paid');
    expect(given(placed, cancelled('customer')).when(start('pi_2', 1))).toHaveProperty(
      'refused.code',
      'order_cancelled',
    );
  });

  it('PAY2 a payment is recorded exactly once', () => {
    expect(given(placed, started('pi_1', 1)).when(settle('pi_1'))).toEqual({ events: [recorded] });
    expect(given(placed, started('pi_1', 1), recorded).when(settle('pi_1'))).toEqual({ events: [] });
    expect(given(placed, recorded, shipped).when(settle('pi_1'))).toEqual({ events: [] });
  });

  it('PAY4 a payment that cannot be applied to its order becomes due for a refund', () => {
    expect(given(placed, cancelled('customer')).when(settle('pi_1'))).toEqual(refundDue('pi_1', 'order_cancelled'));
    expect(given(placed, cancelled('expired')).when(settle('pi_1'))).toEqual(refundDue('pi_1', 'order_expired'));
    expect(given(placed, recorded).when(settle('pi_2'))).toEqual(refundDue('pi_2', 'already_paid'));
    expect(given(placed).when(settle('pi_1', 3_750_000))).toEqual(refundDue('pi_1', 'wrong_amount', 3_750_000));
    expect(given(placed).when(settle('pi_1', 3_750_100, 'usd'))).toEqual(
      refundDue('pi_1', 'wrong_currency', 3_750_100, 'usd'),
    );
  });

  it('PAY4 a refund becomes due only once and is recorded only once', () => {
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

  it('PAY6 each failed refund is recorded once and makes its amount due again', () => {
    expect(given(...owing).when(fail('re_1'))).toEqual({ events: [failed('re_1', 1)] });
    expect(given(...owing, failed('re_1', 1)).when(fail('re_1'))).toEqual({ events: [] });
    expect(given(...owing, failed('re_1', 1)).when(fail('re_2'))).toEqual({ events: [failed('re_2', 2)] });
    expect(given(...owing, failed('re_1', 1)).when(record('re_2'))).toEqual({ events: [refunded('re_2')] });
    expect(given(...owing, refunded('re_1')).when(fail('re_1'))).toEqual({ events: [failed('re_1', 1)] });
  });

  it('PAY6 a refund recorded as failed stays failed, even if an older response from Stripe reports that it succeeded', () => {
    expect(given(...owing, failed('re_1', 1)).when(record('re_1'))).toEqual({ events: [] });
  });

  it('PAY6 the failure of a refund that was never due changes nothing', () => {
    expect(given(placed, started('pi_1', 1), recorded).when(fail('re_1'))).toEqual({ events: [] });
    expect(given(placed).when(fail('re_1'))).toEqual({ events: [] });
  });

  it('T1 PAY4 a payment that has been refunded does not become due for a refund again if its webhook arrives late', () => {
    expect(given(...owing, refunded('re_1')).when(settle('pi_1'))).toEqual({ events: [] });
  });

  it("PAY4 a payment above the order's total becomes due for a refund, and the order stays unpaid", () => {
    expect(given(placed).when(settle('pi_1', 3_750_200))).toEqual(refundDue('pi_1', 'wrong_amount', 3_750_200));
  });

  it('PAY5 a payment intent that Stripe has cancelled is recorded as abandoned once, and a paid intent is never recorded as abandoned', () => {
    const abandon: OrderCommand = { type: 'AbandonPayment', intent: 'pi_1' };
    expect(given(placed, started('pi_1', 1)).when(abandon)).toEqual({ events: [abandoned] });
    expect(given(placed, started('pi_1', 1), abandoned).when(abandon)).toEqual({ events: [] });
    expect(given(placed, started('pi_1', 1), recorded).when(abandon)).toEqual({ events: [] });
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
    for (const history of [[...open, recorded], [...open, cancelled('expired')], [placed]]) {
      expect(given(...history).when(note)).toEqual({ events: [] });
      expect(given(...history).when(fail)).toEqual({ events: [] });
    }
  });
});
