import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import type { BalanceObject, BalanceTransactionObject, ChargeObject, DisputeObject, RefundObject } from './objects.ts';
import { listParams, text } from './params.ts';
import { chargeFee, DISPUTE_FEE, SETTLEMENT_CURRENCY, settle } from './settlement.ts';
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

interface Movement {
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment';
  reportingCategory: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  /** in cents; negative if the money leaves the account */
  amount: number;
  exchangeRate: number | null;
  source: string;
  description: string | null;
  fee?: { amount: number; description: string };
}

/** Books the money that a charge brought. The fee is deducted at once. */
export function bookCharge(call: Call, { id, amount, currency, description = null }: ChargeObject): string {
  const settled = settle(amount, currency, nowInSeconds(call));
  const fee = { amount: chargeFee(settled.amount), description: 'Stripe processing fees' };
  return book(call, { ...settled, type: 'charge', reportingCategory: 'charge', source: id, description, fee }).id;
}

/** Books the money that a refund took, at the rate of the day on which it was taken. The charge's fee isn't returned. */
export function bookRefund(call: Call, { id, amount, currency, charge }: RefundObject): string {
  const settled = settle(amount, currency, nowInSeconds(call));
  const description = `REFUND FOR CHARGE (${charge})`;
  const movement = { type: 'refund', reportingCategory: 'refund', source: id, description } as const;
  return book(call, { ...settled, ...movement, amount: -settled.amount }).id;
}

/** Books the return of a refund's money after the refund failed or was canceled. `taken` is the refund's transaction. */
export function bookRefundFailure(call: Call, { id, charge }: RefundObject, taken: string): string {
  const description = `REFUND FAILURE (${charge})`;
  const movement = { type: 'refund_failure', reportingCategory: 'refund_failure', source: id, description } as const;
  return book(call, { ...undoing(find(call, 'balance_transaction', taken)), ...movement }).id;
}

/** Books the money and the fee that a dispute took from the account. */
export function bookDispute(call: Call, { id, amount, currency, charge }: DisputeObject): BalanceTransactionObject {
  const settled = settle(amount, currency, nowInSeconds(call));
  return book(call, {
    ...settled,
    amount: -settled.amount,
    type: 'adjustment',
    reportingCategory: 'dispute',
    source: id,
    description: `Chargeback withdrawal for ${charge}`,
    fee: { amount: DISPUTE_FEE, description: 'Dispute fee' },
  });
}

/** Books the return of a dispute's money after the dispute was won. Stripe keeps the dispute's fee. */
export function bookDisputeReversal(
  call: Call,
  { id, charge }: DisputeObject,
  withdrawal: BalanceTransactionObject,
): BalanceTransactionObject {
  const description = `Chargeback reversal for ${charge}`;
  const movement = { type: 'adjustment', reportingCategory: 'dispute_reversal', source: id, description } as const;
  return book(call, { ...undoing(withdrawal), ...movement });
}

function undoing({ amount, exchange_rate }: BalanceTransactionObject) {
  return { amount: -amount, exchangeRate: exchange_rate };
}

function book(call: Call, movement: Movement): BalanceTransactionObject {
  const { type, reportingCategory, amount, exchangeRate, source, description, fee } = movement;
  const created = nowInSeconds(call);
  const available_on = type === 'charge' ? (Math.floor(created / DAY_S) + DAYS_UNTIL_AVAILABLE) * DAY_S : created;
  const currency = SETTLEMENT_CURRENCY;
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
    reporting_category: reportingCategory,
    source,
    status: type === 'charge' ? 'pending' : 'available',
    type,
  });
}

export function retrieveBalanceTransaction(call: Call, _params: unknown, id: string): BalanceTransactionObject {
  return withStatus(call, find(call, 'balance_transaction', id));
}

/** Lists the account's movements of money. There are no payouts, so an id in `payout` is always unknown. */
export function listBalanceTransactions(
  call: Call,
  { currency, payout, source, type, expand, ...page }: z.output<typeof listBalanceTransactionsParams>,
) {
  if (payout !== undefined) {
    throw invalidRequest(`No such payout: '${payout}'`, { code: 'resource_missing', param: 'payout' });
  }
  const isOther = currency !== undefined && currency.toLowerCase() !== SETTLEMENT_CURRENCY;
  const labels = isOther ? [] : type === undefined ? undefined : [type];
  const listed = listPage(call, 'balance_transaction', page, { parent: source, labels });
  const data = listed.data.map((one) => withStatus(call, one));
  return { ...listed, data: expand ? data.map((one) => ({ ...one, source: sourceOf(call, one) })) : data };
}

const SOURCE_KINDS = { ch: 'charge', re: 'refund', dp: 'dispute', du: 'dispute' } as const;

/** Returns the object that a transaction is about. */
function sourceOf(call: Call, { source }: BalanceTransactionObject) {
  const kind = SOURCE_KINDS[String(source).split('_')[0] as keyof typeof SOURCE_KINDS] as Kind | undefined;
  return kind && typeof source === 'string' ? find(call, kind, source) : source;
}

/** Returns the account's balance: the sum of `net` over all balance transactions, by whether the money is available yet. */
export function retrieveBalance(call: Call): BalanceObject {
  const { available, pending } = call.simulation.store.sumOfNet(nowInSeconds(call));
  const part = (amount: number) => [{ amount, currency: SETTLEMENT_CURRENCY, source_types: { card: amount } }];
  return { object: 'balance', available: part(available), livemode: false, pending: part(pending) };
}

function withStatus(call: Call, transaction: BalanceTransactionObject): BalanceTransactionObject {
  return { ...transaction, status: transaction.available_on > nowInSeconds(call) ? 'pending' : 'available' };
}
