import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { EventData } from '../../contracts/events.ts';
import { isoTime } from '../../runtime/clock.ts';

/** Returns the id of a balance transaction's stream. */
export const balanceIdOf = (transaction: string): string =>
  createHash('sha256').update(transaction).digest('hex').slice(0, 32);

/** What is needed of the charge, refund or dispute that a balance transaction is about. */
const sourceSchema = z.object({
  id: z.string(),
  object: z.enum(['charge', 'refund', 'dispute']),
  amount: z.number().int(),
  currency: z.string(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
  metadata: z.object({ orderId: z.string().optional() }).nullish(),
});

/**
 * Translates a balance transaction, whose `source` has to be expanded, into the event that records it. Fees and other
 * transactions that no shopper sees have no `shown` amount.
 */
export function statedBy(transaction: Stripe.BalanceTransaction): EventData<'BalanceRecorded'> {
  const { id, reporting_category: category, amount, fee, net, currency, exchange_rate: exchangeRate } = transaction;
  const source = sourceSchema.safeParse(transaction.source).data;
  return {
    transaction: id,
    category,
    amount,
    fee,
    net,
    currency,
    exchangeRate,
    source: source?.id ?? (typeof transaction.source === 'string' ? transaction.source : null),
    shown: source ? { amount: shownAmount(transaction, source), currency: source.currency } : null,
    intent: source?.payment_intent ?? null,
    orderId: source?.metadata?.orderId ?? null,
    createdAt: isoTime(transaction.created * 1_000),
    availableOn: isoTime(transaction.available_on * 1_000),
  };
}

/**
 * Returns what a transaction moved, in the source's currency, negative if money left the shop. That is the source's whole
 * amount, unless what Stripe settled is worth another one: of a dispute, a part may come back.
 */
function shownAmount(
  { amount, currency, exchange_rate: rate }: Stripe.BalanceTransaction,
  source: z.output<typeof sourceSchema>,
): number {
  const whole = amount < 0 ? -source.amount : source.amount;
  const perUnit = rate ?? (currency === source.currency ? 1 : null);
  if (perUnit === null) return whole;
  // Stripe rounds to whole units of the settlement currency, so amounts that are worth less than one are equal.
  const isWhole = Math.abs(amount - whole * perUnit) < 1;
  return isWhole ? whole : Math.round(amount / perUnit);
}
