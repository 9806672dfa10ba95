import type { BoardToday } from '@micro-center/services/contracts/answers.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLive } from '../../live/use-live.ts';
import { Age } from '../../ui/age.tsx';
import { formatAmount, formatTaka } from '../../ui/format.ts';
import { useGetBoardTodayQuery } from './board-today.api.ts';
import styles from './today-strip.module.css';

/** The day is asked for again at most this often while orders change, in milliseconds. */
const PACE = 5_000;

/** The shop's day in one line above the board, each figure a link to what it counts. */
export function TodayStrip() {
  const today = useToday();
  return (
    <nav aria-label="Today" className={styles.strip}>
      {today === undefined ? null : (
        <>
          <Figure to="/dashboard/allorder" label="Orders today" value={formatAmount(today.orders)} />
          <Figure to="/dashboard/allorder?status=paid" label="Revenue today" value={formatTaka(today.revenue)} />
          <Figure
            to="/dashboard/allorder?status=paid"
            label="Longest wait"
            value={today.longestWaitSince === null ? 'none' : <Age since={today.longestWaitSince} />}
          />
          <Figure to="/dashboard/manageproduct?stock=low" label="Low stock" value={formatAmount(today.lowStock)} />
          <Sparkline hours={today.hours} />
        </>
      )}
    </nav>
  );
}

function useToday(): BoardToday | undefined {
  const { data, isUninitialized, refetch } = useGetBoardTodayQuery(undefined, { refetchOnMountOrArgChange: true });
  const orders = useLive(({ views }) => views.known.order);
  const asked = useRef({ orders, at: Date.now() });
  useEffect(() => {
    if (isUninitialized || asked.current.orders === orders) return;
    const wait = Math.max(0, asked.current.at + PACE - Date.now());
    const timer = setTimeout(() => {
      asked.current = { orders, at: Date.now() };
      void refetch();
    }, wait);
    return () => clearTimeout(timer);
  }, [orders, isUninitialized, refetch]);
  return data;
}

function Figure({ to, label, value }: { to: string; label: string; value: ReactNode }) {
  return (
    <Link to={to} className={styles.figure}>
      {label} <strong>{value}</strong>
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
