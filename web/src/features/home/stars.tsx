import { IconStarFilled } from '@tabler/icons-react';
import styles from './stars.module.css';

const MOST = 5;

/**
 * How many stars a rating shows: it is read as a number from what may be text, then rounded to a whole one. 0 stands for
 * a value that shows nothing.
 */
export function starsOf(rating: number | string): number {
  const stars = Math.round(Number.parseFloat(String(rating)));
  return stars >= 1 && stars <= MOST ? stars : 0;
}

/** A rating in stars; nothing where it is not between 1 and 5 (H7). */
export function Stars({ rating }: { rating: number | string }) {
  const stars = starsOf(rating);
  if (stars === 0) return null;
  return (
    <span className={styles.stars} role="img" aria-label={`${stars} of ${MOST} stars`}>
      {Array.from({ length: stars }, (_, position) => position).map((position) => (
        <IconStarFilled key={position} size={16} aria-hidden="true" />
      ))}
    </span>
  );
}
