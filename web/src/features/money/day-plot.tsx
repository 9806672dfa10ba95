import type { LedgerPeriod } from '@micro-center/services/contracts/ledger/ledger.ts';
import { CURRENCY } from '@micro-center/services/contracts/money.ts';
import type { Days } from './money.api.ts';
import { formatDay, formatMoney } from './money-format.ts';
import styles from './money-page.module.css';

const DAY_MS = 86_400_000;
/** The plot's size and the width of a day, in units of the SVG. */
const HEIGHT = 100;
const DAY = { pitch: 4, bar: 3 };

interface Bar {
  day: string;
  charged: number;
  /** as a positive amount */
  refunded: number;
}

/** Returns one bar for each day of the period, also for days without money. */
function barsOf(days: Days, periods: readonly LedgerPeriod[], currency: string): Bar[] {
  const sums = new Map(periods.map((one) => [one.period, one]));
  const count = (Date.parse(days.to) - Date.parse(days.from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(days.from) + index * DAY_MS).toISOString().slice(0, 10);
    const of = sums.get(day);
    return { day, charged: of?.charged[currency] ?? 0, refunded: Math.max(0, -(of?.refunded[currency] ?? 0)) };
  });
}

/** The currencies in which anything was charged or refunded. The shop's own is always one of them, and is first. */
export function currenciesOf(periods: readonly LedgerPeriod[]): string[] {
  const all = periods.flatMap(({ charged, refunded }) => [...Object.keys(charged), ...Object.keys(refunded)]);
  return [...new Set([CURRENCY, ...all])];
}

interface DayPlotProps {
  days: Days;
  periods: readonly LedgerPeriod[];
  currency: string;
}

/** Plots what was charged each day above a line, and what was refunded below it, in one currency. */
export function DayPlot({ days, periods, currency }: DayPlotProps) {
  const bars = barsOf(days, periods, currency);
  const most = Math.max(0, ...bars.map(({ charged }) => charged));
  const mostBack = Math.max(0, ...bars.map(({ refunded }) => refunded));
  const scale = HEIGHT / Math.max(1, most + mostBack);
  const line = most + mostBack === 0 ? HEIGHT : most * scale;
  const width = bars.length * DAY.pitch;
  const sum = (field: 'charged' | 'refunded') =>
    formatMoney(
      bars.reduce((total, bar) => total + bar[field], 0),
      currency,
    );
  const text = `${currency.toUpperCase()} of the last ${bars.length} days: ${sum('charged')} charged, ${sum('refunded')} refunded`;
  return (
    <figure className={styles.plot}>
      <figcaption className={styles.legend}>
        <span data-kind="charged">Charged {sum('charged')}</span>
        <span data-kind="refunded">Refunded {sum('refunded')}</span>
      </figcaption>
      <span className={styles.most}>{formatMoney(most, currency)}</span>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {bars.map(({ day, charged, refunded }, index) => (
          <g key={day}>
            <title>
              {formatDay(day)}: {formatMoney(charged, currency)} charged, {formatMoney(refunded, currency)} refunded
            </title>
            <rect data-kind="day" x={index * DAY.pitch} y={0} width={DAY.pitch} height={HEIGHT} />
            <rect
              data-kind="charged"
              x={index * DAY.pitch}
              y={line - charged * scale}
              width={DAY.bar}
              height={charged * scale}
            />
            <rect data-kind="refunded" x={index * DAY.pitch} y={line} width={DAY.bar} height={refunded * scale} />
          </g>
        ))}
        <line x1={0} x2={width} y1={line} y2={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={styles.most}>{mostBack === 0 ? null : formatMoney(-mostBack, currency)}</span>
      <div className={styles.ends}>
        <span>{formatDay(days.from)}</span>
        <span>{formatDay(days.to)}</span>
      </div>
    </figure>
  );
}
