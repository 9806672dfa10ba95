import { VisuallyHidden } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { useLayoutEffect, useRef } from 'react';
import { compareKeys, isBelow, keyOf } from '../../live/list-order.ts';
import { type LoadedList, useLive } from '../../live/use-live.ts';
import { type ViewMap, viewChanges } from '../../live/view-map.ts';
import type { LiveList } from '../../live/views.ts';

const MOST_AT_ONCE = 3;

/** A list of orders at one moment. */
interface OrdersThen {
  list: Pick<LiveList, 'fits' | 'end' | 'sort'>;
  views: ViewMap;
}

interface RowChange {
  before: OrderView | null;
  after: OrderView | null;
}

/** In the order of the list. What lies below the end of either state was loaded or let go, which is no change. */
function rowChanges(then: OrdersThen, now: OrdersThen): RowChange[] {
  const inBoth = (order: OrderView) => [then, now].every(({ list }) => !isBelow(order, list.end, list.sort));
  const rowOf = (order: OrderView | undefined) =>
    order !== undefined && now.list.fits(order) && inBoth(order) ? order : null;
  return viewChanges(then.views, now.views)
    .map((change) => ({ ...change, key: keyOf((change.after ?? change.before) as OrderView) }))
    .sort((a, b) => compareKeys(a.key, b.key, now.list.sort))
    .map(({ before, after }) => ({ before: rowOf(before as OrderView), after: rowOf(after as OrderView) }));
}

function describe({ before, after }: RowChange): string | null {
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
function describeOrderChanges(then: OrdersThen, now: OrdersThen): string {
  const sentences = rowChanges(then, now)
    .map(describe)
    .filter((sentence) => sentence !== null);
  return sentences.length > MOST_AT_ONCE ? `${sentences.length} orders changed.` : sentences.join(' ');
}

/** Tells a screen reader politely what changes in the orders on the page. */
export function OrderAnnouncer({ list }: { list: LoadedList }) {
  const views = useLive((root) => root.views.known.order.views);
  const before = useRef({ list, views });
  const log = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const now = { list, views };
    const words = describeOrderChanges(before.current, now);
    before.current = now;
    if (words === '') return;
    // The same words once more are read out only where they are a new element.
    const said = document.createElement('span');
    said.textContent = words;
    log.current?.replaceChildren(said);
  }, [list, views]);
  return <VisuallyHidden component="div" ref={log} aria-live="polite" aria-label="Order changes" role="log" />;
}
