import { Button, CloseButton } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectIsLive } from '../../live/live-slice.ts';
import { useViews } from '../../live/use-live.ts';
import { useUntil } from '../../ui/use-until.ts';
import styles from './manage-orders-page.module.css';
import type { Shipping } from './use-shipping.ts';

/** A shipment is taken back without a reason for this long, in milliseconds. */
const UNDO_FOR = 30_000;

interface BoardNoticeProps {
  last: Shipping;
  onUndo: () => void;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** What the last shipping came to, and how it is undone. It has a place of its own, above the rows. */
export function BoardNotice({ last, onUndo, onOpen, onClose }: BoardNoticeProps) {
  const undoable = useUntil(last.at + UNDO_FOR);
  const [only] = last.shipped;
  const title = titleOf(last);
  return (
    // Named and read out as an alert, it takes no focus: whoever ships goes on with the next order.
    <div className={styles.notice} role="alertdialog" aria-label={title} aria-live="assertive" data-tone={toneOf(last)}>
      <strong>{title}</strong>
      <Words last={last} />
      {last.state === 'shipped' && only !== undefined && undoable ? (
        <Button size="compact-sm" variant="default" onClick={onUndo}>
          Undo <kbd className={styles.key}>u</kbd>
        </Button>
      ) : null}
      {last.state === 'shipped' && only !== undefined && last.shipped.length === 1 && !undoable ? (
        <Button size="compact-sm" variant="default" onClick={() => onOpen(only._id)}>
          Open
        </Button>
      ) : null}
      <CloseButton size="sm" onClick={onClose} aria-label="Close" />
    </div>
  );
}

function titleOf({ state, shipped, problems }: Shipping): string {
  if (state === 'sending') return 'Shipping';
  if (state === 'undoing') return 'Taking back';
  if (state === 'undone') return problems.length === 0 ? 'Taken back' : 'Not taken back';
  return shipped.length > 0 ? 'Shipped' : 'Not shipped';
}

const toneOf = ({ problems }: Shipping) => (problems.length > 0 ? 'problem' : undefined);

function Words({ last }: { last: Shipping }) {
  const live = useSelector(selectIsLive);
  const { state, orders, shipped, problems } = last;
  const [first, ...more] = problems;
  const reload = live ? '' : ' Please reload to see the update.';
  if (state === 'sending') return <Progress last={last} />;
  return (
    <>
      {state === 'shipped' && shipped.length > 0 ? (
        <span>
          {orders.length === 1
            ? `This product is set to shipped.${reload}`
            : `${shipped.length} of ${orders.length} orders are set to shipped.${reload}`}
        </span>
      ) : null}
      {first === undefined ? (
        <span className={styles.what}>{whatOf(last)}</span>
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
  if (shipped.length > 1) return `${first.number} to ${shipped.at(-1)?.number}`;
  return `${first.number}, ${first.name}, ${first.quantity} × ${first.product}`;
}

/** Counts what the pushes say is shipped. */
function Progress({ last: { orders } }: { last: Shipping }) {
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
