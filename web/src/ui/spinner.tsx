import styles from './spinner.module.css';

/** Says that something is on its way, in three shapes: circle, triangle, square. `label` is read to screen readers. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.spinner} role="status" aria-label={label}>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="circle" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
      </svg>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="triangle" aria-hidden="true">
        <path d="M12 3.5 21 20H3Z" />
      </svg>
      <svg className={styles.shape} viewBox="0 0 24 24" data-shape="square" aria-hidden="true">
        <rect x="4" y="4" width="16" height="16" />
      </svg>
    </div>
  );
}
