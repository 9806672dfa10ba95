import { setImmediate } from 'node:timers/promises';
import type { Query } from '../../contracts/document-queries.ts';
import type { Documents } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import { idSchema } from '../../contracts/ids.ts';
import { type Amounts, isNothing, type Money, minus, plus, total } from '../../contracts/ledger/amounts.ts';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';
import type { LedgerPeriod, LedgerRow } from '../../contracts/ledger/ledger.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { Position } from '../../engine/read-models/cursor.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { ordersPaid } from '../order/order-documents.ts';
import { balancesBetween, balancesOf } from './balance-documents.ts';
import {
  type Difference,
  differencesOf,
  recordedEntries,
  settlementOf,
  statedEntries,
  unacceptedEntries,
  withRefundsAsOne,
} from './match.ts';
import { type UnacceptedMoney, unacceptedOf } from './unaccepted.ts';

/** Documents are read in pages of this size, so that other requests aren't delayed. */
const PAGE = 200;
/** Stripe usually states a movement within minutes. Until a movement is this old, a missing statement isn't a problem. */
const STATED_WITHIN_MS = 48 * 3_600_000;

export interface Period {
  /** ISO 8601; `to` is excluded */
  readonly from: string;
  readonly to: string;
}

export interface LedgerSource {
  readonly readModels: Pick<ReadModels, 'find' | 'getMany'>;
  /** Returns an order's events, oldest first. */
  readonly eventsOf: (orderId: string) => Promise<readonly RecordedEvent[]>;
}

interface Known {
  /** the time of the oldest balance transaction, before which Stripe states nothing; null if there is none */
  readonly since: string | null;
  /** in ms since the epoch */
  readonly now: number;
}

/**
 * Yields the rows of a period. First come the orders that were paid in it, each with all of its movements, whenever they
 * took place. Then comes money that Stripe states first in this period and that belongs to none of these orders.
 */
export async function* ledgerRows(source: LedgerSource, period: Period, now: number): AsyncGenerator<LedgerRow[]> {
  const shop = source.readModels;
  const known = { since: await oldestBalance(shop), now };
  for await (const orders of pagesOf(shop, ordersPaid(period.from, period.to), ({ paidAt }) => paidAt ?? '')) {
    const balances = byIntent(await shop.find(balancesOf(orders.map(({ transactionId }) => transactionId))));
    yield orders.map((order) => orderRow(order, balances.get(order.transactionId) ?? [], known));
  }
  for await (const page of pagesOf(shop, balancesBetween(period.from, period.to), ({ createdAt }) => createdAt)) {
    yield await otherRows(source, page, { ...known, period });
  }
}

/** Yields all documents that a query finds, page by page. `timeOf` returns the time that the query sorts by. */
export async function* pagesOf<K extends DocumentKind>(
  shop: Pick<ReadModels, 'find'>,
  query: Query<K>,
  timeOf: (document: Documents[K]) => string,
): AsyncGenerator<Documents[K][]> {
  let after: Position | undefined;
  for (;;) {
    const page = await shop.find(query, { after, limit: PAGE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { key: timeOf(last), id: last.id };
    // The store may return a page without any I/O. Without this pause, other requests would wait until the end.
    await setImmediate();
  }
}

async function oldestBalance(shop: Pick<ReadModels, 'find'>): Promise<string | null> {
  const [oldest] = await shop.find(balancesBetween(), { limit: 1 });
  return oldest?.createdAt ?? null;
}

function byIntent(balances: readonly BalanceDocument[]): Map<string, BalanceDocument[]> {
  const found = new Map<string, BalanceDocument[]>();
  for (const balance of balances) {
    const intent = balance.intent ?? '';
    found.set(intent, [...(found.get(intent) ?? []), balance]);
  }
  return found;
}

function orderRow(order: OrderDocument, balances: readonly BalanceDocument[], { since, now }: Known): LedgerRow {
  const stated = statedEntries(balances);
  const recorded = recordedEntries(order, stated);
  const causes = differencesOf(recorded, stated);
  const at = order.paidAt ?? order.createdAt;
  const isBefore = since === null || at < since;
  return {
    ...rowOf({ recorded, stated, causes, balances }),
    id: order.id,
    order: { id: order.id, number: order.number },
    intent: order.transactionId || null,
    at,
    state: stateOf(causes, { isBefore: isBefore && stated.length === 0, at, now }),
    namedOrder: null,
    note: '',
  };
}

function unacceptedRow(
  order: OrderDocument,
  unaccepted: UnacceptedMoney,
  balances: readonly BalanceDocument[],
  { now }: Known,
): LedgerRow {
  const { intent } = unaccepted;
  const recorded = unacceptedEntries(order, unaccepted);
  const stated = withRefundsAsOne(statedEntries(balances), intent);
  const causes = differencesOf(recorded, stated);
  const [{ id, createdAt: at }] = balances as [BalanceDocument];
  return {
    ...rowOf({ recorded, stated, causes, balances }),
    id,
    order: { id: order.id, number: order.number },
    intent,
    at,
    state: stateOf(causes, { isBefore: false, at, now }),
    namedOrder: null,
    note: '',
  };
}

/** `at` is the row's time, which stands for the times of movements that aren't known. */
function stateOf(
  causes: readonly Difference[],
  { isBefore, at, now }: { readonly isBefore: boolean; readonly at: string; readonly now: number },
) {
  if (causes.length === 0) return 'matched';
  if (causes.some(({ cause }) => cause !== 'not_stated')) return 'open';
  if (causes.every((one) => now - Date.parse(one.at ?? at) < STATED_WITHIN_MS)) return 'pending';
  return isBefore ? 'before' : 'open';
}

function rowOf(sides: {
  readonly recorded: readonly Money[];
  readonly stated: readonly Money[];
  readonly causes: readonly Difference[];
  readonly balances: readonly BalanceDocument[];
}) {
  const [recorded, stated] = [total(sides.recorded), total(sides.stated)];
  return {
    recorded,
    stated,
    difference: minus(recorded, stated),
    causes: sides.causes.map(({ at: _, ...one }) => one),
    settlement: settlementOf(sides.balances),
  };
}

/**
 * Returns the rows of balance transactions that no order of the period accounts for: those of orders from another period,
 * and money without an order. A row is returned once, with its oldest transaction.
 */
async function otherRows(
  { readModels: shop, eventsOf }: LedgerSource,
  page: readonly BalanceDocument[],
  { period, ...known }: Known & { readonly period: Period },
): Promise<LedgerRow[]> {
  const moving = page.filter(({ shown }) => shown !== null);
  const intents = [...new Set(moving.flatMap(({ intent }) => intent ?? []))];
  const all = byIntent(await shop.find(balancesOf(intents)));
  const named = [...all.values()].flatMap((balances) => balances.flatMap(({ orderId }) => orderId ?? []));
  const ids = [...new Set(named)].filter((id) => idSchema.safeParse(id).success);
  const orders = new Map((await shop.getMany('order', ids)).map((order) => [order.id, order]));
  const rows: LedgerRow[] = [];
  for (const balance of moving) {
    const balances = balance.intent === null ? [balance] : (all.get(balance.intent) ?? [balance]);
    if (balances[0]?.id !== balance.id) continue;
    const namedOrder = balances.find(({ orderId }) => orderId !== null)?.orderId ?? null;
    const order = orders.get(namedOrder ?? '');
    if (order && order.transactionId === balance.intent) {
      if (!isIn(period, order.paidAt)) rows.push(orderRow(order, balances, known));
      continue;
    }
    // Orders rarely receive money that they can't accept. Only the order's events tell of such money.
    const unaccepted = order && unacceptedOf(await eventsOf(order.id)).find(({ intent }) => intent === balance.intent);
    rows.push(unaccepted ? unacceptedRow(order, unaccepted, balances, known) : unmatchedRow(balances, namedOrder));
  }
  return rows;
}

const isIn = ({ from, to }: Period, time: string | null) => time !== null && time >= from && time < to;

function unmatchedRow(balances: readonly BalanceDocument[], namedOrder: string | null): LedgerRow {
  const stated = statedEntries(balances);
  const [first] = balances;
  if (!first) throw new Error('Money without an order has no transaction.');
  const { id, createdAt: at, intent, aside: note } = first;
  const row = rowOf({ recorded: [], stated, causes: differencesOf([], stated), balances });
  const state = isNothing(row.difference) ? 'matched' : note === '' ? 'unmatched' : 'aside';
  return { ...row, id, order: null, intent, at, state, namedOrder, note };
}

/** What the movements of each of Stripe's reporting categories are summed up as. All others are `other`. */
const FIELDS: Readonly<Record<string, 'charged' | 'refunded' | 'disputed' | 'fee' | 'paidOut'>> = {
  charge: 'charged',
  charge_failure: 'charged',
  refund: 'refunded',
  refund_failure: 'refunded',
  dispute: 'disputed',
  dispute_reversal: 'disputed',
  fee: 'fee',
  payout: 'paidOut',
  payout_reversal: 'paidOut',
  topup: 'paidOut',
  topup_reversal: 'paidOut',
};

type PeriodField = (typeof FIELDS)[string] | 'other';

/** Returns what a transaction adds to a field. `amount` is what Stripe settled for it. */
function movedBy({ shown }: BalanceDocument, field: PeriodField, amount: Amounts): Amounts {
  if (field === 'other') return amount;
  if (field === 'fee' || field === 'paidOut') return minus({}, amount);
  return shown ? total([shown]) : {};
}

const NOTHING = { charged: {}, refunded: {}, disputed: {}, fee: {}, other: {}, net: {}, paidOut: {} };

/**
 * Sums up balance transactions by day or by month. `periodOf` returns the period of a time. The balance at Stripe changes
 * by `net` less `paidOut`.
 */
export function createPeriods(periodOf: (time: string) => string) {
  const periods = new Map<string, LedgerPeriod>();

  function add(balance: BalanceDocument): void {
    const period = periodOf(balance.createdAt);
    const before = periods.get(period) ?? { period, ...NOTHING };
    const { amount, fee, net } = settlementOf([balance]);
    const field = FIELDS[balance.category] ?? 'other';
    const after = { ...before, [field]: plus(before[field], movedBy(balance, field, amount)) };
    const left = field === 'paidOut' ? minus({}, fee) : net;
    periods.set(period, { ...after, fee: plus(after.fee, fee), net: plus(after.net, left) });
  }

  return {
    add,
    list: (): LedgerPeriod[] => [...periods.values()].sort((one, other) => (one.period < other.period ? -1 : 1)),
  };
}
