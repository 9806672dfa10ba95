import type { EventData, RecordedEvent } from '../../contracts/events.ts';
import type { ReportedDispute, ReportedRefund } from '../../contracts/order/order-document.ts';

/**
 * What an order's events say about its money. This is written without the shop's own functions, so that a bug in them
 * shows.
 */
export interface ExpectedMoney {
  /** the payment that the order accepted, and its amount in poisha; null and 0 if it accepted none */
  intent: string | null;
  paid: number;
  readonly grants: { readonly grant: string; readonly amount: number }[];
  readonly refunds: Map<string, ReportedRefund>;
  readonly disputes: Map<string, ReportedDispute>;
}

export const noMoney = (): ExpectedMoney => ({
  intent: null,
  paid: 0,
  grants: [],
  refunds: new Map(),
  disputes: new Map(),
});

/** Returns the money of an order after all of its events. */
export function moneyOf(events: readonly RecordedEvent[]): ExpectedMoney {
  const money = noMoney();
  for (const event of events) applyMoney(money, event);
  return money;
}

export function applyMoney(money: ExpectedMoney, event: RecordedEvent): void {
  if (event.type === 'PaymentRecorded') Object.assign(money, { intent: event.data.intent, paid: event.data.amount });
  if (event.type === 'RefundGranted') money.grants.push(event.data);
  if (event.type === 'RefundReported') money.refunds.set(event.data.refund, event.data);
  if (event.type === 'DisputeReported') money.disputes.set(event.data.dispute, event.data);
}

export const sumOf = (amounts: readonly { readonly amount: number }[]) =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);
export const hasFailed = ({ status }: { readonly status: string | null }) =>
  status === 'failed' || status === 'canceled';

/** Returns what was granted, and what was refunded in Stripe's dashboard, in poisha. */
const givenBack = ({ grants, refunds }: ExpectedMoney) =>
  sumOf(grants) + sumOf([...refunds.values()].filter((one) => one.grant === null && !hasFailed(one)));
const disputesOf = ({ disputes, intent }: ExpectedMoney) =>
  [...disputes.values()].filter((dispute) => dispute.intent === intent);

export const isAllGivenBack = (money: ExpectedMoney): boolean => money.paid > 0 && givenBack(money) >= money.paid;
export const isTaken = (money: ExpectedMoney): boolean =>
  disputesOf(money).some(({ withdrawn, reinstated }) => withdrawn && !reinstated);
export const isLost = (money: ExpectedMoney): boolean => disputesOf(money).some(({ status }) => status === 'lost');
export const isBarred = (money: ExpectedMoney): boolean => disputesOf(money).some(({ refundable }) => !refundable);

/** Returns why a refund may not be granted, or null if it may. */
export function problemOfGrant(money: ExpectedMoney, { amount }: EventData<'RefundGranted'>): string | null {
  if (givenBack(money) + amount > money.paid) return 'PAY8 more was granted than was paid';
  return isBarred(money) ? 'PAY9 a refund was granted while Stripe refused refunds' : null;
}
