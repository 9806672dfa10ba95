import type { WithdrawalReason } from '@micro-center/services/contracts/order/order-reasons.ts';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { isProcessing, moneyBackTexts, PROCESSING, processingText } from '../../shop/orders/money-words.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';

/** An order's timeline. `data` is undefined until the timeline has loaded. `error` says why the last fetch failed, or is null. */
export interface Timeline {
  data: readonly TimelineEntry[] | undefined;
  error: unknown;
}

/** Describes an order's state, what happens next, the state of its payment, and the money that goes back. */
export function orderWords(order: OrderView, timeline: Timeline) {
  const refund = refundWords(order, timeline);
  const moneyBack = moneyBackTexts(order);
  const payment = refund?.payment ?? paymentText(order);
  const money = [...moneyBack.map((text) => `${text}.`), ...(refund ? [refund.sentence] : [])].join(' ');
  return { payment, moneyBack, ...stateWords(order, timeline, money) };
}

/** `money` is a sentence about the order's refunds, or '' if there are none. */
function stateWords(order: OrderView, timeline: Timeline, money: string): { headline: string; next: string } {
  if (order.cancelledAt !== null) {
    const { headline, why } = CANCELLED[order.cancelReason ?? 'customer'];
    return { headline, next: `${why} ${money || unpaidText(order)}` };
  }
  if (order.heldBack === 'refunded') return { headline: 'Refunded', next: `Nothing will be sent. ${money}`.trim() };
  if (order.heldBack === 'disputed') {
    return { headline: 'On hold', next: `Your bank took back the payment, so we do not send it now. ${money}`.trim() };
  }
  if (order.heldBack === 'lost') {
    return {
      headline: 'Not sent',
      next: `Your bank gave you back the payment, so nothing will be sent. ${money}`.trim(),
    };
  }
  if (order.status === 'shipped') {
    return { headline: 'Shipped', next: `It has left our shop and is on its way to you. ${money}`.trim() };
  }
  if (order.paid) return { headline: 'Paid', next: `${packingText(timeline)} ${money}`.trim() };
  if (isProcessing(order)) return { headline: PROCESSING, next: processingText(order) };
  const next = `Pay ${formatTaka(order.totalPrice)} by ${formatTime(order.expiresAt)}, and we start packing.`;
  return { headline: 'Waiting for payment', next };
}

const unpaidText = ({ processingUntil }: OrderView) =>
  processingUntil === undefined ? 'You paid nothing.' : 'If your payment still goes through, you get it back.';

const CANCELLED = {
  customer: { headline: 'Cancelled', why: 'Nothing will be sent.' },
  admin: { headline: 'Cancelled', why: 'The shop cancelled it. Nothing will be sent.' },
  expired: { headline: 'Expired', why: 'It was not paid in time, so its items went back on the shelf.' },
};

const WHY_PACKED_AGAIN: Record<WithdrawalReason, string> = {
  mistake: 'It was marked as shipped by mistake.',
  damaged: 'The parcel was damaged before it left us.',
  not_collected: 'The carrier did not collect the parcel.',
  address: 'The address on the parcel was not right.',
};

/**
 * Says that a paid order is being packed or, if a shipment was withdrawn, that it is being packed again. Only the
 * timeline shows which of the two is true. Returns '' until the timeline has loaded and is as new as the order. If the
 * timeline still shows the order as shipped, the timeline is out of date. If the timeline can't be fetched, assumes
 * that the order is being packed for the first time.
 */
function packingText({ data, error }: Timeline): string {
  const last = data?.findLast(({ type }) => type === 'shipped' || type === 'shipment_withdrawn');
  if (last?.type === 'shipment_withdrawn') {
    return `${WHY_PACKED_AGAIN[last.withdrawal ?? 'mistake']} We are packing it again. Next, it leaves our shop.`;
  }
  const isBehind = data === undefined || last !== undefined;
  return isBehind && !error ? '' : 'We are packing it. Next, it leaves our shop.';
}

/** `at` is the time of the last refund. */
type Refund = { state: 'due' | 'failed'; at: null } | { state: 'refunded'; at: string };

const REFUNDING: ReadonlySet<TimelineEntry['type']> = new Set(['refund_due', 'refunded', 'refund_failed']);

/**
 * Returns the state of an order's refunds, or null if there are none. Only the last refund entry of each payment
 * counts. If any refund failed, the state is `failed`. Otherwise, if any refund is due, the state is `due`.
 */
export function refundOf(entries: readonly TimelineEntry[]): Refund | null {
  const lastByPayment = new Map<string | undefined, TimelineEntry['type']>();
  for (const { type, transactionId } of entries) if (REFUNDING.has(type)) lastByPayment.set(transactionId, type);
  const ends = new Set(lastByPayment.values());
  if (ends.has('refund_failed')) return { state: 'failed', at: null };
  if (ends.has('refund_due')) return { state: 'due', at: null };
  const last = entries.findLast(({ type }) => type === 'refunded');
  return last ? { state: 'refunded', at: last.at } : null;
}

/**
 * Describes the refunds of payments that the shop could not accept, or returns null if there are none. Until the
 * timeline has loaded, relies on the order's own `refundedAt`. That isn't needed if the order's `moneyBack` says more.
 */
function refundWords(
  { refundedAt, moneyBack }: OrderView,
  { data = [] }: Timeline,
): { payment: string; sentence: string } | null {
  const own: Refund | null = refundedAt && !moneyBack ? { state: 'refunded', at: refundedAt } : null;
  const refund = refundOf(data) ?? own;
  switch (refund?.state) {
    case undefined:
      return null;
    case 'due':
      return { payment: 'Refund on its way', sentence: 'A refund is on its way to your card.' };
    case 'failed':
      return { payment: 'Refund failed', sentence: 'A refund failed. We will make sure that you get your money back.' };
    case 'refunded':
      return { payment: 'Refunded', sentence: `Your payment was refunded on ${formatTime(refund.at)}.` };
  }
}

function paymentText(order: OrderView): string {
  if (order.paidAt) return `Paid ${formatTime(order.paidAt)}`;
  if (isProcessing(order)) return 'Being processed';
  return order.cancelledAt === null ? 'Not paid yet' : 'Not paid';
}

/** Formats a time span in its two largest units, e.g. '23 h 12 min'. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
