import type { OrderView, TimelineEntry } from '@micro-center/services/contracts/views.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';

const CANCELLED = {
  customer: { headline: 'Cancelled', why: 'Nothing will be sent.' },
  admin: { headline: 'Cancelled', why: 'The shop cancelled it. Nothing will be sent.' },
  expired: { headline: 'Expired', why: 'It was not paid in time, so its items went back on the shelf.' },
};
const PACKED_AGAIN = 'We are packing it again. Next, it leaves our shop.';

/** Why an order that is not shipped was before; null where it was not, undefined where its timeline is of before. */
export function withdrawalText(entries: readonly TimelineEntry[]): string | null | undefined {
  const last = entries.findLast(({ type }) => type === 'shipped' || type === 'shipment_withdrawn');
  if (last === undefined) return null;
  if (last.type === 'shipped') return undefined;
  switch (last.withdrawal) {
    case 'damaged':
      return `The parcel was damaged before it left us. ${PACKED_AGAIN}`;
    case 'not_collected':
      return `The carrier did not collect the parcel. ${PACKED_AGAIN}`;
    case 'address':
      return `The address on the parcel was not right. ${PACKED_AGAIN}`;
    default:
      return `It was marked as shipped by mistake. ${PACKED_AGAIN}`;
  }
}

/**
 * How an order stands, and what happens next, in a sentence; with what is to be told of a refund and of a withdrawn shipment.
 * While it is not known whether there was one, a paid order's sentence is left out.
 */
export function orderWords(
  order: OrderView,
  refund: string | null,
  withdrawal: string | null | undefined,
): { headline: string; next: string } {
  if (order.cancelledAt !== null) {
    const { headline, why } = CANCELLED[order.cancelReason ?? 'customer'];
    return { headline, next: `${why} ${refund ?? 'You paid nothing.'}` };
  }
  const back = refund === null ? '' : ` ${refund}`;
  if (order.status === 'shipped') {
    return { headline: 'Shipped', next: `It has left our shop and is on its way to you.${back}` };
  }
  if (order.paid) {
    const next = withdrawal === undefined ? '' : (withdrawal ?? 'We are packing it. Next, it leaves our shop.');
    return { headline: 'Paid', next: `${next}${back}` };
  }
  return {
    headline: 'Waiting for payment',
    next: `Pay ${formatTaka(order.totalPrice)} by ${formatTime(order.expiresAt)}, and we start packing.`,
  };
}

const MINUTE = 60_000;

/** A span of time in its two largest units: '23 h 12 min'. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
