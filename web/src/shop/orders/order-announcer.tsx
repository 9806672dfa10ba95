import { VisuallyHidden } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { useLayoutEffect, useRef } from 'react';
import { compareKeys, isBelow, keyOf } from '../../live/list-order.ts';
import { type LoadedList, useLive } from '../../live/use-live.ts';
import { type ViewMap, viewChanges } from '../../live/view-map.ts';
import type { LiveList } from '../../live/views.ts';
import { isProcessing, moneyBackTexts } from './money-words.ts';

const MOST_AT_ONCE = 3;

/** The state of a list of orders at one moment. */
interface OrdersThen {
  list: Pick<LiveList, 'fits' | 'rest' | 'sort'>;
  views: ViewMap;
}

interface OrderChange {
  before: OrderView | undefined;
  after: OrderView | undefined;
}

/**
 * Returns the orders that changed between two states of a list, sorted like the list. Includes only orders that are in
 * the list in at least one of the two states. Leaves out any order that is below the loaded rows in either state,
 * because loading or unloading a row isn't a change to its order.
 */
function listedChanges(then: OrdersThen, now: OrdersThen): OrderChange[] {
  const isListed = (order: OrderView | undefined) =>
    order !== undefined && now.list.fits(order) && [then, now].every(({ list }) => !isBelow(order, list));
  const place = ({ before, after }: OrderChange) => keyOf((after ?? before) as OrderView);
  return (viewChanges(then.views, now.views) as OrderChange[])
    .filter(({ before, after }) => isListed(before) || isListed(after))
    .sort((a, b) => compareKeys(place(a), place(b), now.list.sort));
}

/**
 * Returns a sentence about a change to an order, or null if the change isn't announced. If the order has left the list,
 * `gone` completes the sentence, e.g. 'was cancelled'.
 */
function describe({ before, after }: OrderChange, gone: string): string | null {
  if (after === undefined) return before ? `${named(before)} ${gone}.` : null;
  if (before === undefined) return `New order ${after.number}: ${after.quantity} × ${after.product}.`;
  if (before.cancelledAt !== after.cancelledAt) return `${named(after)} was cancelled.`;
  if (before.status !== after.status) return `${named(after)} ${STATUS_WORDS[after.status]}.`;
  if (before.paid !== after.paid) return `${named(after)} is paid.`;
  if (before.processingUntil !== after.processingUntil && isProcessing(after)) {
    return `${named(after)}: the payment is being processed.`;
  }
  const money = moneyBackTexts(after).join(', ');
  if (money !== '' && money !== moneyBackTexts(before).join(', ')) return `${named(after)}: ${money}.`;
  if (before.refundedAt !== after.refundedAt) return `${named(after)} was refunded.`;
  return null;
}

const STATUS_WORDS: Record<OrderView['status'], string> = {
  shipped: 'is shipped',
  '': 'is not shipped yet, since its shipment was withdrawn',
};

const named = ({ number, quantity, product }: OrderView) => `Order ${number} of ${quantity} × ${product}`;

/**
 * Describes the changes between two states of a list, with one sentence per change. If there are more than
 * `MOST_AT_ONCE` sentences, says only how many orders changed.
 */
function describeOrderChanges(then: OrdersThen, now: OrdersThen, gone: string): string {
  const sentences = listedChanges(then, now)
    .map((change) => describe(change, gone))
    .filter((sentence) => sentence !== null);
  return sentences.length > MOST_AT_ONCE ? `${sentences.length} orders changed.` : sentences.join(' ');
}

/**
 * Announces changes to the orders on the page in a polite live region. `gone` completes the sentence about an order
 * that has left the list, for example 'was cancelled'. The page that shows the list provides this text, because the
 * shop no longer sends the order's view, which would tell why the order left.
 */
export function OrderAnnouncer({ list, gone }: { list: LoadedList; gone: string }) {
  const views = useLive((root) => root.views.known.order.views);
  const before = useRef({ list, views });
  const log = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const now = { list, views };
    const words = describeOrderChanges(before.current, now, gone);
    before.current = now;
    if (words === '') return;
    // Screen readers read out repeated words only if the words are in a new element.
    const said = document.createElement('span');
    said.textContent = words;
    log.current?.replaceChildren(said);
  }, [list, views, gone]);
  return <VisuallyHidden component="div" ref={log} aria-live="polite" aria-label="Order changes" role="log" />;
}
