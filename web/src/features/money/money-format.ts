import { type Amounts, digitsOf } from '@micro-center/services/contracts/ledger/amounts.ts';
import { CURRENCY } from '@micro-center/services/contracts/money.ts';

/**
 * Formats an amount in the smallest unit of its currency, always with the currency's decimals: 125050 bdt -> '৳1,250.50',
 * 820 usd -> 'USD 8.20', -500 jpy -> '-JPY 500'.
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const sign = currency === CURRENCY ? '৳' : `${currency.toUpperCase()}\u00a0`;
  return `${amount < 0 ? '-' : ''}${sign}${format.format(Math.abs(amount) / 10 ** digits)}`;
}

/** Formats each currency's amount on its own, because currencies are never added up. The shop's own currency is first. */
export function formatAmounts(amounts: Amounts): string[] {
  return Object.entries(amounts)
    .sort(([one], [other]) => Number(other === CURRENCY) - Number(one === CURRENCY))
    .map(([currency, amount]) => formatMoney(amount, currency));
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Formats a day: '2026-03-01' -> '1 Mar 2026'. */
export const formatDay = (text: string): string => day.format(Date.parse(text));

/** Formats a month: '2026-03' -> 'Mar 2026'. */
export const formatMonth = (text: string): string => month.format(Date.parse(text));
