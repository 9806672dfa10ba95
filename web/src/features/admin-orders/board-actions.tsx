import { Button } from '@mantine/core';
import { createPortal } from 'react-dom';
import styles from './manage-orders-page.module.css';

interface BoardActionsProps {
  /** where they stand; nowhere until it is there */
  place: HTMLElement | null;
  /** how many orders are selected, and how many of these can be shipped */
  selected: number;
  chosen: number;
  /** how many new orders are held back */
  waiting: number;
  onShip: () => void;
  onPrint: () => void;
  onClear: () => void;
  onShowWaiting: () => void;
}

/** What can be done with the selection, and with the orders that have come meanwhile. */
export function BoardActions(props: BoardActionsProps) {
  const { place, selected, chosen, waiting, onShip, onPrint, onClear, onShowWaiting } = props;
  if (place === null) return null;
  return createPortal(
    <>
      {selected === 0 ? null : (
        <>
          <span className={styles.count} role="status">
            {selected} selected
          </span>
          <Button size="compact-sm" disabled={chosen === 0} onClick={onShip}>
            Ship {chosen} <kbd className={styles.key}>s</kbd>
          </Button>
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
          {waiting === 1 ? 'Show 1 new order' : `Show ${waiting} new orders`}
        </Button>
      )}
    </>,
    place,
  );
}
