import { Button, Group, Text, Title } from '@mantine/core';
import type { LedgerPeriod } from '@micro-center/services/contracts/ledger/ledger.ts';
import { type ReactNode, useState } from 'react';
import { CsvButton, CsvDownload } from '../../api/csv-button.tsx';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { RefreshFailed } from '../../live/live-list-view.tsx';
import { currenciesOf, DayPlot } from './day-plot.tsx';
import { exportOf, useGetPeriodsQuery } from './money.api.ts';
import { formatDay, formatMonth } from './money-format.ts';
import styles from './money-page.module.css';
import { monthsCsv } from './months-csv.ts';
import { PeriodTable } from './period-table.tsx';
import { useKeptFresh, usePolled } from './use-kept-fresh.ts';
import { lastDays } from './use-ledger-view.ts';

const PLOTTED_DAYS = 90;
const MONTHS = 12;

/** What Stripe states, by day and by month. `today` is the day in Dhaka. */
export function Totals({ today }: { today: string }) {
  return (
    <div className={styles.totals}>
      <LastDays today={today} />
      <MonthTotals today={today} />
    </div>
  );
}

function LastDays({ today }: { today: string }) {
  const [asTable, setAsTable] = useState(false);
  const days = lastDays(today, PLOTTED_DAYS);
  const asked = useGetPeriodsQuery({ ...days, by: 'day' }, usePolled());
  useKeptFresh(asked.refetch);
  return (
    <section aria-label="Last 90 days">
      <Group justify="space-between" mb="sm" mih={32}>
        <Title order={2} size="h3">
          Last {PLOTTED_DAYS} days
        </Title>
        <Button size="xs" variant="default" aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Hide the table' : 'Show as a table'}
        </Button>
      </Group>
      <Loaded asked={asked} what="the days">
        {(periods) => (
          <>
            {currenciesOf(periods).map((currency) => (
              <DayPlot key={currency} days={days} periods={periods} currency={currency} />
            ))}
            {asTable ? <PeriodTable label="Days" unit="Day" periods={periods} format={formatDay} /> : null}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Returns the first day of the month that is `count` - 1 months before the month of `today`. */
function firstOfMonths(today: string, count: number): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - count, 1)).toISOString().slice(0, 10);
}

/** Returns all days of a month, such as `2026-03`. */
function daysOfMonth(month: string) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

const csvOf = (month: string) => (
  <CsvDownload
    path={exportOf(daysOfMonth(month))}
    name={`ledger-${month}.csv`}
    label={`CSV of ${formatMonth(month)}`}
  />
);

function MonthTotals({ today }: { today: string }) {
  const asked = useGetPeriodsQuery({ from: firstOfMonths(today, MONTHS), to: today, by: 'month' }, usePolled());
  useKeptFresh(asked.refetch);
  const { data = [] } = asked;
  return (
    <section aria-label="Totals per month">
      <Group justify="space-between" mb="sm" mih={32}>
        <Title order={2} size="h3">
          Totals per month
        </Title>
        <CsvButton
          load={async () => new Blob([monthsCsv(data)], { type: 'text/csv' })}
          name={`totals-${today}.csv`}
          label="CSV of all totals"
        />
      </Group>
      <Loaded asked={asked} what="the months">
        {(periods) =>
          periods.length === 0 ? (
            <Text c="dimmed">Stripe has stated no money in the last {MONTHS} months.</Text>
          ) : (
            <PeriodTable label="Months" unit="Month" periods={periods} format={formatMonth} action={csvOf} />
          )
        }
      </Loaded>
    </section>
  );
}

interface LoadedProps {
  asked: { data?: readonly LedgerPeriod[] | undefined; error?: unknown; refetch: () => void };
  /** a noun for the content, with its article */
  what: string;
  children: (periods: readonly LedgerPeriod[]) => ReactNode;
}

function Loaded({ asked: { data, error = null, refetch }, what, children }: LoadedProps) {
  if (data === undefined) return <NotLoaded what={what} error={error} onRetry={refetch} />;
  return (
    <>
      {error === null ? null : <RefreshFailed error={error} onRetry={refetch} />}
      {children(data)}
    </>
  );
}
