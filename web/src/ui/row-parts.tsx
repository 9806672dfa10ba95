import type { ReactNode } from 'react';
import styles from './row-parts.module.css';

/** Badge and button that look like Mantine's but are plain elements: a scrolling table creates dozens per frame. */

type RowBadgeProps = {
  tone: 'pending' | 'shipped' | 'gone' | 'low' | 'role';
  /** what it says is still on its way */
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
  /** the accessible name, where the text does not say which row is meant */
  label?: string;
  /** the next step is filled; what else can be done is `quiet` or, where it destroys, `danger` */
  tone?: 'quiet' | 'danger';
  disabled?: boolean;
  /** its action is still running */
  busy?: boolean;
  /** what it does, for a table that listens for all of its rows */
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
