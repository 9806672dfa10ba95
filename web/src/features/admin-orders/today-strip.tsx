import type { BoardToday } from '@micro-center/services/contracts/answers.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Age } from '../../ui/age.tsx';
import { formatAmount, formatTaka } from '../../ui/format.ts';
import styles from './today-strip.module.css';
import { useBoardToday } from './use-board-figures.ts';

/** The shop's day in one line above the board, each figure a link to what it counts. */
export function TodayStrip() {
  const today = useBoardToday();
  return (
    <nav aria-label="Today" className={styles.strip}>
      {today === undefined ? null : (
        <>
          <Figure to="/dashboard/allorder" label="Orders today" value={formatAmount(today.orders)} />
          <Figure to="/dashboard/allorder?status=paid" label="Revenue today" value={formatTaka(today.revenue)} />
          {today.longestWaitSince === null ? (
            <Figure to="/dashboard/allorder?status=paid" label="Nobody is waiting" />
          ) : (
            <Figure
              to="/dashboard/allorder?status=paid"
              label="Longest wait"
              value={<Age since={today.longestWaitSince} />}
            />
          )}
          {today.lowStock === 0 ? (
            <Figure to="/dashboard/manageproduct?stock=low" label="Nothing runs low" />
          ) : (
            <Figure to="/dashboard/manageproduct?stock=low" label="Low stock" value={formatAmount(today.lowStock)} />
          )}
          <Sparkline hours={today.hours} />
        </>
      )}
    </nav>
  );
}

function Figure({ to, label, value }: { to: string; label: string; value?: ReactNode }) {
  return (
    <Link to={to} className={styles.figure}>
      {label} {value === undefined ? null : <strong>{value}</strong>}
    </Link>
  );
}

/** A bar an hour, the present one last. */
function Sparkline({ hours }: { hours: BoardToday['hours'] }) {
  const most = Math.max(1, ...hours.map(({ orders }) => orders));
  const total = hours.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${hours.length * 4} 20`}
      role="img"
      aria-label={`Orders of the last ${hours.length} hours: ${total} in all, at most ${Math.max(0, ...hours.map(({ orders }) => orders))} an hour`}
    >
      {hours.map(({ hour, orders }, index) => {
        const height = Math.max(1, (20 * orders) / most);
        return <rect key={hour} x={index * 4} y={20 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
