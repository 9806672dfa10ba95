import { useMemo } from 'react';
import { useDispatch } from 'react-redux';
import { fetchRows } from './fetch-rows.ts';
import { changed, type LiveDispatch, type LiveThunk, listAt, numbered } from './follow.ts';
import { takeRows } from './take-answers.ts';
import { type LiveList, patch } from './views.ts';

/** The number of rows in each page after the first. */
const PAGE_ROWS = 500;

/** A list's paging state, and the functions that load more rows. */
export interface Paging {
  /** whether there are more rows to load */
  more: boolean;
  loading: boolean;
  /** why the next page could not be loaded, or null */
  error: unknown;
  /** fetches the next page, unless a page is already being fetched */
  load: () => void;
  /** reports how many rows, counted from the top, the screen needs. This limits how many rows a refetch loads. */
  reportDepth: (depth: number) => void;
}

export function usePaging(list: LiveList | undefined): Paging {
  const dispatch = useDispatch<LiveDispatch>();
  const { path = '', rest = null, page = null, pageError = null } = list ?? {};
  const actions = useMemo(
    () => ({
      load: () => void dispatch(loadPage(path)),
      reportDepth: (depth: number) => void dispatch(lookAt(path, depth)),
    }),
    [dispatch, path],
  );
  return { more: rest !== null, loading: page !== null, error: pageError, ...actions };
}

export const lookAt = (path: string, depth: number) =>
  changed('looked at', (state) => patch<LiveList>(state, path, { depth }));

const loadPage =
  (path: string): LiveThunk<Promise<void>> =>
  async (dispatch, getState, extra) => {
    const list = listAt(getState().views, path);
    if (list === undefined || list.rest === null || list.page !== null) return;
    const page = dispatch(numbered('page asked', path, (number) => ({ page: number, pageError: null })));
    const answer = await fetchRows(list.kind, withLimit(list.rest.path, PAGE_ROWS), () => 0, {
      dispatch,
      getState,
      extra,
    });
    if (listAt(getState().views, path)?.page !== page) return;
    dispatch(
      changed('page answered', (state) =>
        'rows' in answer
          ? takeRows(state, path, answer.rows, 'page')
          : patch<LiveList>(state, path, { page: null, pageError: 'error' in answer ? answer.error : null }),
      ),
    );
  };

function withLimit(path: string, limit: number): string {
  const url = new URL(path, window.location.origin);
  url.searchParams.set('limit', String(limit));
  return `${url.pathname}${url.search}`;
}
