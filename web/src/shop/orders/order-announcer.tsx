import { VisuallyHidden } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useEffect, useRef, useState } from 'react';
import type { LiveList } from '../../live/apply-push.ts';
import { describeOrderChanges } from './order-changes.ts';

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
