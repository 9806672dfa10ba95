import { Anchor } from '@mantine/core';
import { dayOf } from '@micro-center/services/contracts/dhaka-time.ts';
import type { LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';
import { createContext, memo, useContext } from 'react';
import { Link } from 'react-router-dom';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { type Column, DataCell, DataRow, DataTable } from '../../ui/data-table.tsx';
import { RowBadge, RowButton } from '../../ui/row-parts.tsx';
import { Amounts } from './amounts.tsx';
import { formatDay } from './money-format.ts';
import { needsAttention, stateText } from './row-words.ts';

const COLUMNS: Column[] = [
  { label: 'Order', width: '10%' },
  { label: 'Recorded', figure: true, width: '10.5%' },
  { label: 'Stated', figure: true, width: '10.5%' },
  { label: 'Difference', figure: true, width: '11.5%' },
  { label: 'Fee', figure: true, width: '8%' },
  { label: 'Net', figure: true, width: '9%' },
  { label: 'State' },
  { label: 'Actions', width: '13.5%' },
];

/** A row that needs attention has room for three lines of text. */
const HEIGHTS = { attention: { row: 56, card: 224 }, rest: { row: 40, card: 172 } };

export const NO_PAGES = { more: false, loading: false, error: null, load: () => {}, reportDepth: () => {} };

interface RowsShown {
  known: ReadonlyMap<string, LedgerRow>;
  /** without the rows that have left and are still held in place */
  present: ReadonlyMap<string, LedgerRow>;
  changed: ReadonlySet<string>;
  onOpen: (row: LedgerRow) => void;
}

const Rows = createContext<RowsShown | null>(null);
export const RowsProvider = Rows.Provider;

type MoneyTableProps = { label: string; kind: keyof typeof HEIGHTS; ids: readonly string[] };

export function MoneyTable({ label, kind, ids }: MoneyTableProps) {
  return (
    <DataTable label={label} columns={COLUMNS} minWidth={880} ids={ids} height={HEIGHTS[kind]} paging={NO_PAGES}>
      {drawRow}
    </DataTable>
  );
}

const drawRow = (id: string) => <MoneyRow id={id} />;

function MoneyRow({ id }: { id: string }) {
  const shown = useContext(Rows);
  const row = shown?.known.get(id);
  if (!shown || !row) return null;
  return <Cells row={row} changed={shown.changed.has(id)} left={!shown.present.has(id)} onOpen={shown.onOpen} />;
}

/** Returns the address of a payment in Stripe's dashboard, or in the local one of a demo. */
function usePaymentLink(intent: string | null): string | null {
  const { data: config } = useGetClientConfigQuery();
  if (intent === null || config === undefined) return null;
  const { mode, publishableKey } = config.stripe;
  if (mode === 'demo') return `/demo-stripe/dashboard#${intent}`;
  const test = publishableKey.startsWith('pk_test_') ? 'test/' : '';
  return `https://dashboard.stripe.com/${test}payments/${intent}`;
}

interface CellsProps {
  row: LedgerRow;
  changed: boolean;
  left: boolean;
  onOpen: (row: LedgerRow) => void;
}

const Cells = memo(function Cells({ row, changed, left, onOpen }: CellsProps) {
  const { order, at, recorded, stated, difference, settlement, state } = row;
  const paymentLink = usePaymentLink(row.intent);
  const name = order?.number ?? 'money without an order';
  const text = stateText(row);
  const action = actionOf(row);
  return (
    <DataRow changed={changed} left={left}>
      <DataCell label="Order">
        {order === null ? (
          'No order'
        ) : (
          <Anchor component={Link} to={`/dashboard/allorder?order=${order.id}`} size="sm" fw={600}>
            {order.number}
          </Anchor>
        )}
        <br />
        <small>{formatDay(dayOf(Date.parse(at)))}</small>
      </DataCell>
      <DataCell label="Recorded" figure>
        <Amounts of={recorded} />
      </DataCell>
      <DataCell label="Stated" figure>
        <Amounts of={stated} />
      </DataCell>
      <DataCell label="Difference" figure>
        <Amounts of={difference} />
      </DataCell>
      <DataCell label="Fee" figure>
        <Amounts of={settlement.fee} />
      </DataCell>
      <DataCell label="Net" figure>
        <Amounts of={settlement.net} />
      </DataCell>
      {state === 'matched' ? (
        <DataCell label="State">
          <RowBadge tone="shipped">{text}</RowBadge>
        </DataCell>
      ) : (
        <DataCell label="State" clip={text} lines={needsAttention(row) ? 3 : 2} />
      )}
      <DataCell label="Actions">
        {paymentLink === null ? null : (
          <Anchor
            href={paymentLink}
            target="_blank"
            rel="noreferrer"
            size="sm"
            aria-label={`Stripe, payment of ${name}`}
          >
            Stripe
          </Anchor>
        )}
        {action === null || left ? null : (
          <RowButton tone="quiet" label={`${action} ${name}`} onClick={() => onOpen(row)}>
            {action}
          </RowButton>
        )}
      </DataCell>
    </DataRow>
  );
});

/** What the row's button does: it notes what money without an order is, or shows what doesn't fit into the row. */
function actionOf({ state, causes }: LedgerRow): string | null {
  if (state === 'unmatched') return 'Set aside';
  if (state === 'aside') return 'Edit note';
  return state === 'open' && causes.length > 1 ? 'Reasons' : null;
}
