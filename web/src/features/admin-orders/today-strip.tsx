import type { BoardToday } from '@micro-center/services/contracts/order/order-answers.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Age } from '../../ui/age.tsx';
import { formatAmount, formatTaka } from '../../ui/format.ts';
import styles from './today-strip.module.css';
import { useBoardToday } from './use-board-figures.ts';

const TO_DELIVER = '/dashboard/allorder?status=paid';

/** The shop's figures for today, in a strip above the board. Each figure links to a related list. */
export function TodayStrip() {
  const today = useBoardToday();
  return (
    <nav aria-label="Today" className={styles.strip}>
      {today === undefined ? null : <Figures today={today} />}
    </nav>
  );
}

function Figures({ today: { orders, revenue, longestWaitSince, lowStock, hours } }: { today: BoardToday }) {
  return (
    <>
      <Figure to="/dashboard/allorder" label="Orders today" value={formatAmount(orders)} />
      <Figure to={TO_DELIVER} label="Revenue today" value={formatTaka(revenue)} />
      <Figure
        to={TO_DELIVER}
        label={longestWaitSince === null ? 'Nobody is waiting' : 'Longest wait'}
        value={longestWaitSince && <Age since={longestWaitSince} />}
      />
      <Figure
        to="/dashboard/manageproduct?stock=low"
        label={lowStock === 0 ? 'Nothing runs low' : 'Low stock'}
        value={lowStock === 0 ? null : formatAmount(lowStock)}
      />
      <Sparkline hours={hours} />
    </>
  );
}

function Figure({ to, label, value }: { to: string; label: string; value: ReactNode }) {
  return (
    <Link to={to} className={styles.figure}>
      {label} {value === null ? null : <strong>{value}</strong>}
    </Link>
  );
}

/** A bar chart of the orders placed per hour, with the current hour last. */
function Sparkline({ hours }: { hours: BoardToday['hours'] }) {
  const most = Math.max(0, ...hours.map(({ orders }) => orders));
  const total = hours.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${hours.length * 4} 20`}
      role="img"
      aria-label={`Orders of the last ${hours.length} hours: ${total} in all, at most ${most} an hour`}
    >
      {hours.map(({ hour, orders }, index) => {
        const height = Math.max(1, (20 * orders) / Math.max(1, most));
        return <rect key={hour} x={index * 4} y={20 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
