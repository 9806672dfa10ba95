import { expect, it } from 'vitest';
import { formatAmounts, formatMoney } from './money-format.ts';
import { ledgerPeriod, ledgerRow, lostRow, openRow } from './money-page.fixture.ts';
import { monthsCsv } from './months-csv.ts';
import { causeText, stateText } from './row-words.ts';

it.each([
  ['not_stated', 'charge', { bdt: 100_000 }, "The order has a payment of ৳1,000.00 that Stripe hasn't stated."],
  ['not_recorded', 'dispute', { bdt: 100_000 }, "Stripe has a dispute of ৳1,000.00 that the order doesn't know."],
  ['doubled', 'charge', { bdt: -100_000 }, 'Stripe has a payment more than once, ৳1,000.00 too much.'],
  ['doubled', 'refund', { bdt: -50_000 }, 'The order has a refund more than once, ৳500.00 too much.'],
  ['doubled', 'refund', {}, 'Stripe and the order have this refund a different number of times.'],
  ['altered', 'charge', { bdt: 1_000 }, 'Stripe has ৳10.00 less for a payment than the order.'],
  ['altered', 'refund', { bdt: 1_000 }, 'Stripe has ৳10.00 more for a refund than the order.'],
  ['altered', 'charge', { bdt: 1_000, usd: -10 }, 'Stripe and the order have a payment in different currencies.'],
] as const)(
  'Z1 the cause %s of a %s with the difference %j reads as a plain sentence',
  (cause, movement, difference, words) => {
    expect(causeText({ cause, movement, about: 'pi_1', difference })).toBe(words);
  },
);

it('Z1 each state of a row is named in words', () => {
  expect(stateText(ledgerRow(1))).toBe('Matches');
  expect(stateText(ledgerRow(1, { state: 'pending' }))).toBe("Stripe hasn't stated this yet.");
  expect(stateText(ledgerRow(1, { state: 'before' }))).toBe('Before the ledger: Stripe no longer holds it.');
  expect(stateText(lostRow(1, { state: 'matched' }))).toBe('Nothing is left of it.');
  expect(stateText(lostRow(1, { state: 'aside', note: 'A gift' }))).toBe('Set aside: A gift');
  expect(stateText(lostRow(1, { namedOrder: null }))).toBe(
    'Stripe names no order for this money. Refund it in Stripe, or note what it is.',
  );
  const [first] = openRow(1).causes;
  expect(stateText(openRow(1, { causes: first ? [first, first, first] : [] }))).toContain('2 more reasons. Open');
});

it('Z4 an amount has its own currency’s sign and decimals, and currencies stay apart', () => {
  expect(formatMoney(-125_050, 'bdt')).toBe('-৳1,250.50');
  expect(formatMoney(500, 'jpy')).toBe('JPY\u00a0500');
  expect(formatAmounts({ aud: 100, bdt: 100 })).toEqual(['৳1.00', 'AUD\u00a01.00']);
});

it('Z5 LEDGER5 the totals of months have a line for each month and currency, with plain numbers', () => {
  expect(monthsCsv([ledgerPeriod('2026-02', { refunded: { bdt: -40_050 } })]).split('\r\n')).toEqual([
    '\ufeffmonth,currency,charged,refunded,disputed,fee,other,net,paidOut',
    '2026-02,bdt,1000.00,-400.50,0.00,0.00,0.00,0.00,0.00',
    '2026-02,usd,0.00,0.00,0.00,0.54,0.00,7.66,0.00',
    '',
  ]);
});
