import type { LedgerPeriod } from '@micro-center/services/contracts/ledger/ledger.ts';
import { type ReactNode, useCallback } from 'react';
import { type Column, DataCell, DataRow, DataTable } from '../../ui/data-table.tsx';
import { Amounts } from './amounts.tsx';
import styles from './money-page.module.css';
import { NO_PAGES } from './money-table.tsx';
import { FIGURES } from './months-csv.ts';

const LABELS = {
  charged: 'Charged',
  refunded: 'Refunded',
  disputed: 'Disputed',
  fee: 'Fee',
  other: 'Other',
  net: 'Net',
  paidOut: 'Paid out',
};
const LINE = 20;
/** On a phone, a card has a head, and four lines of figures for each currency. */
const CARD = { head: 76, rows: 4 };

interface PeriodTableProps {
  label: string;
  /** the heading of the first column, 'Day' or 'Month' */
  unit: string;
  periods: readonly LedgerPeriod[];
  format: (period: string) => string;
  /** what can be done with a period */
  action?: (period: string) => ReactNode;
}

/** Sums of days or months as Stripe states them, the newest first. */
export function PeriodTable({ label, unit, periods, format, action }: PeriodTableProps) {
  const columns: Column[] = [
    { label: unit, width: '14%' },
    ...FIGURES.map((figure) => ({ label: LABELS[figure], figure: true })),
    ...(action ? [{ label: 'Rows', width: '12%' }] : []),
  ];
  const lines = Math.max(1, ...periods.flatMap((one) => FIGURES.map((figure) => Object.keys(one[figure]).length)));
  const height = { row: Math.max(40, LINE * lines), card: CARD.head + CARD.rows * LINE * lines };
  const drawRow = useCallback(
    (period: string) => {
      const sums = periods.find((one) => one.period === period);
      return sums ? <PeriodRow unit={unit} sums={sums} name={format(period)} action={action?.(period)} /> : null;
    },
    [periods, unit, format, action],
  );
  const ids = periods.map(({ period }) => period).reverse();
  return (
    <div className={styles.periods}>
      <DataTable label={label} columns={columns} minWidth={720} ids={ids} height={height} paging={NO_PAGES}>
        {drawRow}
      </DataTable>
    </div>
  );
}

type PeriodRowProps = { unit: string; sums: LedgerPeriod; name: string; action: ReactNode };

function PeriodRow({ unit, sums, name, action }: PeriodRowProps) {
  return (
    <DataRow changed={false}>
      <DataCell label={unit}>{name}</DataCell>
      {FIGURES.map((figure) => (
        <DataCell key={figure} label={LABELS[figure]} figure>
          <Amounts of={sums[figure]} />
        </DataCell>
      ))}
      {action === undefined ? null : <DataCell label="Rows">{action}</DataCell>}
    </DataRow>
  );
}
