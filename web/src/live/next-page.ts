import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { Draft, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useCallback, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { shopApi } from '../api/shop-api.ts';
import { appendPage, awaitPage, type FetchedRows, giveUpPage, type LiveList } from './apply-push.ts';
import { type BaseQuery, fetchRows } from './fetch-rows.ts';
import { replacing } from './replacing.ts';

/** Rows of each page after the first. */
const PAGE_ROWS = 500;

const pagesApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** One further page of a list, at the path that the page before has named. */
    fetchPage: build.query<FetchedRows<Views[ViewKind]>, { kind: ViewKind; path: string }>({
      async queryFn({ kind, path }, _api, _extra, baseQuery) {
        const answer = await fetchRows(kind, withLimit(path, PAGE_ROWS), 0, baseQuery as BaseQuery);
        return answer.error !== undefined ? answer : { data: Object.freeze(answer.data) };
      },
      keepUnusedDataFor: 0,
      structuralSharing: false,
    }),
  }),
});

function withLimit(path: string, limit: number): string {
  const url = new URL(path, window.location.origin);
  url.searchParams.set('limit', String(limit));
  return `${url.pathname}${url.search}`;
}

/** Changes the cached list, as `dispatch(api.util.updateQueryData('listX', arg, recipe))` does. */
export type UpdateList<L extends LiveList> = (recipe: (draft: Draft<L>) => Draft<L>) => unknown;

/** How a list of any length is shown and loaded. */
export interface Paging {
  /** whether there are more rows than are loaded */
  more: boolean;
  loading: boolean;
  /** why the next page could not be had; null otherwise */
  error: unknown;
  /** fetches the next page, and that alone; does nothing while one is on its way */
  load: () => void;
  /** says how many rows from the top the screen needs, so that a refetch brings no more */
  lookAt: (depth: number) => void;
}

/** Pages of the cached list that `update` changes. */
export function usePaging<K extends ViewKind>(
  kind: K,
  list: LiveList<Views[K]> | undefined,
  update: UpdateList<LiveList<Views[K]>>,
): Paging {
  type List = LiveList<Views[K]>;
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const [error, setError] = useState<unknown>(null);
  const [loading, setLoading] = useState(false);
  const latest = useRef({ list, update, busy: false, appended: null as string | null });
  // A page that is in the cache is rendered a moment later: until then its path is not to be asked for again.
  const appended = list?.next === latest.current.appended ? latest.current.appended : null;
  latest.current = { ...latest.current, list, update, appended };

  const load = useCallback(async () => {
    const path = latest.current.list?.next ?? null;
    if (path === null || path === latest.current.appended || latest.current.busy) return;
    const { update } = latest.current;
    latest.current.busy = true;
    setLoading(true);
    setError(null);
    update(replacing<List>(awaitPage));
    const asked = { kind, path };
    const answer = await dispatch(
      pagesApi.endpoints.fetchPage.initiate(asked, { subscribe: false, forceRefetch: true }),
    );
    const page = answer.data as FetchedRows<Views[K]> | undefined;
    update(replacing<List>((now) => (page === undefined ? giveUpPage(now) : appendPage(now, path, page))));
    latest.current.busy = false;
    setLoading(false);
    if (page === undefined) setError(answer.error);
    else latest.current.appended = path;
  }, [kind, dispatch]);
  const lookAt = useCallback((depth: number) => {
    latest.current.update(replacing<List>((now) => (now.depth === depth ? now : { ...now, depth })));
  }, []);
  return { more: (list?.next ?? null) !== null, loading, error, load, lookAt };
}
