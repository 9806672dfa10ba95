import { VisuallyHidden } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useEffect, useRef, useState } from 'react';
import type { LiveList } from '../../live/apply-push.ts';
import { listChanges, type RowChange } from '../../live/list-changes.ts';

const MOST_AT_ONCE = 3;

function describe({ before, after }: RowChange<OrderView>): string | null {
  if (after === null)
    return before && `Order ${before.number} of ${before.quantity} × ${before.product} was removed from the list.`;
  const what = `${after.quantity} × ${after.product}`;
  if (before === null) return `New order ${after.number}: ${what}.`;
  if (before.status !== after.status) return `Order ${after.number} of ${what} is shipped.`;
  if (before.paid !== after.paid) return `Order ${after.number} of ${what} is paid.`;
  if (before.refundedAt !== after.refundedAt) return `Payment of order ${after.number}, ${what}, was refunded.`;
  return null;
}

/** What changed between two states of a list of orders, in a sentence for each; many changes become one count. */
export function describeOrderChanges(before: LiveList<OrderView>, after: LiveList<OrderView>): string {
  const sentences = listChanges(before, after)
    .map(describe)
    .filter((sentence) => sentence !== null);
  return sentences.length > MOST_AT_ONCE ? `${sentences.length} orders changed.` : sentences.join(' ');
}

/** Tells a screen reader politely what changes in the orders on the page. */
export function OrderAnnouncer({ orders }: { orders: LiveList<OrderView> }) {
  const before = useRef(orders);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const changes = describeOrderChanges(before.current, orders);
    before.current = orders;
    if (changes !== '') setSaid(changes);
  }, [orders]);
  return (
    <VisuallyHidden component="div" aria-live="polite" aria-label="Order changes" role="log">
      {said}
    </VisuallyHidden>
  );
}
