import { Button } from '@mantine/core';
import { createPortal } from 'react-dom';
import { showWaitingText } from '../../live/show-waiting.tsx';
import { useViews } from '../../live/use-live.ts';
import { useBoard } from './board-context.ts';
import styles from './manage-orders-page.module.css';
import { canShip } from './shippings.ts';

interface BoardActionsProps {
  /** the selected orders */
  selected: readonly string[];
  /** the number of new orders that aren't shown yet, because showing them would move the rows */
  waiting: number;
  onShip: () => void;
  onPrint: () => void;
  onClear: () => void;
  onShowWaiting: () => void;
}

/** The actions for the selected orders, and the button that shows new orders. */
export function BoardActions(props: BoardActionsProps) {
  const { selected, waiting, onShip, onPrint, onClear, onShowWaiting } = props;
  const { actions } = useBoard();
  if (actions === null) return null;
  return createPortal(
    <>
      {selected.length === 0 ? null : (
        <>
          <span className={styles.count} role="status">
            {selected.length} selected
          </span>
          <ShipButton selected={selected} onShip={onShip} />
          <Button size="compact-sm" variant="default" onClick={onPrint}>
            Print slips
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={onClear}>
            Clear
          </Button>
        </>
      )}
      {waiting === 0 ? null : (
        <Button size="compact-sm" variant="light" onClick={onShowWaiting}>
          {showWaitingText('order', waiting)}
        </Button>
      )}
    </>,
    actions,
  );
}

/**
 * The button that ships the selected orders. Its label states how many of them can be shipped, and is updated as orders
 * are paid or shipped.
 */
function ShipButton({ selected, onShip }: Pick<BoardActionsProps, 'selected' | 'onShip'>) {
  const { lines } = useBoard().shipping;
  const count = useViews('order', selected).filter((order) => canShip(order, lines.get(order._id))).length;
  return (
    <Button size="compact-sm" disabled={count === 0} onClick={onShip}>
      Ship {count} <kbd className={styles.key}>s</kbd>
    </Button>
  );
}
