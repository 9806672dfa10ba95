import { Button } from '@mantine/core';
import styles from './show-waiting.module.css';

type ShowWaitingProps = {
  /** what a row is, such as 'order' */
  what: string;
  /** how many rows wait, from useSteadyRows() */
  waiting: number;
  onShow: () => void;
};

/** The words of a button that shows new rows, such as 'Show 2 new orders'. */
export const showWaitingText = (what: string, waiting: number): string =>
  waiting === 1 ? `Show 1 new ${what}` : `Show ${waiting} new ${what}s`;

/** Offers to show the rows that came while somebody pointed at the list. Goes right above the rows, and moves none of them. */
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
