import type { RecordedEvent } from '../../contracts/events.ts';
import { toPoisha } from '../../contracts/money.ts';
import type {
  GrantedRefund,
  MoneyBack,
  OrderDocument,
  ReportedDispute,
  ReportedRefund,
} from '../../contracts/order/order-document.ts';
import type { RefundStatus } from '../../contracts/order/order-reasons.ts';
import type { OrderView } from '../../contracts/order/order-view.ts';

/**
 * The maximum number of refunds attempted for a payment intent that is owed, and for each grant. If all of them fail, a
 * person has to return the money manually.
 */
export const MAX_REFUNDS = 3;

/** What an order's document says about its money. */
export type OrderMoney = Pick<OrderDocument, 'total' | 'transactionId' | 'moneyBack'>;

export type HeldBack = NonNullable<OrderView['heldBack']>;

const NO_MONEY_BACK: MoneyBack = { grants: [], refunds: [], disputes: [] };

export const moneyBackOf = ({ moneyBack }: Pick<OrderMoney, 'moneyBack'>): MoneyBack => moneyBack ?? NO_MONEY_BACK;

export type MoneyBackEvent = RecordedEvent<'RefundGranted' | 'RefundReported' | 'DisputeReported'>;

export function moneyBackAfter(before: MoneyBack, event: MoneyBackEvent): MoneyBack {
  switch (event.type) {
    case 'RefundGranted': {
      const { grant, intent, amount, reason } = event.data;
      return { ...before, grants: [...before.grants, { grant, intent, amount, reason }] };
    }
    case 'RefundReported': {
      const others = before.refunds.filter(({ refund }) => refund !== event.data.refund);
      return { ...before, refunds: [...others, { ...event.data, at: event.time }] };
    }
    case 'DisputeReported': {
      const others = before.disputes.filter(({ dispute }) => dispute !== event.data.dispute);
      return { ...before, disputes: [...others, { ...event.data, at: event.time }] };
    }
  }
}

/**
 * A refund's status never goes back to one with a lower rank, so that reports which arrive late or repeatedly leave the
 * same state as reports in order. A bank can send back even a refund that had succeeded.
 */
const RANKS: Readonly<Record<RefundStatus, number>> = { pending: 0, succeeded: 1, failed: 2, canceled: 2 };

/** Returns true if a report about a refund is newer than the known one. */
export function isNewerRefund(known: ReportedRefund | undefined, { status }: Pick<ReportedRefund, 'status'>): boolean {
  return known === undefined || RANKS[status] > RANKS[known.status];
}

const UNDECIDED = ['warning_needs_response', 'warning_under_review', 'needs_response', 'under_review'];

/** Returns true for the status of a dispute, or of an inquiry, until the bank has decided. An appeal comes after that. */
export const isUndecided = (status: string): boolean => UNDECIDED.includes(status);

/**
 * Returns true if a report about a dispute says something new. A report is old if less money has moved in it than is
 * known, or if the bank hasn't decided in it although the bank's decision is known.
 */
export function isNewerDispute(known: ReportedDispute | undefined, reported: ReportedDispute): boolean {
  if (known === undefined) return true;
  const moves = ({ withdrawn, reinstated }: ReportedDispute) => Number(withdrawn) + Number(reinstated);
  if (moves(reported) !== moves(known)) return moves(reported) > moves(known);
  if (!isUndecided(known.status) && isUndecided(reported.status)) return false;
  return reported.status !== known.status || reported.refundable !== known.refundable;
}

/** Returns true for the status of a refund that gives no money back. */
export const isFailed = (status: RefundStatus): boolean => status === 'failed' || status === 'canceled';
const isPending = ({ status }: ReportedRefund) => status === 'pending';
const isAlive = ({ status }: ReportedRefund) => !isFailed(status);
const sumOf = (amounts: readonly { readonly amount: number }[]) => amounts.reduce((sum, { amount }) => sum + amount, 0);

/** Returns how much was paid for an order, in poisha. An order accepts only a payment of its total (PAY4). */
export const paidOf = ({ total, transactionId }: OrderMoney): number => (transactionId === '' ? 0 : toPoisha(total));

/** Returns how much Stripe has sent back or is sending back, in poisha. */
export const sentBack = (order: OrderMoney): number => sumOf(moneyBackOf(order).refunds.filter(isAlive));

/**
 * Returns the grants that Stripe still has to send back, oldest first, each with the amount that is left of it. What went
 * back in another way, through Stripe's dashboard or a dispute, is no longer owed.
 */
export function owedGrants(order: OrderMoney): GrantedRefund[] {
  const { transactionId: intent } = order;
  const { grants, refunds } = moneyBackOf(order);
  let left = isLost(order, intent) ? 0 : Math.max(0, paidOf(order) - sentBack(order) - takenBack(order, intent));
  return grants.flatMap((one) => {
    const made = refunds.filter((refund) => refund.grant === one.grant && isAlive(refund));
    const amount = Math.min(one.amount - sumOf(made), left);
    if (amount <= 0) return [];
    left -= amount;
    return [{ ...one, amount }];
  });
}

/** Returns how much was granted but isn't yet on its way back, in poisha. */
export const stillOwed = (order: OrderMoney): number => sumOf(owedGrants(order));

/** Returns how much of a payment can still be granted, in poisha. Never negative, even if Stripe sent back more. */
export const leftToGrant = (order: OrderMoney): number =>
  Math.max(0, paidOf(order) - sentBack(order) - stillOwed(order));

/** Returns how many refunds of a grant have failed. */
export const failuresOf = (order: OrderMoney, { grant }: Pick<GrantedRefund, 'grant'>): number =>
  moneyBackOf(order).refunds.filter((one) => one.grant === grant && isFailed(one.status)).length;

/** Returns how much of a payment intent's money disputes have taken out of the shop's balance, in poisha. */
export const takenBack = (order: OrderMoney, intent: string): number =>
  sumOf(moneyBackOf(order).disputes.filter((one) => one.intent === intent && one.withdrawn && !one.reinstated));

/** Returns true while Stripe says that a payment intent's money can't be refunded. */
export const isBarred = (order: OrderMoney, intent: string): boolean =>
  moneyBackOf(order).disputes.some((one) => one.intent === intent && !one.refundable);

/**
 * Returns true if a dispute about a payment intent was lost, or settled for the customer before it began: its money is
 * gone, and no refund of the rest is possible.
 */
export const isLost = (order: OrderMoney, intent: string): boolean =>
  moneyBackOf(order).disputes.some((one) => one.intent === intent && isLoss(one.status) && !one.refundable);

/** Returns true if a dispute with this status leaves the money with the customer. */
export const isLoss = (status: string): boolean => status === 'lost' || status === 'prevented';

/**
 * Returns why a paid order is held back (ORD14), or null if it can be shipped. A bank can send back a refund after the
 * order's data was erased, which leaves a paid order without an address.
 */
export function whyHeldBack(order: OrderMoney, isErased: boolean): HeldBack | null {
  const { transactionId: intent } = order;
  if (leftToGrant(order) === 0) return 'refunded';
  if (takenBack(order, intent) > 0) return isLost(order, intent) ? 'lost' : 'disputed';
  return isErased ? 'erased' : null;
}

/** Returns true while money is on its way back to the customer, or Stripe can still be asked to send it. */
export const isOnItsWayBack = (order: OrderMoney): boolean =>
  moneyBackOf(order).refunds.some(isPending) ||
  owedGrants(order).some((granted) => failuresOf(order, granted) < MAX_REFUNDS);

/** Returns the part of a payment that the shop keeps, in poisha. Never negative. */
export const keptOf = (order: OrderMoney): number =>
  Math.max(0, leftToGrant(order) - takenBack(order, order.transactionId));

/** Returns how much is granted or on its way back without having arrived, in poisha. */
export const unsettled = (order: OrderMoney): number =>
  stillOwed(order) + sumOf(moneyBackOf(order).refunds.filter(isPending));
