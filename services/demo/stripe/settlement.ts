/**
 * How money turns into a settlement currency. All amounts are integers in the currency's smallest unit, and
 * all arithmetic is on integers. Three rules:
 *
 * 1. Each movement of money is converted on its own, at the rate of the day (UTC) on which it happens, and rounded to
 *    the nearest cent, with half a cent rounded up. So the parts of a refund may add up to a cent more or less than the
 *    whole, and a refund usually takes more or fewer cents than the charge brought.
 * 2. A movement that undoes another one (a failed refund, a dispute that was won) moves exactly the same cents.
 * 3. Fees are computed from the settled amount and rounded like conversions. They aren't returned.
 */

/** Rates are integers in this fraction of a US dollar per unit of the currency. */
const RATE_SCALE = 10_000_000;
/** Each currency's middle rate. A rate drifts by at most 1 % around it. */
const MIDDLE_RATES: Readonly<Record<string, number>> = { bdt: 82_000, eur: 10_800_000 };
const DRIFT_STEPS = 201;
const DAY_S = 86_400;

const PERCENTAGE = { numerator: 29, denominator: 1_000 };
const FIXED_FEE = 30;

/** What Stripe charges for a dispute, in cents, even if the dispute is won. */
export const DISPUTE_FEE = 1_500;

export interface Settled {
  /** in cents */
  readonly amount: number;
  /** null if the money already was in the settlement currency */
  readonly exchangeRate: number | null;
}

/** Converts an amount into the currency `into`, at the rate of the day that contains `at`, in seconds since the epoch. */
export function settle(amount: number, currency: string, into: string, at: number): Settled {
  if (currency === into) return { amount, exchangeRate: null };
  const day = Math.floor(at / DAY_S);
  const dollars = rateOn(currency, day);
  const rate = into === 'usd' ? dollars : divideRounded(dollars * RATE_SCALE, rateOn(into, day));
  return { amount: divideRounded(amount * rate, RATE_SCALE), exchangeRate: rate / RATE_SCALE };
}

/** Returns the fee for a charge: 2.9 % of the settled amount and 30 cents. */
export function chargeFee(settledAmount: number): number {
  return divideRounded(settledAmount * PERCENTAGE.numerator, PERCENTAGE.denominator) + FIXED_FEE;
}

/** The drift depends only on the day. Consecutive days always have different rates. */
function rateOn(currency: string, day: number): number {
  if (currency === 'usd') return RATE_SCALE;
  const middle = MIDDLE_RATES[currency];
  if (middle === undefined) throw new Error(`There is no exchange rate for ${currency}.`);
  const step = ((day * 59) % DRIFT_STEPS) - (DRIFT_STEPS - 1) / 2;
  return middle + divideRounded(middle * step, (DRIFT_STEPS - 1) * 50);
}

function divideRounded(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
