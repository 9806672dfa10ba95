import { Button, CloseButton } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectIsLive } from '../../live/live-slice.ts';
import { useViews } from '../../live/use-live.ts';
import { serverNow } from '../../ui/server-clock.ts';
import { useUntil } from '../../ui/use-now.ts';
import styles from './manage-orders-page.module.css';
import { nextUndo, type Shipping, type Shippings, shippingOf, UNDO_FOR } from './shippings.ts';

interface BoardNoticeProps {
  shippings: Shippings;
  onUndo: () => void;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** What the last shipping or undo came to, and what the next undo takes back. It has a place of its own, above the rows. */
export function BoardNotice({ shippings, onUndo, onOpen, onClose }: BoardNoticeProps) {
  const about = shippingOf(shippings, shippings.shown);
  if (about === undefined) return null;
  const title = titleOf(about);
  return (
    // Named and read out as an alert, it takes no focus: whoever ships goes on with the next order.
    <div
      key={about.id}
      className={styles.notice}
      role="alertdialog"
      aria-label={title}
      aria-live="assertive"
      data-tone={about.problems.length > 0 ? 'problem' : undefined}
    >
      <strong>{title}</strong>
      <Words about={about} />
      <Next about={about} next={nextUndo(shippings, serverNow())} onUndo={onUndo} onOpen={onOpen} />
      <CloseButton size="sm" onClick={onClose} aria-label="Close" />
    </div>
  );
}

interface NextProps extends Pick<BoardNoticeProps, 'onUndo' | 'onOpen'> {
  about: Shipping;
  next: Shipping | undefined;
}

/** Undo, with the name of what it takes back where that isn't what the notice is about; Open once that time is over. */
function Next({ about, next, onUndo, onOpen }: NextProps) {
  const undoable = useUntil(next === undefined ? 0 : next.at + UNDO_FOR);
  const [only, ...others] = about.shipped;
  if (about.state === 'sending') return null;
  if (next !== undefined && next.state !== 'sending' && undoable) {
    return (
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        Undo{next === about ? '' : ` ${nameOf(next)}`} <kbd className={styles.key}>u</kbd>
      </Button>
    );
  }
  if (only === undefined || others.length > 0 || about.state !== 'shipped') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => onOpen(only.order._id)}>
      Open
    </Button>
  );
}

/** 'MC-1042', or '30 orders' */
function nameOf({ shipped, open }: Shipping): string {
  const [only, ...others] = shipped.filter(({ order }) => open.has(order._id));
  return only !== undefined && others.length === 0 ? only.order.number : `${others.length + 1} orders`;
}

function titleOf({ state, shipped, takenBack, problems }: Shipping): string {
  switch (state) {
    case 'sending':
      return 'Shipping';
    case 'shipped':
      return shipped.length > 0 ? 'Shipped' : 'Not shipped';
    case 'undoing':
      return 'Taking back';
    case 'undone':
      if (problems.length === 0) return 'Taken back';
      return takenBack === 0 ? 'Not taken back' : 'Taken back in part';
  }
}

function Words({ about }: { about: Shipping }) {
  const live = useSelector(selectIsLive);
  const { state, orders, shipped, takenBack, problems } = about;
  const [first, ...more] = problems;
  const reload = live ? '' : ' Please reload to see the update.';
  if (state === 'sending') return <Progress about={about} />;
  return (
    <>
      {state === 'shipped' && shipped.length > 0 ? (
        <span>
          {orders.length === 1
            ? `This product is set to shipped.${reload}`
            : `${shipped.length} of ${orders.length} orders are set to shipped.${reload}`}
        </span>
      ) : null}
      {state === 'undone' && shipped.length > 1 ? (
        <span>
          {takenBack} of {shipped.length} orders are to be delivered again.{reload}
        </span>
      ) : null}
      {first === undefined ? (
        <span className={styles.what}>{whatOf(about)}</span>
      ) : (
        <span className={styles.what} title={problems.join('\n')}>
          {first}
          {more.length === 0 ? '' : ` And ${more.length} more.`}
        </span>
      )}
    </>
  );
}

/** 'MC-1042, Kamal, 3 × Dice ITX Cube' */
function whatOf({ shipped }: Shipping): string {
  const [first] = shipped;
  if (first === undefined) return '';
  const { number, name, quantity, product } = first.order;
  if (shipped.length > 1) return `${number} to ${shipped.at(-1)?.order.number}`;
  return `${number}, ${name}, ${quantity} × ${product}`;
}

/** Counts what the pushes say is shipped. */
function Progress({ about: { orders } }: { about: Shipping }) {
  const views = useViews(
    'order',
    orders.map(({ _id }) => _id),
  );
  const shipped = views.filter(({ status }) => status === 'shipped').length;
  return (
    <span>
      {shipped} of {orders.length}
    </span>
  );
}
