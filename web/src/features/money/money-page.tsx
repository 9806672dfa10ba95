import { Alert, Group, SegmentedControl, Text, TextInput, Title } from '@mantine/core';
import type { Ledger, LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { useMemo } from 'react';
import { CsvDownload } from '../../api/csv-button.tsx';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { RefreshFailed } from '../../live/live-list-view.tsx';
import { ShowWaiting } from '../../live/show-waiting.tsx';
import { usePageState } from '../../session/use-page-state.ts';
import { formatTime } from '../../ui/format.ts';
import { PageHeading, usePageTitle } from '../../ui/page-heading.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useUntil } from '../../ui/use-now.ts';
import { Amounts } from './amounts.tsx';
import { exportOf, type LedgerView, useGetLedgerQuery } from './money.api.ts';
import styles from './money-page.module.css';
import { MoneyTable, RowsProvider } from './money-table.tsx';
import { RowDialog } from './row-dialog.tsx';
import { Totals } from './totals.tsx';
import { useChangedRows } from './use-changed-rows.ts';
import { useKeptFresh, usePolled } from './use-kept-fresh.ts';
import { PRESETS, useLedgerView } from './use-ledger-view.ts';
import { useSteadyRows } from './use-steady-rows.ts';

/** The ledger: what the shop recorded and what Stripe states, order by order (R25). */
export default function MoneyPage() {
  usePageTitle('Money');
  const chosen = useLedgerView();
  const { view, problem, today } = chosen;
  return (
    <>
      <PageHeading title="Money" text="What the shop recorded and what Stripe states, for each order." />
      <Tools {...chosen} />
      {problem === null ? (
        <LedgerOf view={view} today={today} />
      ) : (
        <>
          <EmptyState title="This period cannot be shown" text={problem} />
          <Totals today={today} />
        </>
      )}
    </>
  );
}

const PERIODS = PRESETS.map((days) => ({ value: days, label: `${days} days` }));
const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Needs attention' },
];

type ToolsProps = ReturnType<typeof useLedgerView>;

function Tools({ view, preset, problem, today, choosePreset, chooseDays, choose }: ToolsProps) {
  const { from, to } = view;
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      size="sm"
      aria-label={label}
      aria-invalid={problem !== null}
      max={today}
      value={view[name]}
      onChange={({ currentTarget: { value } }) => value && chooseDays({ [name]: value })}
    />
  );
  return (
    <Group gap="sm" mb="md">
      <SegmentedControl
        data={FILTERS}
        value={view.show}
        onChange={choose}
        size="xs"
        aria-label="Rows shown"
        className={styles.choice}
      />
      <SegmentedControl
        data={PERIODS}
        value={preset ?? ''}
        onChange={choosePreset}
        size="xs"
        aria-label="Last days"
        className={styles.choice}
      />
      <Group gap="xs" wrap="nowrap" className={styles.days}>
        {day('from', 'From')}
        <span aria-hidden="true">–</span>
        {day('to', 'To')}
      </Group>
      {problem === null ? (
        <CsvDownload path={exportOf(view)} name={`ledger-${from}-${to}.csv`} label="CSV of this period" />
      ) : null}
    </Group>
  );
}

const NO_ROWS: readonly LedgerRow[] = [];

function LedgerOf({ view, today }: { view: LedgerView; today: string }) {
  const { currentData: ledger, error = null, refetch } = useGetLedgerQuery(view, usePolled());
  useKeptFresh(refetch);
  const [opened, setOpened] = usePageState<LedgerRow | null>('ledger row', null);
  const name = `${view.from} ${view.to} ${view.show}`;
  const rows = ledger?.rows ?? NO_ROWS;
  const changed = useChangedRows(name, ledger?.rows);
  const { attention, rest, known, present, waiting, showWaiting, handlers } = useSteadyRows(
    ledger === undefined ? '' : name,
    rows,
  );
  const shown = useMemo(() => ({ known, present, changed, onOpen: setOpened }), [known, present, changed, setOpened]);
  return (
    <RowsProvider value={shown}>
      <div className={styles.list} {...handlers}>
        {ledger === undefined ? (
          <NotLoaded what="the ledger" error={error} onRetry={refetch} />
        ) : (
          <>
            {error === null ? null : <RefreshFailed error={error} onRetry={refetch} />}
            <Summary ledger={ledger} />
            <Reading {...ledger.reading} />
            <Title order={2} size="h3" mb="sm">
              Needs attention
            </Title>
            <ShowWaiting what="row" waiting={waiting} onShow={showWaiting} />
            {attention.length === 0 ? (
              <Text c="dimmed">
                {ledger.open === 0 ? 'Nothing needs attention in this period.' : 'Show the new rows.'}
              </Text>
            ) : (
              <MoneyTable label="Needs attention" kind="attention" ids={attention} />
            )}
          </>
        )}
        <Totals today={today} />
        {ledger === undefined || view.show === 'open' ? null : <Rest ids={rest} isWhole={ledger.isWhole} />}
      </div>
      <RowDialog row={opened} view={view} onClose={() => setOpened(null)} />
    </RowsProvider>
  );
}

function Rest({ ids, isWhole }: { ids: readonly string[]; isWhole: boolean }) {
  return (
    <section aria-label="Everything else">
      <Title order={2} size="h3" mb="sm">
        Everything else
      </Title>
      {ids.length === 0 ? (
        <EmptyState
          title="No other money"
          text="No other money moved in this period. Choose a longer period to see more."
        />
      ) : (
        <MoneyTable label="Everything else" kind="rest" ids={ids} />
      )}
      {isWhole ? null : (
        <Text c="dimmed" mt="md">
          There are more rows than fit here. Choose a shorter period, or save the CSV file, which has them all.
        </Text>
      )}
    </section>
  );
}

/** How old Stripe's statement may be, in ms, before the page warns about it. It is usually about ten minutes old. */
const OLD_AFTER_MS = 3_600_000;

/** How far Stripe's lists have been read. Warns if that is long ago, or why they can't be read. */
function Reading({ until, problem }: Ledger['reading']) {
  const isRecent = useUntil(until === null ? 0 : Date.parse(until) + OLD_AFTER_MS);
  const upTo = until === null ? 'Stripe has not been read yet.' : `Stripe is read up to ${formatTime(until)}.`;
  if (problem === null && (isRecent || until === null)) {
    return (
      <Text c="dimmed" size="sm" mb="md">
        {upTo}
      </Text>
    );
  }
  return (
    <Alert color="yellow" mb="md" title={upTo}>
      {problem === null
        ? 'Later payments, refunds and disputes may be missing until Stripe can be read again.'
        : `Later payments, refunds and disputes may be missing. Stripe said: “${problem}”`}
    </Alert>
  );
}

/** The period's sums. Each currency has a line of its own. */
function Summary({ ledger: { recorded, stated, difference, settlement, open } }: { ledger: Ledger }) {
  const sums = [
    ['Recorded', recorded],
    ['Stated', stated],
    ['Difference', difference],
    ['Fee', settlement.fee],
    ['Net', settlement.net],
  ] as const;
  return (
    <dl className={styles.summary} aria-label="This period">
      {sums.map(([label, amounts]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Amounts of={amounts} />
          </dd>
        </div>
      ))}
      <div>
        <dt>Need attention</dt>
        <dd>{open}</dd>
      </div>
    </dl>
  );
}
