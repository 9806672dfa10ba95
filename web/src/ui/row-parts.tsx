import type { ReactNode } from 'react';
import styles from './row-parts.module.css';

/**
 * A badge and a button that look like Mantine's. They are plain elements, because a scrolling table creates dozens of
 * them per frame.
 */

type RowBadgeProps = {
  tone: 'pending' | 'shipped' | 'gone' | 'low' | 'role';
  /** true while the change that this badge shows is being saved */
  busy?: boolean;
  title?: string | undefined;
  children: ReactNode;
};

export function RowBadge({ tone, busy, title, children }: RowBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} aria-busy={busy || undefined} title={title}>
      {children}
    </span>
  );
}

type RowButtonProps = {
  /** the accessible name, if the text alone doesn't identify the row */
  label?: string;
  /**
   * the button's style: `danger` for a destructive action, undefined (filled) for the row's main action, or `quiet` for
   * any other action
   */
  tone?: 'quiet' | 'danger';
  disabled?: boolean;
  /** true while the button's action is running */
  busy?: boolean;
  /** the action's name, for a table that handles the clicks on all of its rows with one listener */
  action?: string;
  onClick?: () => void;
  children: ReactNode;
};

export function RowButton({ label, tone, disabled, busy, action, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      className={`${styles.button} mantine-focus-auto mantine-active`}
      data-tone={tone}
      data-action={action}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
