import { Button, CloseButton } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectIsLive } from '../../live/live-slice.ts';
import { useViews } from '../../live/use-live.ts';
import { serverNow } from '../../ui/server-clock.ts';
import { useUntil } from '../../ui/use-now.ts';
import { useBoard } from './board-context.ts';
import styles from './manage-orders-page.module.css';
import { alreadyText, canBeTakenBack, isShipped, type Line, nextUndo, type Shipping, UNDO_FOR } from './shippings.ts';
import { useOpenOrder } from './use-open-order.ts';

/** What the last shipping or undo came to, and what the next undo takes back. It has a place of its own, above the rows. */
export function BoardNotice({ onUndo }: { onUndo: () => void }) {
  const { shippings, dismiss } = useBoard().shipping;
  const live = useSelector(selectIsLive);
  const about = shippings.all.find(({ key }) => key === shippings.shown);
  if (about === undefined) return null;
  const problems = problemsOf(about);
  const title = titleOf(about, problems.length > 0);
  const result = resultOf(about);
  return (
    // Named and read out as an alert, it takes no focus: whoever ships goes on with the next order.
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

type NextProps = { about: Shipping; next: Shipping | undefined; onUndo: () => void };

/** Undo, with the name of what it takes back where that isn't what the notice is about; Open once that time is over. */
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
  const [only, ...others] = about.lines.filter(isShipped);
  if (only === undefined || others.length > 0 || about.state !== 'shipped') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => open(only.order._id)}>
      Open
    </Button>
  );
}

/** 'MC-1042', or '30 orders' */
function nameOf({ lines }: Shipping): string {
  const [only, ...others] = lines.filter(canBeTakenBack);
  return only !== undefined && others.length === 0 ? only.order.number : `${others.length + 1} orders`;
}

/** A sentence for each order that was not shipped or, once an undo has begun, not taken back. */
function problemsOf({ state, lines }: Shipping): string[] {
  return lines.flatMap((line) => {
    const { number } = line.order;
    if (state !== 'shipped') {
      return isShipped(line) && line.reason ? [`${number} could not be taken back: ${line.reason}`] : [];
    }
    if (line.state === 'refused') return [`${number} was not shipped: ${line.reason}`];
    if (line.state !== 'already') return [];
    const lost = line.unrecorded === undefined ? '' : ` The tracking number ${line.unrecorded} was not recorded.`;
    return [`${number} was ${alreadyText(line)}.${lost}`];
  });
}

const firstOf = ([first, ...more]: string[]) => `${first}${more.length === 0 ? '' : ` And ${more.length} more.`}`;

const takenBack = ({ lines }: Shipping) => lines.filter(({ state }) => state === 'withdrawn').length;

function titleOf(about: Shipping, hasProblems: boolean): string {
  switch (about.state) {
    case 'sending':
      return 'Shipping';
    case 'shipped':
      return about.lines.some(isShipped) ? 'Shipped' : 'Not shipped';
    case 'undoing':
      return 'Taking back';
    case 'undone':
      if (!hasProblems) return 'Taken back';
      return takenBack(about) === 0 ? 'Not taken back' : 'Taken back in part';
  }
}

function resultOf(about: Shipping): string | undefined {
  const { state, lines } = about;
  const shipped = lines.filter(isShipped).length;
  if (state === 'shipped' && shipped > 0) {
    return `${lines.length === 1 ? 'This product is' : `${shipped} of ${lines.length} orders are`} set to shipped.`;
  }
  if (state === 'undone' && shipped > 1) return `${takenBack(about)} of ${shipped} orders are to be delivered again.`;
  return undefined;
}

/** 'MC-1042, Kamal, 3 × Dice ITX Cube', or 'MC-1042 to MC-1051' */
function whatOf({ lines }: Shipping): string {
  const [first, ...others] = lines.filter(isShipped);
  if (first === undefined) return '';
  const { number, name, quantity, product } = first.order;
  const last = others.at(-1);
  return last === undefined ? `${number}, ${name}, ${quantity} × ${product}` : `${number} to ${last.order.number}`;
}

/** Counts what the pushes say is shipped. */
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
