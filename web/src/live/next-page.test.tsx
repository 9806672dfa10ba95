import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveList, refetchLive } from './follow.ts';
import { heldFetch } from './held-fetch.fixture.ts';
import { openStore } from './live-store.fixture.ts';
import { lookAt, usePaging } from './paging.ts';
import { useLiveList } from './use-live.ts';

const search = (q: string) => liveList('review', `/reviews?q=${q}`, () => true);

const review = (number: number): ReviewView => ({
  _id: `r${String(number).padStart(5, '0')}`,
  name: 'Case',
  ratings: 5,
  username: 'Rahim',
  description: 'Good',
  postedAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  version: 1,
});
const rowsFrom = (newest: number, count: number) => Array.from({ length: count }, (_, n) => review(newest - n));
const SECOND = '</reviews?cursor=second>; rel="next"';
const THIRD = '</reviews?cursor=third>; rel="next"';

let opened: ReturnType<typeof openStore>;
let net: ReturnType<typeof heldFetch>;
beforeEach(() => {
  opened = openStore();
  net = heldFetch();
});
afterEach(() => vi.unstubAllGlobals());

const listOf = (q: string) => {
  const list = opened.listAt(search(q).path);
  return list && { ...list, items: list.ids?.map(opened.view) };
};
const catchUp = () => act(() => opened.store.dispatch(refetchLive()));

/** Shows the newest 200 of the 900 rows that a search for 'a' finds. */
async function showFirstRows() {
  const { result, rerender, unmount } = renderHook(({ q }) => usePaging(useLiveList(search(q)).list), {
    initialProps: { q: 'a' },
    wrapper: ({ children }) => <Provider store={opened.store}>{children}</Provider>,
  });
  (await net.call(0)).answer(rowsFrom(900, 200), 200, SECOND);
  await vi.waitFor(() => expect(listOf('a')?.items).toHaveLength(200));
  const load = () => act(() => result.current.load());
  return {
    list: () => listOf('a'),
    load,
    paging: () => result.current,
    search: (q: string) => rerender({ q }),
    unmount,
  };
}

describe('the next page of a list that is being refetched', () => {
  it('LIST1 if a refetch of the list finishes before the next page arrives, that page is dropped and can be requested again', async () => {
    const { list, load } = await showFirstRows();
    load();
    const page = await net.call(1);
    catchUp();
    (await net.call(2)).answer(rowsFrom(900, 200), 200, SECOND);
    await vi.waitFor(() => expect(list()?.request).toBeNull());
    load();
    const again = await net.call(3);
    page.answer(rowsFrom(700, 500), 200, THIRD);
    expect(again.path).toBe('/reviews?cursor=second&limit=500');
    again.answer(rowsFrom(700, 500), 200, THIRD);
    await vi.waitFor(() => expect(list()?.items).toEqual(rowsFrom(900, 700)));
    load();
    (await net.call(4)).answer(rowsFrom(200, 200));
    await vi.waitFor(() => expect(list()?.items).toEqual(rowsFrom(900, 900)));
  });

  it('LIST1 if the next page arrives while a refetch is in progress, its rows stay on the screen after the refetch', async () => {
    const { list, load } = await showFirstRows();
    load();
    const page = await net.call(1);
    catchUp();
    const refetch = await net.call(2);
    page.answer(rowsFrom(700, 500), 200, THIRD);
    await vi.waitFor(() => expect(list()?.items).toHaveLength(700));
    refetch.answer(rowsFrom(900, 200), 200, SECOND);
    (await net.call(3)).answer(rowsFrom(700, 500), 200, THIRD);
    await vi.waitFor(() => expect(list()?.request).toBeNull());
    expect(list()?.items).toEqual(rowsFrom(900, 700));
    load();
    const last = await net.call(4);
    expect(last.path).toBe('/reviews?cursor=third&limit=500');
  });

  it('LIST1 if a refetch drops the rows of a page, that page can be requested again with the same cursor', async () => {
    const { list, load } = await showFirstRows();
    load();
    (await net.call(1)).answer(rowsFrom(700, 500), 200, THIRD);
    await vi.waitFor(() => expect(list()?.items).toHaveLength(700));
    // The user has scrolled back to the top, so the screen needs only the first rows.
    act(() => void opened.store.dispatch(lookAt(search('a').path, 200)));
    catchUp();
    (await net.call(2)).answer(rowsFrom(900, 200), 200, SECOND);
    await vi.waitFor(() => expect(list()?.items).toHaveLength(200));
    load();
    expect((await net.call(3)).path).toBe('/reviews?cursor=second&limit=500');
  });
});

describe('paging through one search and then another', () => {
  it('LIST1 if a page of one search fails to load, other searches show no error, and the failed page can be requested again', async () => {
    const { list, load, paging, search } = await showFirstRows();
    load();
    (await net.call(1)).answer({}, 500);
    await vi.waitFor(() => expect(list()?.pageError).not.toBeNull());
    search('a');
    expect(paging()).toMatchObject({ more: true, loading: false, error: { status: 500 } });
    search('b');
    (await net.call(2)).answer(rowsFrom(900, 200), 200, SECOND);
    await vi.waitFor(() => expect(listOf('b')?.items).toHaveLength(200));
    expect(paging()).toMatchObject({ more: true, loading: false, error: null });
    search('a');
    load();
    (await net.call(3)).answer(rowsFrom(700, 500), 200, THIRD);
    await vi.waitFor(() => expect(list()?.items).toEqual(rowsFrom(900, 700)));
    search('a');
    expect(paging()).toMatchObject({ more: true, loading: false, error: null });
  });
});

it('LIVE2 on a reconnect, a list is dropped instead of refetched if the user has left its page', async () => {
  const { list, unmount } = await showFirstRows();
  unmount();
  catchUp();
  expect(list()).toBeUndefined();
  expect(net.calls).toHaveLength(1);
});
