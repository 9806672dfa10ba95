import { Button, CloseButton } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectIsLive } from '../../live/live-slice.ts';
import { useAllFollowed, useViews } from '../../live/use-live.ts';
import { serverNow } from '../../ui/server-clock.ts';
import { useUntil } from '../../ui/use-now.ts';
import { chosenOrders } from './admin-orders.api.ts';
import { useBoard } from './board-context.ts';
import styles from './manage-orders-page.module.css';
import {
  alreadyText,
  canBeTakenBack,
  isShippedBy,
  type Line,
  nextUndo,
  type Shipping,
  UNDO_FOR,
  wasShipped,
} from './shippings.ts';
import { useOpenOrder } from './use-open-order.ts';

/** Shows the result of the latest shipment or undo, and the button for the next undo, in a fixed place above the rows. */
export function BoardNotice({ onUndo }: { onUndo: () => void }) {
  const { shippings, dismiss } = useBoard().shipping;
  const live = useSelector(selectIsLive);
  const about = shippings.all.find(({ key }) => key === shippings.shown);
  const isShippedNow = useLostAnswers(about?.lines ?? []);
  if (about === undefined) return null;
  const problems = problemsOf(about, isShippedNow);
  const title = titleOf(about, isShippedNow, problems.length > 0);
  const result = resultOf(about);
  return (
    // The notice is announced as an alert but doesn't take the focus, so that the admin can go on with the next order.
    <div
      key={about.key}
      className={styles.notice}
      role="alertdialog"
      aria-label={title}
      aria-live="assertive"
      data-tone={problems.length > 0 ? 'problem' : undefined}
    >
      <strong>{title}</strong>
      {about.state === 'sending' ? (
        <Progress lines={about.lines} />
      ) : (
        <>
          {result === undefined ? null : <span>{`${result}${live ? '' : ' Please reload to see the update.'}`}</span>}
          <span className={styles.what} title={problems.join('\n') || undefined}>
            {problems.length === 0 ? whatOf(about) : firstOf(problems)}
          </span>
          <Next about={about} next={nextUndo(shippings, serverNow())} onUndo={onUndo} />
        </>
      )}
      <CloseButton size="sm" onClick={dismiss} aria-label="Close" />
    </div>
  );
}

/**
 * For an `unanswered` line (a ship request without a response), returns whether the line's order has been shipped after
 * all, or undefined while that's unknown. For any other line, returns undefined.
 */
type LookUp = (line: Line) => boolean | undefined;

/**
 * Follows the orders whose ship request got no response. Follows them by id, because an order leaves the list of orders
 * to deliver once it is shipped. Returns a function that looks up whether such an order has been shipped.
 */
function useLostAnswers(lines: readonly Line[]): LookUp {
  const lost = lines.filter(({ state }) => state === 'unanswered');
  const ids = lost.map(({ order }) => order._id);
  useAllFollowed(chosenOrders(ids));
  const newest = new Map(useViews('order', ids).map((view) => [view._id, view]));
  return (line) => (lost.includes(line) ? isShippedBy(line, newest.get(line.order._id)) : undefined);
}

type NextProps = { about: Shipping; next: Shipping | undefined; onUndo: () => void };

/**
 * Renders the Undo button. Its label names the orders whose shipments will be undone, unless the notice is already
 * about those orders. If nothing can be undone, and exactly one of the notice's orders was or may have been shipped,
 * renders a button that opens that order instead.
 */
function Next({ about, next, onUndo }: NextProps) {
  const { open } = useOpenOrder();
  const undoable = useUntil(next === undefined ? 0 : next.at + UNDO_FOR);
  if (next !== undefined && next.state !== 'sending' && undoable) {
    return (
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        Undo{next === about ? '' : ` ${nameOf(next)}`} <kbd className={styles.key}>u</kbd>
      </Button>
    );
  }
  const [only, ...others] = about.lines.filter((line) => wasShipped(line) || line.state === 'unanswered');
  if (only === undefined || others.length > 0 || about.state !== 'shipped') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => open(only.order._id)}>
      Open
    </Button>
  );
}

/** Names the orders whose shipments can be undone, e.g. 'MC-1042' or '30 orders'. */
function nameOf({ lines }: Shipping): string {
  const [only, ...others] = lines.filter(canBeTakenBack);
  return only !== undefined && others.length === 0 ? only.order.number : `${others.length + 1} orders`;
}

/**
 * Returns a sentence for each order that was not shipped or whose outcome is unknown. Once an undo has started, returns
 * sentences only for the orders whose shipments could not be undone.
 */
function problemsOf({ state, lines }: Shipping, isShippedNow: LookUp): string[] {
  return lines.flatMap((line) => {
    const { number } = line.order;
    if (state !== 'shipped') {
      return wasShipped(line) && line.reason ? [`${number} could not be taken back: ${line.reason}`] : [];
    }
    if (line.state === 'refused') return [`${number} was not shipped: ${line.reason}`];
    if (line.state === 'unanswered') {
      const isShipped = isShippedNow(line);
      if (isShipped === undefined) return [`It is not known whether ${number} was shipped: ${line.reason}`];
      return [
        isShipped ? `${number} is shipped, though the answer was lost.` : `${number} is not shipped: ${line.reason}`,
      ];
    }
    if (line.state !== 'already') return [];
    const lost = line.unrecorded === undefined ? '' : ` The tracking number ${line.unrecorded} was not recorded.`;
    return [`${number} was ${alreadyText(line)}.${lost}`];
  });
}

const firstOf = ([first, ...more]: string[]) => `${first}${more.length === 0 ? '' : ` And ${more.length} more.`}`;

const takenBack = ({ lines }: Shipping) => lines.filter(({ state }) => state === 'withdrawn').length;

function titleOf(about: Shipping, isShippedNow: LookUp, hasProblems: boolean): string {
  switch (about.state) {
    case 'sending':
      return 'Shipping';
    case 'shipped':
      if (about.lines.some((line) => wasShipped(line) || isShippedNow(line))) return 'Shipped';
      return about.lines.some((line) => line.state === 'unanswered' && isShippedNow(line) === undefined)
        ? 'No answer'
        : 'Not shipped';
    case 'undoing':
      return 'Taking back';
    case 'undone':
      if (!hasProblems) return 'Taken back';
      return takenBack(about) === 0 ? 'Not taken back' : 'Taken back in part';
  }
}

function resultOf(about: Shipping): string | undefined {
  const { state, lines } = about;
  const shipped = lines.filter(wasShipped).length;
  if (state === 'shipped' && shipped > 0) {
    return `${lines.length === 1 ? 'This product is' : `${shipped} of ${lines.length} orders are`} set to shipped.`;
  }
  if (state === 'undone' && shipped > 1) return `${takenBack(about)} of ${shipped} orders are to be delivered again.`;
  return undefined;
}

/** Names the orders that were shipped, e.g. 'MC-1042, Kamal, 3 × Dice ITX Cube' or 'MC-1042 to MC-1051'. */
function whatOf({ lines }: Shipping): string {
  const [first, ...others] = lines.filter(wasShipped);
  if (first === undefined) return '';
  const { number, name, quantity, product } = first.order;
  const last = others.at(-1);
  return last === undefined ? `${number}, ${name}, ${quantity} × ${product}` : `${number} to ${last.order.number}`;
}

/** Shows how many of the orders in a ship request are shipped so far, according to the orders' newest views. */
function Progress({ lines }: { lines: readonly Line[] }) {
  const views = useViews(
    'order',
    lines.map(({ order }) => order._id),
  );
  const shipped = views.filter(({ status }) => status === 'shipped').length;
  return (
    <span>
      {shipped} of {lines.length}
    </span>
  );
}
