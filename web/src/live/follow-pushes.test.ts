import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { configureStore } from '@reduxjs/toolkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shopApi } from '../api/shop-api.ts';
import type { LiveList } from './apply-push.ts';
import { FIRST_ROWS, liveAnswer, liveEntry, liveList } from './follow-pushes.ts';
import { heldFetch } from './held-fetch.fixture.ts';
import { liveSlice } from './live-slice.ts';
import { createPushHub } from './push-hub.ts';
import { refetch } from './refetch.ts';

const hub = createPushHub();
const api = shopApi.injectEndpoints({
  endpoints: (build) => ({
    testList: build.query<LiveList<ReviewView>, number>(
      liveList('review', { path: () => '/reviews', fits: (view, least: number) => view.ratings >= least }, hub),
    ),
    testEntry: build.query<ReviewView, string>(
      liveEntry('review', { id: (id: string) => id, path: (id) => `/reviews/${id}` }, hub),
    ),
    testAnswer: build.query<number[], string>({
      ...liveAnswer<string>('review', { tag: (id) => `steps/${id}`, concerns: (push, id) => push.id === id }, hub),
      query: (id) => `/reviews/${id}/steps`,
    }),
    testCommand: build.mutation<unknown, void>({ query: () => ({ path: '/reviews', method: 'POST', body: {} }) }),
  }),
});

function review(id: string, minute: number, version = 1, ratings = 5): ReviewView {
  const postedAt = `2026-01-01T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00.000Z`;
  return { _id: id, name: 'Case', ratings, username: 'Rahim', description: 'Good', postedAt, version };
}

function newStore() {
  return configureStore({
    reducer: { shopApi: shopApi.reducer, live: liveSlice.reducer, session: () => ({ token: null }) },
    middleware: (defaults) => defaults().concat(shopApi.middleware),
  });
}

const push = (view: ReviewView) => hub.publish({ kind: 'review', id: view._id, version: view.version, view });
const gone = (id: string, version: number) => hub.publish({ kind: 'review', id, version, view: null });

let store: ReturnType<typeof newStore>;
let net: ReturnType<typeof heldFetch>;
beforeEach(() => {
  store = newStore();
  net = heldFetch();
});
afterEach(() => {
  store.dispatch(shopApi.util.resetApiState());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const rows = (least = 0) =>
  api.endpoints.testList
    .select(least)(store.getState())
    .data?.items.map((view) => `${view._id}@${view.version}`);
const catchUp = () => refetch(store.dispatch);

describe('a list that follows pushes', () => {
  it('LIVE2 keeps a push that overtakes the first answer, and drops one that the answer already holds', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    const first = await net.call(0);
    push(review('a', 1, 3));
    push(review('b', 2, 1));
    push(review('c', 3, 1));
    gone('d', 2);
    first.answer([review('d', 4, 1), review('c', 3, 5), review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['c@5', 'b@1', 'a@3']));
  });

  it('LIVE2 refetches after a reconnect and merges what was pushed while the answer was on its way', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    catchUp();
    const second = await net.call(1);
    push(review('c', 3, 1));
    push(review('a', 1, 7));
    expect(rows()).toEqual(['c@1', 'a@7']);
    second.answer([review('b', 2), review('a', 1, 6)]);
    await vi.waitFor(() => expect(rows()).toEqual(['c@1', 'b@1', 'a@7']));
  });

  it('LIVE2 fetches again where it reconnects while a fetch is still on its way', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    const first = await net.call(0);
    catchUp();
    first.answer([review('a', 1, 1)]);
    (await net.call(1)).answer([review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@2']));
    expect(net.calls).toHaveLength(2);
  });

  it('U3 LIVE2 does not wait for another fetch that hangs, nor for a command', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer([review('a', 1, 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    const asked = net.calls.length;
    store.dispatch(api.endpoints.testEntry.initiate('hangs'));
    store.dispatch(api.endpoints.testCommand.initiate());
    await net.call(asked + 1);
    catchUp();
    const again = await net.call(asked + 2);
    expect(again.path).toBe(`/reviews?sort=newest&limit=${FIRST_ROWS}`);
    again.answer([review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@2']));
  });

  it('U3 LIVE2 asks each of several lists once more that were being fetched, and then rests', async () => {
    for (const least of [0, 1, 2]) store.dispatch(api.endpoints.testList.initiate(least));
    for (const least of [0, 1, 2]) await net.call(least);
    catchUp();
    catchUp();
    for (const first of [0, 1, 2]) (await net.call(first)).answer([review('a', 1, 1)]);
    for (const second of [3, 4, 5]) (await net.call(second)).answer([review('a', 1, 2)]);
    await vi.waitFor(() => expect([0, 1, 2].map(rows)).toEqual([['a@2'], ['a@2'], ['a@2']]));
    expect(net.calls).toHaveLength(6);
  });

  it('LIVE1 remembers over a refetch what had left', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer([review('a', 1, 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    gone('a', 3);
    catchUp();
    (await net.call(1)).answer([]);
    await vi.waitFor(() => expect(rows()).toEqual([]));
    push(review('a', 1, 2));
    expect(rows()).toEqual([]);
  });

  it('LIVE2 keeps what is on the screen when a refetch fails, and tries again by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer([review('a', 1, 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    catchUp();
    for (let failed = 1; failed <= 4; failed += 1) {
      await vi.waitFor(() => expect(net.calls.length).toBeGreaterThan(failed), { timeout: 15_000 });
      (await net.call(failed)).answer({}, 503);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    push(review('b', 2, 1));
    expect(rows()).toEqual(['b@1', 'a@1']);
    await vi.advanceTimersByTimeAsync(10_000);
    (await net.call(5)).answer([review('b', 2, 1), review('a', 1, 9)]);
    await vi.waitFor(() => expect(rows()).toEqual(['b@1', 'a@9']));
  });

  it('LIST1 refetches the loaded window alone, over as many pages as it takes', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => review(`r${from - i}`, from - i));
    store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer(page(900, FIRST_ROWS), 200, '</reviews?cursor=one>; rel="next"');
    await vi.waitFor(() => expect(rows()).toHaveLength(FIRST_ROWS));
    push(review('new', 901));
    push(review('old', 3));
    expect(rows()?.[0]).toBe('new@1');
    expect(rows()).toHaveLength(FIRST_ROWS + 1);
    catchUp();
    const again = await net.call(1);
    expect(again.path).toBe(`/reviews?sort=newest&limit=${FIRST_ROWS + 1}`);
    again.answer(page(900, 100), 200, '</reviews?cursor=two>; rel="next"');
    const rest = await net.call(2);
    expect(rest.path).toBe('/reviews?cursor=two');
    rest.answer(page(800, 101), 200, '</reviews?cursor=three>; rel="next"');
    await vi.waitFor(() => expect(rows()).toHaveLength(FIRST_ROWS + 1));
    expect(net.calls).toHaveLength(3);
  });

  it('LIST1 refetches no deeper than the screen looks, and goes on from there', async () => {
    store.dispatch(api.endpoints.testList.initiate(0));
    const rowsFrom = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => review(`r${from - i}`, from - i));
    (await net.call(0)).answer(rowsFrom(1400, 1300));
    await vi.waitFor(() => expect(rows()).toHaveLength(1300));
    store.dispatch(api.util.updateQueryData('testList', 0, (list) => ({ ...list, depth: 500 })));
    catchUp();
    const again = await net.call(1);
    expect(again.path).toBe('/reviews?sort=newest&limit=500');
    again.answer(rowsFrom(1400, 500), 200, '</reviews?cursor=deep>; rel="next"');
    await vi.waitFor(() => expect(rows()).toHaveLength(500));
    expect(api.endpoints.testList.select(0)(store.getState()).data).toMatchObject({
      next: '/reviews?cursor=deep',
      end: { id: 'r901' },
      depth: 500,
    });
  });

  it('LIST1 takes and leaves rows by its own filter', async () => {
    store.dispatch(api.endpoints.testList.initiate(4));
    (await net.call(0)).answer([review('a', 1, 1, 5)]);
    await vi.waitFor(() => expect(rows(4)).toEqual(['a@1']));
    push(review('b', 2, 1, 3));
    push(review('a', 1, 2, 2));
    expect(rows(4)).toEqual([]);
    push(review('b', 2, 2, 4));
    expect(rows(4)).toEqual(['b@2']);
  });

  it('refuses an answer that is not a list of views, with a sentence', async () => {
    const asked = store.dispatch(api.endpoints.testList.initiate(0));
    (await net.call(0)).answer([{ _id: 'a' }]);
    const { error } = await asked;
    expect(error).toMatchObject({ problem: { title: expect.stringMatching(/^The shop answered/) } });
  });
});

describe('a single document that follows pushes', () => {
  const entry = () => api.endpoints.testEntry.select('a')(store.getState());

  it('LIVE1 shows the higher version, pushed before or after its answer', async () => {
    store.dispatch(api.endpoints.testEntry.initiate('a'));
    const first = await net.call(0);
    push(review('a', 1, 4));
    first.answer(review('a', 1, 3));
    await vi.waitFor(() => expect(entry().data?.version).toBe(4));
    push(review('a', 1, 2));
    push(review('b', 1, 9));
    expect(entry().data).toEqual(review('a', 1, 4));
  });

  it('LIVE1 asks again when its document leaves the lists, and does not go back', async () => {
    store.dispatch(api.endpoints.testEntry.initiate('a'));
    (await net.call(0)).answer(review('a', 1, 3));
    await vi.waitFor(() => expect(entry().data?.version).toBe(3));
    gone('a', 6);
    push(review('a', 1, 5));
    expect(entry().data?.version).toBe(3);
    (await net.call(1)).answer(review('a', 1, 6));
    await vi.waitFor(() => expect(entry().data?.version).toBe(6));
    gone('a', 6);
    expect(net.calls).toHaveLength(2);
  });
});

describe('an answer that is no view', () => {
  it('LIVE2 is asked for again when a push concerns it, and on a reconnect', async () => {
    store.dispatch(api.endpoints.testAnswer.initiate('a'));
    const steps = () => api.endpoints.testAnswer.select('a')(store.getState()).data;
    (await net.call(0)).answer([1]);
    await vi.waitFor(() => expect(steps()).toEqual([1]));
    push(review('b', 1, 2));
    expect(net.calls).toHaveLength(1);
    push(review('a', 1, 2));
    (await net.call(1)).answer([1, 2]);
    await vi.waitFor(() => expect(steps()).toEqual([1, 2]));
    catchUp();
    (await net.call(2)).answer([1, 2, 3]);
    await vi.waitFor(() => expect(steps()).toEqual([1, 2, 3]));
  });

  it('U3 LIVE2 is asked for once more when a push concerns it while it is being fetched', async () => {
    store.dispatch(api.endpoints.testAnswer.initiate('a'));
    const first = await net.call(0);
    push(review('b', 1, 2));
    push(review('a', 1, 2));
    first.answer([1]);
    (await net.call(1)).answer([1, 2]);
    const steps = () => api.endpoints.testAnswer.select('a')(store.getState()).data;
    await vi.waitFor(() => expect(steps()).toEqual([1, 2]));
    expect(net.calls).toHaveLength(2);
  });
});
