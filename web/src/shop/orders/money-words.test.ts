import { PAYMENT_FAILURES } from '@micro-center/services/contracts/payment/payment-failures.ts';
import { expect, it } from 'vitest';
import { failureOf, isProcessing, moneyBackTexts } from './money-words.ts';
import { orderOf, PAID } from './order.fixture.ts';

const UNTIL = '2026-01-05T10:00:00.000Z';
const GONE = { cancelledAt: '2026-01-01T12:00:00.000Z', cancelReason: 'customer' } as const;

it.each([
  [undefined, []],
  [{ returned: 0, returning: 500, left: 100 }, ['৳500 is on its way back']],
  [{ returned: 250.5, returning: 0, left: 0 }, ['Refunded ৳250.50']],
  [{ returned: 250.5, returning: 500, left: 0 }, ['Refunded ৳250.50', '৳500 is on its way back']],
  [{ returned: 0, returning: 0, left: 600 }, []],
])('PAY8 an order with the money %o says %o', (moneyBack, texts) => {
  expect(moneyBackTexts(moneyBack ? { moneyBack } : {})).toEqual(texts);
});

it.each(PAYMENT_FAILURES)('PAY7 a payment that failed because of %s says what the shopper can do', (paymentFailure) => {
  expect(failureOf(orderOf({ paymentFailure }))?.text).toMatch(/\. (Try|Check) .*\.$/);
  expect(failureOf(orderOf({ paymentFailure }))?.short.length).toBeLessThan(40);
});

it('PAY7 an older failure is not shown while a later payment is processed, or once the order is paid or cancelled', () => {
  const paymentFailure = 'declined';
  for (const changes of [{ processingUntil: UNTIL }, PAID, GONE]) {
    expect(failureOf(orderOf({ paymentFailure, ...changes }))).toBeNull();
  }
  expect(failureOf(orderOf())).toBeNull();
});

it('PAY7 only an unpaid order that is not cancelled waits for a payment that is being processed', () => {
  expect(isProcessing(orderOf({ processingUntil: UNTIL }))).toBe(true);
  for (const changes of [{}, { ...PAID, processingUntil: UNTIL }, { ...GONE, processingUntil: UNTIL }]) {
    expect(isProcessing(orderOf(changes))).toBe(false);
  }
});
