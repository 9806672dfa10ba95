import { describe, expect, it, vi } from 'vitest';
import { shopApi } from '../api/shop-api.ts';
import { FIRST_ROWS, forgetViews } from './follow.ts';
import { ALL, followedStore, least } from './followed.fixture.ts';
import { liveEntry } from './live-document.ts';
import { review } from './live-store.fixture.ts';
import { lookAt } from './paging.ts';

const api = shopApi.injectEndpoints({
  endpoints: (build) => ({
    sendReview: build.mutation<unknown, void>({ query: () => ({ path: '/reviews', method: 'POST', body: {} }) }),
  }),
});
const { net, opened, push, gone, rows, show, catchUp } = followedStore();

describe('a list that follows pushes', () => {
  it('LIVE2 a push that arrives before the first response is kept, unless the response has a newer version of the same document', async () => {
    show(ALL);
    const first = await net.call(0);
    push(review('a', 1, 3));
    push(review('b', 2, 1));
    push(review('c', 3, 1));
    gone('d', 2);
    first.answer([review('d', 4, 1), review('c', 3, 5), review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['c@5', 'b@1', 'a@3']));
  });

  it('LIVE2 after a reconnect, a list is refetched, and the response is merged with the pushes that arrived before it', async () => {
    show(ALL);
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

  it('LIVE2 a list is fetched again if the socket reconnects during a fetch', async () => {
    show(ALL);
    const first = await net.call(0);
    catchUp();
    first.answer([review('a', 1, 1)]);
    (await net.call(1)).answer([review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@2']));
    expect(net.calls).toHaveLength(2);
  });

  it('LIVE2 after a reconnect, a list is refetched at once, even while another fetch hangs and a command is pending', async () => {
    show(ALL);
    (await net.call(0)).answer([review('a', 1, 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    const asked = net.calls.length;
    show(liveEntry('review', 'hangs', '/reviews/hangs'));
    void opened.store.dispatch(api.endpoints.sendReview.initiate());
    await net.call(asked + 1);
    catchUp();
    const again = await net.call(asked + 2);
    expect(again.path).toBe(`/reviews?sort=newest&limit=${FIRST_ROWS}`);
    again.answer([review('a', 1, 2)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@2']));
  });

  it('LIVE2 each list is refetched exactly once, even if the socket reconnects twice while the lists are being fetched', async () => {
    for (const ratings of [0, 1, 2]) show(least(ratings));
    for (const asked of [0, 1, 2]) await net.call(asked);
    catchUp();
    catchUp();
    for (const first of [0, 1, 2]) (await net.call(first)).answer([review('a', 1, 1)]);
    for (const second of [3, 4, 5]) (await net.call(second)).answer([review('a', 1, 2)]);
    await vi.waitFor(() =>
      expect([0, 1, 2].map((ratings) => rows(least(ratings).path))).toEqual([['a@2'], ['a@2'], ['a@2']]),
    );
    expect(net.calls).toHaveLength(6);
  });

  it('LIVE2 LIVE3 after a change of user, a response to a request made for the previous user is dropped', async () => {
    show(ALL);
    const old = await net.call(0);
    opened.store.dispatch(forgetViews());
    show(ALL);
    const fresh = await net.call(1);
    const seen: unknown[] = [];
    opened.store.subscribe(() => seen.push(rows()));
    old.answer([review('of the last person', 5)]);
    await new Promise((resolve) => setImmediate(resolve));
    fresh.answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    expect(seen.filter((ids) => ids !== undefined)).toEqual([['a@1']]);
    expect(opened.view('of the last person')).toBeUndefined();
  });

  it('LIVE1 after a refetch, a push of an older version still does not bring back a row that had left the list', async () => {
    show(ALL);
    (await net.call(0)).answer([review('a', 1, 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    gone('a', 3);
    catchUp();
    (await net.call(1)).answer([]);
    await vi.waitFor(() => expect(rows()).toEqual([]));
    push(review('a', 1, 2));
    expect(rows()).toEqual([]);
  });

  it('LIVE2 if a refetch fails, the rows stay on the screen, and the refetch is retried automatically', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(ALL);
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

  it('LIST1 a refetch loads as many rows as were loaded before, using several pages if necessary', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => review(`r${from - i}`, from - i));
    show(ALL);
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

  it('LIST1 a refetch loads only as many rows as the screen needs, and the next page starts after the last of these rows', async () => {
    show(ALL);
    const rowsFrom = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => review(`r${from - i}`, from - i));
    (await net.call(0)).answer(rowsFrom(1400, 1300));
    await vi.waitFor(() => expect(rows()).toHaveLength(1300));
    opened.store.dispatch(lookAt(ALL.path, 500));
    catchUp();
    const again = await net.call(1);
    expect(again.path).toBe('/reviews?sort=newest&limit=500');
    again.answer(rowsFrom(1400, 500), 200, '</reviews?cursor=deep>; rel="next"');
    await vi.waitFor(() => expect(rows()).toHaveLength(500));
    expect(opened.listAt(ALL.path)).toMatchObject({
      rest: { path: '/reviews?cursor=deep', after: { id: 'r901' } },
      depth: 500,
    });
  });

  it('LIST1 when pushes arrive, a list adds and removes rows according to its own filter', async () => {
    show(least(4));
    (await net.call(0)).answer([review('a', 1, 1, 5)]);
    await vi.waitFor(() => expect(rows(least(4).path)).toEqual(['a@1']));
    push(review('b', 2, 1, 3));
    push(review('a', 1, 2, 2));
    expect(rows(least(4).path)).toEqual([]);
    push(review('b', 2, 2, 4));
    expect(rows(least(4).path)).toEqual(['b@2']);
  });

  it("a response that isn't a list of views is rejected with a readable message", async () => {
    show(ALL);
    (await net.call(0)).answer([{ _id: 'a' }]);
    const title = expect.stringMatching(/^The shop answered/);
    await vi.waitFor(() => expect(opened.listAt(ALL.path)?.error).toMatchObject({ problem: { title } }));
  });
});
