import { type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import {
  type Ledger,
  type LedgerPeriod,
  ledgerPeriodSchema,
  ledgerSchema,
} from '@micro-center/services/contracts/ledger/ledger.ts';
import * as z from 'zod/mini';
import { shopApi, withQuery } from '../../api/shop-api.ts';

/** A period of days in Dhaka, such as `2026-03-01`. Both days are included. */
export interface Days {
  from: string;
  to: string;
}

export interface LedgerView extends Days {
  show: 'open' | 'all';
}

const moneyApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    getLedger: build.query<Ledger, LedgerView>({
      query: ({ from, to, show }) => withQuery('/ledger', { from, to, show }),
      responseSchema: ledgerSchema,
      keepUnusedDataFor: 0,
    }),
    /** Sums by day or by month. A period without any money isn't in the result. */
    getPeriods: build.query<LedgerPeriod[], Days & { by: 'day' | 'month' }>({
      query: ({ from, to, by }) => withQuery('/ledger/periods', { from, to, by }),
      responseSchema: z.array(ledgerPeriodSchema),
      keepUnusedDataFor: 0,
    }),
    /**
     * Notes what money without an order is. An empty note takes that back. A retry changes nothing. The row is changed in
     * the cache, because the server may answer the next request from its own cache.
     */
    setAside: build.mutation<Updated, { id: string; note: string; view: LedgerView }>({
      query: ({ id, note }) => ({ path: `/ledger/${encodeURIComponent(id)}/aside`, method: 'PUT', body: { note } }),
      responseSchema: updatedSchema,
      async onQueryStarted({ id, note, view }, { dispatch, queryFulfilled }) {
        const done = await queryFulfilled.catch(() => null);
        if (done === null) return;
        const change = moneyApi.util.updateQueryData('getLedger', view, (ledger) => {
          const row = ledger.rows.find((one) => one.id === id);
          if (!row) return;
          const wasOpen = row.state === 'unmatched';
          row.note = note;
          row.state = note === '' ? 'unmatched' : 'aside';
          ledger.open += Number(row.state === 'unmatched') - Number(wasOpen);
        });
        dispatch(change);
      },
    }),
  }),
});

export const { useGetLedgerQuery, useGetPeriodsQuery, useSetAsideMutation } = moneyApi;

/** The path of the CSV file with all rows of a period. */
export const exportOf = ({ from, to }: Days): string => withQuery('/ledger/export', { from, to });
