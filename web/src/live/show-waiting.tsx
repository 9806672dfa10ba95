import { Button } from '@mantine/core';
import styles from './show-waiting.module.css';

type ShowWaitingProps = {
  /** the noun for a row, such as 'order' */
  what: string;
  /** the number of waiting rows, from useSteadyIds() */
  waiting: number;
  onShow: () => void;
};

/** The label of the button that shows new rows, such as 'Show 2 new orders'. */
export const showWaitingText = (what: string, waiting: number): string =>
  waiting === 1 ? `Show 1 new ${what}` : `Show ${waiting} new ${what}s`;

/**
 * A button that shows the rows that arrived while the list was held in place (useSteadyIds). Place the button directly
 * above the rows, which don't move when it appears.
 */
export function ShowWaiting({ what, waiting, onShow }: ShowWaitingProps) {
  if (waiting === 0) return null;
  return (
    <div className={styles.edge}>
      <Button className={styles.button} size="compact-sm" onClick={onShow}>
        {showWaitingText(what, waiting)}
      </Button>
    </div>
  );
}
