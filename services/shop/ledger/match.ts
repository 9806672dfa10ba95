import { type Amounts, type Money, minus, total } from '../../contracts/ledger/amounts.ts';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';
import { type CAUSES, MOVEMENTS } from '../../contracts/ledger/ledger.ts';
import { CURRENCY, toPoisha } from '../../contracts/money.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { UnacceptedMoney } from './unaccepted.ts';

/** What a movement of money is about. A dispute takes money, and its reversal brings the money back. */
export type Movement = (typeof MOVEMENTS)[number];

/** One movement of money, as one of the two sides states it. The amount is negative if the money left the shop. */
export interface Entry extends Money {
  readonly movement: Movement;
  /** Stripe's id of what moved the money: of the payment intent, the refund or the dispute */
  readonly about: string;
  /** when the order recorded the movement (ISO 8601), if that is known */
  readonly at?: string | undefined;
}

/**
 * Why the two sides differ, for one movement: Stripe states no such transaction (yet), the order doesn't know the
 * movement, one side has it twice, or both sides have it with different amounts or currencies.
 */
export type Cause = (typeof CAUSES)[number];

export interface Difference {
  readonly cause: Cause;
  readonly movement: Movement;
  readonly about: string;
  /** what the orders recorded less what Stripe states */
  readonly difference: Amounts;
  /** when the order recorded the movement, if it did and that is known */
  readonly at?: string | undefined;
}

/**
 * Returns the movements of the payment that an order accepted, as the order recorded them (LEDGER2). Stripe usually takes
 * the money of a pending refund at once, but not if the balance is too low. Such a refund is therefore a movement once
 * Stripe states it.
 */
export function recordedEntries(order: OrderDocument, stated: readonly Entry[]): Entry[] {
  const { transactionId: intent, moneyBack } = order;
  const entries: Entry[] = [];
  const add = (entry: Entry) => void entries.push(entry);
  const paidAt = order.paidAt ?? undefined;
  if (intent !== '') {
    add({ movement: 'charge', about: intent, amount: toPoisha(order.total), currency: CURRENCY, at: paidAt });
  }
  for (const { refund, amount, currency, status, at = paidAt } of moneyBack?.refunds ?? []) {
    const isTaken = status === 'pending' && stated.some(({ about }) => about === refund);
    if (status === 'succeeded' || isTaken) add({ movement: 'refund', about: refund, amount: -amount, currency, at });
  }
  return [...entries, ...disputeEntries(order, intent)];
}

/**
 * Returns the movements of money that an order couldn't accept. Such money goes back as a whole, but a person may have
 * refunded a part of it before the shop refunds the rest. All of its refunds are therefore one movement, about the intent.
 */
export function unacceptedEntries(
  order: OrderDocument,
  { intent, amount, currency, isRefunded }: UnacceptedMoney,
): Entry[] {
  const charge: Entry = { movement: 'charge', about: intent, amount, currency };
  const back: Entry[] = isRefunded ? [{ movement: 'refund', about: intent, amount: -amount, currency }] : [];
  return [charge, ...back, ...disputeEntries(order, intent)];
}

/** Combines the refunds of an intent's movements into one movement for each currency, about the intent. */
export function withRefundsAsOne(stated: readonly Entry[], intent: string): Entry[] {
  const refunds = stated.filter(({ movement }) => movement === 'refund');
  const sums = Object.entries(total(refunds)).map(([currency, amount]): Entry => {
    return { movement: 'refund', about: intent, amount, currency };
  });
  return [...stated.filter(({ movement }) => movement !== 'refund'), ...sums];
}

function disputeEntries({ moneyBack }: OrderDocument, intent: string): Entry[] {
  const own = (moneyBack?.disputes ?? []).filter((one) => one.intent === intent);
  return own.flatMap(({ dispute: about, amount, currency, withdrawn, reinstated, at }) => {
    const taken: Entry[] = withdrawn ? [{ movement: 'dispute', about, amount: -amount, currency, at }] : [];
    return reinstated ? [...taken, { movement: 'dispute_reversal', about, amount, currency, at } as const] : taken;
  });
}

/** Returns the movements that Stripe states, without its fees. A refund that failed cancels out with its failure. */
export function statedEntries(balances: readonly BalanceDocument[]): Entry[] {
  const entries = balances.flatMap(({ category, source, intent, shown }): Entry[] => {
    const movement = MOVEMENTS.find((one) => one === category) ?? 'other';
    const about = movement.startsWith('charge') ? intent : source;
    return shown && about !== null ? [{ movement, about, ...shown }] : [];
  });
  const failed = new Set(entries.flatMap(({ movement, about }) => (movement === 'refund_failure' ? about : [])));
  return entries.filter(({ movement, about }) => !(failed.has(about) && movement.startsWith('refund')));
}

/**
 * Matches the two sides of one order by Stripe's ids. Returns one difference for each movement on which they don't agree,
 * and none if they agree (LEDGER2).
 */
export function differencesOf(recorded: readonly Entry[], stated: readonly Entry[]): Difference[] {
  const keyOf = ({ movement, about }: Entry) => `${movement} ${about}`;
  const keys = new Set([...recorded, ...stated].map(keyOf));
  return [...keys].flatMap((key): Difference[] => {
    const [ours, theirs] = [recorded, stated].map((side) => side.filter((entry) => keyOf(entry) === key));
    const [first] = [...(ours ?? []), ...(theirs ?? [])];
    if (!first || !ours || !theirs) return [];
    const difference = minus(total(ours), total(theirs));
    const isEqual = ours.length === theirs.length && Object.keys(difference).length === 0;
    const { movement, about, at } = first;
    return isEqual ? [] : [{ cause: causeOf(ours, theirs), movement, about, difference, at }];
  });
}

function causeOf(ours: readonly Entry[], theirs: readonly Entry[]): Cause {
  if (theirs.length === 0) return 'not_stated';
  if (ours.length === 0) return 'not_recorded';
  return ours.length === theirs.length ? 'altered' : 'doubled';
}

/** What Stripe settled for some transactions: in its own settlement currency, as Stripe states it. */
export interface Settlement {
  readonly amount: Amounts;
  readonly fee: Amounts;
  readonly net: Amounts;
}

export function settlementOf(balances: readonly BalanceDocument[]): Settlement {
  const sumOf = (field: 'amount' | 'fee' | 'net') =>
    total(balances.map(({ currency, ...one }) => ({ currency, amount: one[field] })));
  return { amount: sumOf('amount'), fee: sumOf('fee'), net: sumOf('net') };
}
