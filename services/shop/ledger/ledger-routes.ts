import { z } from 'zod';
import { updatedSchema } from '../../contracts/answers.ts';
import { DHAKA_OFFSET_MS, dayOf } from '../../contracts/dhaka-time.ts';
import { streamName } from '../../contracts/ids.ts';
import { type Amounts, digitsOf, plus } from '../../contracts/ledger/amounts.ts';
import {
  type Ledger,
  type LedgerPeriod,
  type LedgerRow,
  ledgerPeriodSchema,
  ledgerSchema,
  ROW_STATES,
} from '../../contracts/ledger/ledger.ts';
import { asideSchema, ledgerPeriodsQuerySchema, ledgerQuerySchema } from '../../contracts/ledger/ledger-requests.ts';
import { updated } from '../../http/answers.ts';
import { cacheResults } from '../../http/cache-results.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../http/csv.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { documentTarget } from '../../http/document-target.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { isoTime } from '../../runtime/clock.ts';
import { balanceDecider } from './balance.ts';
import { balancesBetween } from './balance-documents.ts';
import { createPeriods, type LedgerSource, ledgerRows, type Period, pagesOf } from './ledger-rows-flow.ts';
import { READER, readingDecider } from './reading.ts';

const CACHE_MS = 1_000;
/** The maximum number of rows in one response. */
const MAX_ROWS = 1_000;
/** The maximum number of events that are read of one order. */
const MOST_EVENTS = 10_000;
const DAY_MS = 86_400_000;

const cachedLedger = cacheResults<Ledger>(CACHE_MS);
const cachedPeriods = cacheResults<LedgerPeriod[]>(10 * CACHE_MS);

/** Returns the times at which a Dhaka day begins and its successor begins. `day` is such as `2026-03-01`. */
const startOf = (day: string) => Date.parse(`${day}T00:00:00.000Z`) - DHAKA_OFFSET_MS;
const periodOf = ({ from, to }: { from: string; to: string }): Period => ({
  from: isoTime(startOf(from)),
  to: isoTime(startOf(to) + DAY_MS),
});

const rankOf = ({ state }: LedgerRow) => ROW_STATES.indexOf(state);

const sourceOf = ({ readModels, log, sealing }: ApiDependencies): LedgerSource => ({
  readModels,
  async eventsOf(orderId) {
    return (await log.readStream(streamName('order', orderId), 0, MOST_EVENTS)).map(sealing.openBare);
  },
});

async function ledgerOf(shop: ApiDependencies, period: Period, isShown: (row: LedgerRow) => boolean): Promise<Ledger> {
  await Promise.all([shop.readYourWrites.caughtUp('order'), shop.readYourWrites.caughtUp('balance')]);
  const rows: LedgerRow[] = [];
  let sums: Omit<Ledger, 'rows' | 'isWhole' | 'open' | 'reading'> = {
    recorded: {},
    stated: {},
    difference: {},
    settlement: { amount: {}, fee: {}, net: {} },
  };
  let open = 0;
  for await (const page of ledgerRows(sourceOf(shop), period, shop.clock())) {
    for (const row of page) {
      const { amount, fee, net } = row.settlement;
      sums = {
        recorded: plus(sums.recorded, row.recorded),
        stated: plus(sums.stated, row.stated),
        difference: plus(sums.difference, row.difference),
        settlement: {
          amount: plus(sums.settlement.amount, amount),
          fee: plus(sums.settlement.fee, fee),
          net: plus(sums.settlement.net, net),
        },
      };
      if (row.state === 'open' || row.state === 'unmatched') open += 1;
      if (isShown(row)) rows.push(row);
    }
  }
  rows.sort((one, other) => rankOf(one) - rankOf(other) || (one.at < other.at ? 1 : -1));
  const { until, problem } = (await shop.handler.load(readingDecider, READER)).state;
  return {
    ...sums,
    open,
    reading: { until, problem },
    rows: rows.slice(0, MAX_ROWS),
    isWhole: rows.length <= MAX_ROWS,
  };
}

const getLedger = defineRoute({
  method: 'GET',
  path: '/ledger',
  summary:
    'Returns the money of a period of days (Asia/Dhaka), by order: what the shop recorded, what Stripe states, and where they differ. Rows that differ come first',
  access: 'admin',
  query: ledgerQuerySchema,
  answer: { status: 200, schema: ledgerSchema },
  async serve(shop, { query }) {
    const { from, to, show } = query;
    const isShown = (row: LedgerRow) => show === 'all' || row.state === 'open' || row.state === 'unmatched';
    const key = `${from} ${to} ${show}`;
    return { body: await cachedLedger(shop, key, () => ledgerOf(shop, periodOf(query), isShown)) };
  },
});

const getPeriods = defineRoute({
  method: 'GET',
  path: '/ledger/periods',
  summary: 'Sums up what Stripe states, by day or by month (Asia/Dhaka), from `from` to `to`',
  access: 'admin',
  query: ledgerPeriodsQuerySchema,
  answer: { status: 200, schema: z.array(ledgerPeriodSchema) },
  async serve(shop, { query }) {
    const { from, to, by } = query;
    const read = async () => {
      await shop.readYourWrites.caughtUp('balance');
      const periods = createPeriods((time) => dayOf(Date.parse(time)).slice(0, by === 'month' ? 7 : 10));
      const { readModels } = shop;
      const period = periodOf(query);
      const pages = pagesOf(readModels, balancesBetween(period.from, period.to), ({ createdAt }) => createdAt);
      for await (const page of pages) page.forEach(periods.add);
      return periods.list();
    };
    return { body: await cachedPeriods(shop, `${from} ${to} ${by}`, read) };
  },
});

const HEAD =
  'day (Asia/Dhaka),order,state,currency,recorded,stated,difference,settlement currency,settled,fee,net,payment,causes,note'.split(
    ',',
  );

/** Returns the currencies of some amounts, in alphabetical order. */
const currenciesOf = (...all: readonly Amounts[]) =>
  [...new Set(all.flatMap((amounts) => Object.keys(amounts)))].sort();

/** Returns an amount for a spreadsheet, in whole units of its currency, or '' if there is no such currency. */
const inUnits = (amounts: Amounts, currency: string | undefined): number | '' =>
  currency === undefined ? '' : (amounts[currency] ?? 0) / 10 ** digitsOf(currency);

/**
 * Returns a row's lines of the CSV file. Amounts are plain numbers with their currency in a column of its own, so that a
 * spreadsheet can sum them up. A row with several currencies has a line for each.
 */
function linesOfRow(row: LedgerRow): string {
  const { at, order, state, recorded, stated, difference, settlement, intent, causes, note } = row;
  const shown = currenciesOf(recorded, stated, difference);
  const settled = currenciesOf(settlement.amount, settlement.fee, settlement.net);
  const why = causes.map(({ cause, movement, about }) => `${movement} ${about}: ${cause}`).join('; ');
  return Array.from({ length: Math.max(1, shown.length, settled.length) }, (_, index) => {
    const [ours, theirs] = [shown[index], settled[index]];
    return csvLine([
      dayOf(Date.parse(at)),
      order?.number ?? '',
      state,
      ours ?? '',
      ...[recorded, stated, difference].map((amounts) => inUnits(amounts, ours)),
      theirs ?? '',
      ...[settlement.amount, settlement.fee, settlement.net].map((amounts) => inUnits(amounts, theirs)),
      intent ?? '',
      why,
      note,
    ]);
  }).join('');
}

async function* linesOf(shop: ApiDependencies, period: Period): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  for await (const page of ledgerRows(sourceOf(shop), period, shop.clock())) {
    yield page.map(linesOfRow).join('');
  }
}

const exportLedger = defineRoute({
  method: 'GET',
  path: '/ledger/export',
  summary: 'Exports the ledger of a period of days as CSV',
  access: 'admin',
  query: ledgerQuerySchema,
  answer: { status: 200, mediaType: 'text/csv; charset=utf-8' },
  async serve(shop, { query }) {
    await shop.readYourWrites.caughtUp('balance');
    const name = `micro-center-ledger-${query.from}-${query.to}.csv`;
    return {
      headers: { 'Content-Disposition': `attachment; filename="${name}"` },
      body: linesOf(shop, periodOf(query)),
    };
  },
});

const setAside = defineRoute({
  method: 'PUT',
  path: '/ledger/:id/aside',
  summary:
    'Notes what money without an order is, so that it no longer counts as unmatched. An empty note takes that back',
  access: 'admin',
  body: asideSchema,
  target: documentTarget('balance'),
  answer: { status: 200, schema: updatedSchema },
  async serve(shop, exchange) {
    const { params, body } = exchange;
    const meta = commandMeta(shop, exchange, 'aside');
    return updated(await shop.handler.execute(balanceDecider, params.id, { type: 'SetBalanceAside', ...body }, meta));
  },
});

export const ledgerRoutes: readonly Route[] = [getLedger, getPeriods, exportLedger, setAside];
