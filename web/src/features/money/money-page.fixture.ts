import type { Ledger, LedgerPeriod, LedgerRow } from '@micro-center/services/contracts/ledger/ledger.ts';

const idOf = (n: number) => String(n).padStart(32, '0');

/** An order that matches: MC-1001 for 1. */
export const ledgerRow = (n: number, change: Partial<LedgerRow> = {}): LedgerRow => ({
  id: idOf(n),
  order: { id: idOf(n), number: `MC-${1000 + n}` },
  intent: `pi_${n}`,
  at: '2026-03-01T18:30:00.000Z',
  state: 'matched',
  recorded: { bdt: 125_000 },
  stated: { bdt: 125_000 },
  difference: {},
  settlement: { amount: { usd: 1_025 }, fee: { usd: 60 }, net: { usd: 965 } },
  causes: [],
  namedOrder: null,
  note: '',
  ...change,
});

/** An order with a refund that only Stripe has. */
export const openRow = (n: number, change: Partial<LedgerRow> = {}): LedgerRow =>
  ledgerRow(n, {
    state: 'open',
    stated: { bdt: 75_000 },
    difference: { bdt: 50_000 },
    causes: [{ cause: 'not_recorded', movement: 'refund', about: 're_1', difference: { bdt: 50_000 } }],
    ...change,
  });

export const lostRow = (n: number, change: Partial<LedgerRow> = {}): LedgerRow =>
  ledgerRow(n, {
    order: null,
    state: 'unmatched',
    recorded: {},
    difference: { bdt: -125_000 },
    namedOrder: 'f'.repeat(32),
    ...change,
  });

export const ledgerOf = (rows: LedgerRow[], change: Partial<Ledger> = {}): Ledger => ({
  rows,
  isWhole: true,
  open: rows.filter(({ state }) => state === 'open' || state === 'unmatched').length,
  reading: { until: '2026-03-01T18:30:00.000Z', problem: null },
  recorded: { bdt: 250_000 },
  stated: { bdt: 200_000, usd: 500 },
  difference: { bdt: 50_000, usd: -500 },
  settlement: { amount: { usd: 2_050 }, fee: { usd: 120 }, net: { usd: 1_930 } },
  ...change,
});

export const ledgerPeriod = (period: string, change: Partial<LedgerPeriod> = {}): LedgerPeriod => ({
  period,
  charged: { bdt: 100_000 },
  refunded: {},
  disputed: {},
  fee: { usd: 54 },
  other: {},
  net: { usd: 766 },
  paidOut: {},
  ...change,
});
