import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';

/** How an order stands, and what happens next, in a sentence. */
export function orderWords(order: OrderView, refund: string | null): { headline: string; next: string } {
  if (order.cancelledAt !== null) {
    const expired = order.cancelReason === 'expired';
    const why = expired ? 'It was not paid in time, so its items went back on the shelf.' : 'Nothing will be sent.';
    return { headline: expired ? 'Expired' : 'Cancelled', next: `${why} ${refund ?? 'You paid nothing.'}` };
  }
  const back = refund === null ? '' : ` ${refund}`;
  if (order.status === 'shipped') {
    return { headline: 'Shipped', next: `It has left our shop and is on its way to you.${back}` };
  }
  if (order.paid) return { headline: 'Paid', next: `We are packing it. Next, it leaves our shop.${back}` };
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
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
