import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, liveList, takePushes } from './follow.ts';
import { openStore, review } from './live-store.fixture.ts';
import { lookAt } from './paging.ts';
import { createPushQueue, type PushQueue } from './push-queue.ts';
import type { Push } from './views.ts';

let taken: string[][];
let queue: PushQueue;
let visibility: 'visible' | 'hidden';
beforeEach(() => {
  vi.useFakeTimers();
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  taken = [];
  queue = createPushQueue((pushes) => taken.push(pushes.map(({ id, version }) => `${id}@${version}`)));
});
afterEach(() => {
  queue.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function turn(to: 'visible' | 'hidden') {
  visibility = to;
  document.dispatchEvent(new Event('visibilitychange'));
}
const pushOf = (id: string, version: number, kind: 'order' | 'review' = 'review'): Push =>
  ({ kind, id, version, view: null }) as Push;
const add = (...pushes: [id: string, version: number][]) => {
  for (const [id, version] of pushes) queue.add(pushOf(id, version));
};

it('LIVE1 the push queue applies only the newest push of each document, once per frame', () => {
  add(['a', 2], ['b', 1], ['a', 3], ['a', 1]);
  queue.add(pushOf('a', 1, 'order'));
  expect(taken).toEqual([]);
  vi.advanceTimersToNextFrame();
  expect(taken).toEqual([['a@3', 'b@1', 'a@1']]);
  vi.advanceTimersToNextFrame();
  expect(taken).toHaveLength(1);
});

it('LIVE1 pushes are applied once a second while the page is hidden, and immediately when it is shown again', () => {
  turn('hidden');
  add(['a', 1]);
  vi.advanceTimersByTime(999);
  expect(taken).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual([['a@1']]);
  add(['a', 2]);
  turn('visible');
  expect(taken).toEqual([['a@1'], ['a@2']]);
});

it('LIVE1 a push of a document that is not on the screen requests no animation frame, and is applied together with the next push that does, or after a second at the latest', () => {
  queue.close();
  const take = vi.fn();
  queue = createPushQueue(take, ({ kind }) => kind === 'order');
  queue.add(pushOf('a', 1));
  vi.advanceTimersToNextFrame();
  expect(take).not.toHaveBeenCalled();
  queue.add(pushOf('b', 1, 'order'));
  vi.advanceTimersToNextFrame();
  expect(take).toHaveBeenLastCalledWith([pushOf('a', 1), pushOf('b', 1, 'order')]);
  queue.add(pushOf('c', 1));
  vi.advanceTimersByTime(1000);
  expect(take).toHaveBeenLastCalledWith([pushOf('c', 1)]);
  vi.advanceTimersByTime(2000);
  expect(take).toHaveBeenCalledTimes(2);
});

it('LIVE1 no push is lost if the page is hidden before the next frame', () => {
  add(['a', 1]);
  turn('hidden');
  expect(taken).toEqual([['a@1']]);
});

it('clearing the push queue drops all pushes that are still queued', () => {
  add(['a', 1]);
  queue.clear();
  vi.advanceTimersByTime(2000);
  expect(taken).toEqual([]);
});

it('LIVE1 each push is applied exactly once, either in a frame or when the page is hidden or shown', () => {
  add(['a', 1]);
  turn('hidden');
  add(['b', 1]);
  // The frame that was requested for the first push must not apply the second push early.
  vi.advanceTimersToNextFrame();
  expect(taken).toEqual([['a@1']]);
  turn('visible');
  add(['c', 1]);
  vi.advanceTimersToNextFrame();
  expect(taken).toEqual([['a@1'], ['b@1'], ['c@1']]);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['visible', 'visible'],
  ['hidden', 'hidden'],
] as const)(
  'LIVE1 a push queue that is closed while its page is %s leaves no timer running and applies no more pushes',
  (_, seen) => {
    turn(seen);
    add(['a', 1]);
    queue.close();
    expect(vi.getTimerCount()).toBe(0);
    turn(seen === 'hidden' ? 'visible' : 'hidden');
    vi.advanceTimersByTime(2000);
    expect(taken).toEqual([]);
  },
);

it('LIVE1 LIVE2 after an hour of pushes, a hidden page that shows no live data keeps only a limited number of pushes in memory', async () => {
  turn('hidden');
  const { store, view } = openStore();
  const hour = createPushQueue((pushes) => void store.dispatch(takePushes(pushes)));
  for (let second = 1; second <= 3600; second += 1) {
    for (let n = 0; n < 20; n += 1) {
      const id = `r${n}`;
      hour.add({ kind: 'review', id, version: second, view: review(id, n, second) });
    }
    hour.add({ kind: 'review', id: `gone ${second}`, version: 1, view: null });
    vi.advanceTimersByTime(1000);
  }
  const { known, changed } = store.getState().views;
  expect(known.review.pushes.size).toBeLessThanOrEqual(2001);
  expect(known.review.pushes.get('r7')).toMatchObject({ version: 3600, view: { version: 3600 } });
  expect(view('r7')).toBeUndefined();
  expect(Object.keys(changed)).toEqual([]);
  hour.close();
});

it("LIVE1 LIVE2 LIST1 after an hour of pushes to a hidden page, the list on the page is correct, and only the list's rows are in memory", {
  timeout: 60_000,
}, async () => {
  const opened = openStore();
  const shop: ReviewView[] = [];
  const newest = (count: number) => shop.slice(-count).reverse();
  vi.stubGlobal('fetch', async () => {
    const headers = { link: '</reviews?cursor=x>; rel="next"' };
    return new Response(JSON.stringify(newest(200)), { headers });
  });
  const hour = createPushQueue((pushes) => void opened.store.dispatch(takePushes(pushes)));
  const pushed = (view: ReviewView) => hour.add({ kind: 'review', id: view._id, version: view.version, view });
  const list = liveList('review', '/reviews', () => true);
  const shards = () => opened.store.getState().views.known.review.views;
  const held = () => shards().reduce((sum, shard) => sum + Object.keys(shard).length, 0);
  opened.store.dispatch(follow(list));
  opened.store.dispatch(lookAt(list.path, 200));
  turn('hidden');
  let most = 0;
  for (let second = 0; second < 3600; second += 1) {
    for (let n = 0; n < 5; n += 1) {
      shop.push(review(`r${second * 5 + n}`, second * 5 + n));
      pushed(shop.at(-1) as ReviewView);
    }
    const [gone, ...changed] = newest(50).filter((_, index) => index % 10 === 9);
    if (gone !== undefined) {
      shop.splice(shop.lastIndexOf(gone), 1);
      hour.add({ kind: 'review', id: gone._id, version: gone.version + 1, view: null });
    }
    for (const view of changed) {
      const later = { ...view, version: view.version + 1 };
      shop[shop.lastIndexOf(view)] = later;
      pushed(later);
    }
    await vi.advanceTimersByTimeAsync(1000);
    most = Math.max(most, held());
  }
  turn('visible');
  const rows = opened.rows(list.path) ?? [];
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(rows).toEqual(newest(rows.length).map(({ _id, version }) => `${_id}@${version}`));
  expect(most).toBeLessThanOrEqual(1210);
  expect(held()).toBe(rows.length);
  hour.close();
  vi.unstubAllGlobals();
});
