import { IconStarFilled } from '@tabler/icons-react';
import styles from './stars.module.css';

const MOST = 5;

/**
 * Returns how many stars to show for a rating, which may be text. Only the leading whole number counts, so 4.5 shows
 * four stars. Returns 0 if that number isn't between 1 and 5.
 */
export function starsOf(rating: number | string): number {
  const stars = Number.parseInt(String(rating), 10);
  return stars >= 1 && stars <= MOST ? stars : 0;
}

/** A rating, shown as stars. Renders nothing if the rating isn't between 1 and 5 (H7). */
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
