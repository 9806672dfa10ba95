import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { Draft } from '@reduxjs/toolkit';
import { nanoid } from '@reduxjs/toolkit';
import { useCallback, useRef } from 'react';
import { shopApi, useAppDispatch } from '../api/shop-api.ts';
import { appendPage, askForPage, type FetchedRows, giveUpPage, type LiveList } from './apply-push.ts';
import { type BaseQuery, fetchRows } from './fetch-rows.ts';
import { replacing } from './replacing.ts';

/** Rows of each page after the first. */
const PAGE_ROWS = 500;

const pagesApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** One further page of a list, at the path that the page before has named; each `request` is a call of its own. */
    fetchPage: build.query<FetchedRows<Views[ViewKind]>, { kind: ViewKind; path: string; request: string }>({
      async queryFn({ kind, path }, _api, _extra, baseQuery) {
        const answer = await fetchRows(kind, withLimit(path, PAGE_ROWS), () => 0, baseQuery as BaseQuery);
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
  /** why the next page failed to load; null otherwise */
  error: unknown;
  /** loads the next page; does nothing while one is loading */
  load: () => void;
  /** reports how many rows from the top are needed, so that a refetch loads no more */
  reportDepth: (depth: number) => void;
}

/** Paging of the cached list that `update` changes. Its state is kept in that list. */
export function usePaging<K extends ViewKind>(
  kind: K,
  list: LiveList<Views[K]> | undefined,
  update: UpdateList<LiveList<Views[K]>>,
): Paging {
  type List = LiveList<Views[K]>;
  const dispatch = useAppDispatch();
  const latest = useRef(update);
  latest.current = update;

  const load = useCallback(async () => {
    const update = latest.current;
    const change = (to: (list: List) => List) => update(replacing<List>(to));
    const request = nanoid();
    let path: string | null = null;
    change((now) => {
      const asking = askForPage(now, request);
      if (asking !== now) path = now.next;
      return asking;
    });
    if (path === null) return;
    const fetching = pagesApi.endpoints.fetchPage.initiate({ kind, path, request }, { subscribe: false });
    const { data, error } = await dispatch(fetching);
    const page = data as FetchedRows<Views[K]> | undefined;
    change((now) => (page === undefined ? giveUpPage(now, request, error) : appendPage(now, request, page)));
  }, [kind, dispatch]);
  const reportDepth = useCallback((depth: number) => {
    latest.current(replacing<List>((now) => (now.depth === depth ? now : { ...now, depth })));
  }, []);
  const { next = null, asked = null, pageError = null } = list ?? {};
  return { more: next !== null, loading: asked !== null, error: pageError, load, reportDepth };
}
