import { describe, expect, it } from 'vitest';
import { cardOf, formatCvc, formatExpiry, formatNumber, problemsOf } from './demo-card-rules.ts';

const TODAY = new Date(2030, 5, 15);
const GOOD = { number: '4242 4242 4242 4242', expiry: '06 / 30', cvc: '123' };

describe('the demo card field', () => {
  it.each([
    ['42424', '4242 4'],
    ['4242-4242 4242424299', '4242 4242 4242 4242'],
    ['378282246310005', '3782 8224 6310 005'],
    ['abc', ''],
  ])('the demo card field formats the card number "%s" as "%s"', (typed, shown) => {
    expect(formatNumber(typed)).toBe(shown);
  });

  it.each([
    ['1', '1'],
    ['5', '05'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['12 / ', '12'],
    ['12/30', '12 / 30'],
    ['12/2030', '12 / 30'],
    ['5/2031', '05 / 31'],
  ])('the demo card field formats the expiry date "%s" as "%s"', (typed, shown) => {
    expect(formatExpiry(typed)).toBe(shown);
  });

  it('the demo card field shortens a security code to three digits, or to four for American Express', () => {
    expect(formatCvc('12345', GOOD.number)).toBe('123');
    expect(formatCvc('12345', '3782 8224 6310 005')).toBe('1234');
  });

  it.each([
    [{ number: '4242 4242' }, 'number', 'Your card number is incomplete.'],
    [{ number: '4242 4242 4242 4241' }, 'number', 'Your card number is invalid.'],
    [{ expiry: '06' }, 'expiry', "Your card's expiration date is incomplete."],
    [{ expiry: '13 / 31' }, 'expiry', "Your card's expiration date is invalid."],
    [{ expiry: '06 / 29' }, 'expiry', "Your card's expiration year is in the past."],
    [{ expiry: '05 / 30' }, 'expiry', "Your card's expiration date is in the past."],
    [{ expiry: '05 / 81' }, 'expiry', "Your card's expiration year is invalid."],
    [{ cvc: '12' }, 'cvc', "Your card's security code is incomplete."],
  ])('the demo card field rejects a card with %o and gives the same reason as Stripe', (change, field, message) => {
    expect(problemsOf({ ...GOOD, ...change }, TODAY)).toMatchObject([{ field, message }]);
  });

  it('the demo card field accepts a card until the end of its expiry month', () => {
    expect(problemsOf(GOOD, TODAY)).toEqual([]);
    expect(cardOf(GOOD)).toEqual({ number: '4242424242424242', exp_month: 6, exp_year: 2030, cvc: '123' });
  });
});
