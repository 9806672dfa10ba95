/**
 * Amounts of money by currency (an ISO 4217 code in lower case), each in the smallest unit of its currency. No function
 * here adds up amounts of different currencies, so that a sum over two currencies can't be written (LEDGER2).
 */
export type Amounts = Readonly<Record<string, number>>;

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

export const NO_MONEY: Amounts = {};

/** Returns the sum of all given amounts, by currency. A currency whose amounts cancel each other out is left out. */
export function total(all: Iterable<Money>): Amounts {
  const sums = new Map<string, number>();
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const moneyIn = (amounts: Amounts): Money[] =>
  Object.entries(amounts).map(([currency, amount]) => ({ currency, amount }));

export const plus = (...all: readonly Amounts[]): Amounts => total(all.flatMap(moneyIn));

export const minus = (one: Amounts, other: Amounts): Amounts =>
  total([...moneyIn(one), ...moneyIn(other).map(({ amount, currency }) => ({ amount: -amount, currency }))]);

export const isNothing = (amounts: Amounts): boolean => Object.values(amounts).every((amount) => amount === 0);

/**
 * The currencies whose amounts at Stripe don't have two decimals (Stripe's documentation, "Supported currencies"). ISK and
 * UGX have no smaller unit either, but Stripe's amounts in them have two decimals, which are zeros.
 */
const ZERO_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const THREE_DECIMALS = 'bhd jod kwd omr tnd'.split(' ');

/** Returns how many decimals Stripe's amounts in this currency have. */
export function digitsOf(currency: string): 0 | 2 | 3 {
  if (ZERO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
