import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import type {
  BalanceObject,
  BalanceTransactionObject,
  ChargeObject,
  DisputeObject,
  PayoutObject,
  RefundObject,
} from './objects.ts';
import { listParams, text } from './params.ts';
import { chargeFee, DISPUTE_FEE, type Settled, settle } from './settlement.ts';
import { type Call, find, listPage, nowInSeconds, save } from './simulation.ts';
import type { Kind } from './store.ts';

const DAY_S = 86_400;
/** A charge's money becomes available at midnight (UTC), two days after the charge. */
const DAYS_UNTIL_AVAILABLE = 2;

export const listBalanceTransactionsParams = listParams.extend({
  currency: text.optional(),
  payout: text.optional(),
  source: text.optional(),
  type: text.optional(),
  expand: z.array(z.literal('data.source')).optional(),
});

/** The reporting categories of Stripe's documentation that the simulator knows, each with its type. */
const TYPES = {
  charge: 'charge',
  charge_failure: 'payment_failure_refund',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'adjustment',
  dispute_reversal: 'adjustment',
  payout: 'payout',
  payout_reversal: 'payout_failure',
  topup: 'topup',
  fee: 'stripe_fee',
} as const;

interface Movement {
  category: keyof typeof TYPES;
  /** in the settlement currency's smallest unit; negative if the money leaves the account */
  amount: number;
  currency: string;
  exchangeRate: number | null;
  /** null if the movement is about no object */
  source: string | null;
  description: string | null;
  fee?: { amount: number; description: string };
}

/** Books the money that a charge brought. The fee is deducted at once. */
export function bookCharge(call: Call, { id, amount, currency, description = null }: ChargeObject): string {
  const settled = settledNow(call, amount, currency);
  const fee = { amount: chargeFee(settled.amount), description: 'Stripe processing fees' };
  return book(call, { ...settled, category: 'charge', source: id, description, fee }).id;
}

/** Books the return of a charge's money, after the customer's bank has taken it back. Stripe keeps the charge's fee. */
export function bookChargeFailure(call: Call, { id, balance_transaction: brought }: ChargeObject): string {
  const movement = { category: 'charge_failure', source: id, description: `PAYMENT FAILURE (${id})` } as const;
  return book(call, { ...undoing(find(call, 'balance_transaction', String(brought))), ...movement }).id;
}

/** Books the money that a refund took, at the rate of the day on which it was taken. The charge's fee isn't returned. */
export function bookRefund(call: Call, { id, amount, currency, charge }: RefundObject): string {
  const settled = settledNow(call, amount, currency);
  const description = `REFUND FOR CHARGE (${charge})`;
  return book(call, { ...settled, category: 'refund', source: id, description, amount: -settled.amount }).id;
}

/** Books the return of a refund's money after the refund failed or was canceled. `taken` is the refund's transaction. */
export function bookRefundFailure(call: Call, { id, charge }: RefundObject, taken: string): string {
  const description = `REFUND FAILURE (${charge})`;
  const movement = { category: 'refund_failure', source: id, description } as const;
  return book(call, { ...undoing(find(call, 'balance_transaction', taken)), ...movement }).id;
}

/** Books the money and the fee that a dispute took from the account. */
export function bookDispute(call: Call, { id, amount, currency, charge }: DisputeObject): BalanceTransactionObject {
  const settled = settledNow(call, amount, currency);
  return book(call, {
    ...settled,
    amount: -settled.amount,
    category: 'dispute',
    source: id,
    description: `Chargeback withdrawal for ${charge}`,
    fee: { amount: DISPUTE_FEE, description: 'Dispute fee' },
  });
}

/**
 * Books the return of a dispute's money after the dispute was won. `returned` is the part of the dispute's amount that
 * comes back. Stripe keeps the dispute's fee.
 */
export function bookDisputeReversal(
  call: Call,
  { id, charge, amount }: DisputeObject,
  withdrawal: BalanceTransactionObject,
  returned: number,
): BalanceTransactionObject {
  const whole = undoing(withdrawal);
  const description = `Chargeback reversal for ${charge}`;
  const part = Math.round((whole.amount * returned) / amount);
  return book(call, { ...whole, amount: part, category: 'dispute_reversal', source: id, description });
}

/** Books the money that a payout took to the shop's bank account, or that came from there. */
export function bookPayout(call: Call, { id, amount, currency }: Omit<PayoutObject, 'balance_transaction'>): string {
  const movement = { amount: -amount, currency, exchangeRate: null, source: id, description: 'STRIPE PAYOUT' };
  return book(call, { ...movement, category: 'payout' }).id;
}

/** Books the return of a payout's money, after the shop's bank didn't accept it. */
export function bookPayoutFailure(call: Call, { id, balance_transaction: taken }: PayoutObject): string {
  const movement = { category: 'payout_reversal', source: id, description: 'STRIPE PAYOUT FAILURE' } as const;
  return book(call, { ...undoing(find(call, 'balance_transaction', taken)), ...movement }).id;
}

/** Books money that the shop has sent to Stripe from its bank account, so that refunds can be made. */
export function bookTopup(call: Call, amount: number): BalanceTransactionObject {
  return book(call, { ...owned(call, amount), category: 'topup', source: null, description: 'Top-up' });
}

/** Books a fee that isn't part of a charge, e.g. for the product Radar. Stripe states it as an amount, not as a fee. */
export function bookFee(call: Call, amount: number, description: string): BalanceTransactionObject {
  return book(call, { ...owned(call, -amount), category: 'fee', source: null, description });
}

/** Returns an amount as money in the currency in which the account's money is settled now. */
function settledNow(call: Call, amount: number, currency: string): Settled & { currency: string } {
  const { settlesIn } = call.simulation.faults;
  return { ...settle(amount, currency, settlesIn, nowInSeconds(call)), currency: settlesIn };
}

const owned = ({ simulation: { faults } }: Call, amount: number) => ({
  amount,
  currency: faults.settlesIn,
  exchangeRate: null,
});

function undoing({ amount, currency, exchange_rate }: BalanceTransactionObject) {
  return { amount: -amount, currency, exchangeRate: exchange_rate };
}

function book(call: Call, movement: Movement): BalanceTransactionObject {
  const { category, amount, currency, exchangeRate, source, description, fee } = movement;
  const created = nowInSeconds(call);
  const available_on = category === 'charge' ? availableOn(call) : created;
  return save(call, {
    id: call.simulation.newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: exchangeRate,
    fee: fee?.amount ?? 0,
    fee_details: fee ? [{ ...fee, application: null, currency, type: 'stripe_fee' }] : [],
    net: amount - (fee?.amount ?? 0),
    reporting_category: category,
    source,
    status: available_on > created ? 'pending' : 'available',
    type: TYPES[category],
  });
}

/** Returns the time at which the money of a charge that is made now will be available, in seconds since the epoch. */
function availableOn(call: Call): number {
  const { availableMs } = call.simulation.faults;
  const now = nowInSeconds(call);
  if (availableMs !== null) return now + Math.ceil(availableMs / 1_000);
  return (Math.floor(now / DAY_S) + DAYS_UNTIL_AVAILABLE) * DAY_S;
}

export function retrieveBalanceTransaction(call: Call, _params: unknown, id: string): BalanceTransactionObject {
  return withStatus(call, find(call, 'balance_transaction', id));
}

/** Lists the account's movements of money. What a payout consists of isn't known. */
export function listBalanceTransactions(
  call: Call,
  { currency, payout, source, type, expand, ...page }: z.output<typeof listBalanceTransactionsParams>,
) {
  if (payout !== undefined) {
    find(call, 'payout', payout, 'payout');
    throw invalidRequest("The simulator can't list the transactions of a payout.", { param: 'payout' });
  }
  const labels = type === undefined ? undefined : [type];
  const filter = { parent: source, labels, currency: currency?.toLowerCase() };
  const listed = listPage(call, 'balance_transaction', page, filter);
  const data = listed.data.map((one) => withStatus(call, one));
  return { ...listed, data: expand ? data.map((one) => ({ ...one, source: sourceOf(call, one) })) : data };
}

const SOURCE_KINDS = { ch: 'charge', re: 'refund', dp: 'dispute', du: 'dispute', po: 'payout' } as const;

/** Returns the object that a transaction is about. */
function sourceOf(call: Call, { source }: BalanceTransactionObject) {
  const kind = SOURCE_KINDS[String(source).split('_')[0] as keyof typeof SOURCE_KINDS] as Kind | undefined;
  return kind && typeof source === 'string' ? find(call, kind, source) : source;
}

/** Returns the account's balance: the sums of `net` over all balance transactions, by currency and whether it's available yet. */
export function retrieveBalance(call: Call): BalanceObject {
  const { store, faults } = call.simulation;
  const sums = store.sumsOfNet(nowInSeconds(call));
  const known = sums.length > 0 ? sums : [{ currency: faults.settlesIn, available: 0, pending: 0 }];
  const part = (which: 'available' | 'pending') =>
    known.map(({ currency, [which]: amount }) => ({ amount, currency, source_types: { card: amount } }));
  return { object: 'balance', available: part('available'), livemode: false, pending: part('pending') };
}

/** Returns how much money of the current settlement currency is available, in its smallest unit. */
export function availableNow(call: Call): number {
  const { store, faults } = call.simulation;
  return store.sumsOfNet(nowInSeconds(call)).find(({ currency }) => currency === faults.settlesIn)?.available ?? 0;
}

/** Returns whether the available balance covers a refund of this amount. */
export function coversRefund(call: Call, amount: number, currency: string): boolean {
  return availableNow(call) >= settledNow(call, amount, currency).amount;
}

function withStatus(call: Call, transaction: BalanceTransactionObject): BalanceTransactionObject {
  return { ...transaction, status: transaction.available_on > nowInSeconds(call) ? 'pending' : 'available' };
}
