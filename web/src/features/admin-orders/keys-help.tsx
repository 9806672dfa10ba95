import { Button, Modal } from '@mantine/core';
import { BOARD_KEYS } from './board-keys.ts';
import styles from './manage-orders-page.module.css';
import { useKeysOn } from './use-board-keys.ts';

interface KeysHelpProps {
  opened: boolean;
  onClose: () => void;
}

/** Lists the board's keyboard shortcuts, with a button that turns all shortcuts on or off. */
export function KeysHelp({ opened, onClose }: KeysHelpProps) {
  const [on, setOn] = useKeysOn();
  return (
    <Modal opened={opened} onClose={onClose} title="Keys of the board">
      <dl className={styles.keys}>
        {BOARD_KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.help}>
        {on
          ? 'The keys work everywhere on this page, except in a field, a dialog or an open order. You can use a scanner at any time: scan an order number to open that order.'
          : 'The keys are off in this browser. You can still scan an order number to open that order.'}
      </p>
      <Button variant="default" onClick={() => setOn(!on)}>
        {on ? 'Turn the keys off' : 'Turn the keys on'}
      </Button>
    </Modal>
  );
}
