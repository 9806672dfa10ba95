import type { OrderView } from '@micro-center/services/contracts/views.ts';

const MOST_AT_ONCE = 3;

function describe(before: OrderView | undefined, after: OrderView): string | null {
  const what = `${after.quantity} × ${after.product}`;
  if (before === undefined) return `New order: ${what}.`;
  if (before.status !== after.status) return `Order of ${what} is shipped.`;
  if (before.paid !== after.paid) return `Order of ${what} is paid.`;
  if (before.refundedAt !== after.refundedAt) return `Payment of ${what} was refunded.`;
  return null;
}

/** What changed between two states of a list of orders, in a sentence for each; many changes become one count. */
export function describeOrderChanges(before: readonly OrderView[], after: readonly OrderView[]): string {
  const known = new Map(before.map((order) => [order._id, order]));
  const left = before.filter((order) => !after.some((other) => other._id === order._id));
  const sentences = [
    ...after.map((order) => describe(known.get(order._id), order)).filter((sentence) => sentence !== null),
    ...left.map((order) => `Order of ${order.quantity} × ${order.product} left the list.`),
  ];
  return sentences.length > MOST_AT_ONCE ? `${sentences.length} orders changed.` : sentences.join(' ');
}
