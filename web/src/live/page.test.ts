import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFirstConnection } from './first-connection.ts';
import { follow, liveList, unfollow } from './follow.ts';
import { openStore, review } from './live-store.fixture.ts';
import type { Page } from './page.ts';

/** A page whose time passes only when the test says so. */
function createPage() {
  const timers = new Set<{ at: number; callback: () => void }>();
  let now = 1;
  const page: Page = {
    schedule(delay, callback) {
      const timer = { at: now + delay, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    isHidden: () => false,
    now: () => now,
  };
  async function pass(milliseconds: number): Promise<void> {
    now += milliseconds;
    const due = [...timers].filter(({ at }) => at <= now);
    for (const timer of due) timers.delete(timer);
    for (const { callback } of due) callback();
    await new Promise(setImmediate);
  }
  return { page, pass };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('LIVE1 LIVE2 pages with clocks of their own wait, highlight and forget independently, and start no timer in the browser', async () => {
  let fetches = 0;
  vi.stubGlobal('fetch', async () => {
    fetches += 1;
    return new Response(JSON.stringify([review('a', 1)]));
  });
  const list = liveList('review', '/reviews', () => true);
  const [one, other] = [createPage(), createPage()].map(({ page, pass }) => {
    const first = createFirstConnection(page);
    first.close();
    const opened = openStore({ page, first });
    opened.store.dispatch(follow(list));
    return { pass, first, ...opened };
  });
  await one?.pass(399);
  await other?.pass(400);
  await vi.waitFor(() => expect([one?.rows(), other?.rows()]).toEqual([undefined, ['a@1']]));
  one?.first.open();
  await vi.waitFor(() => expect(one?.rows()).toEqual(['a@1']));
  expect(fetches).toBe(2);

  const highlighted = () => [one, other].map((page) => Object.keys(page?.store.getState().views.changed ?? {}));
  one?.push(review('b', 2));
  other?.push(review('b', 2));
  await one?.pass(1_000);
  expect(highlighted()).toEqual([[], ['b']]);

  for (const page of [one, other]) page?.store.dispatch(unfollow(list.path));
  await one?.pass(60_000);
  expect([one?.listAt(list.path), other?.rows()]).toEqual([undefined, ['b@1', 'a@1']]);
  expect(vi.getTimerCount()).toBe(0);
});

it('LIVE2 a page with requests of its own reads through them, and waits between two attempts as they say', async () => {
  const { page } = createPage();
  const asked: (string | null)[] = [];
  const waits: number[] = [];
  const answers = [
    { status: 503, body: {} },
    { status: 200, body: [review('a', 1)] },
  ];
  const { store, rows } = openStore({
    page,
    first: createFirstConnection(page),
    async send({ path }, token) {
      asked.push(path, token);
      const { status, body } = answers.shift() ?? { status: 500, body: {} };
      const headers = { get: () => null };
      return { status, ok: status === 200, headers, text: async () => JSON.stringify(body) };
    },
    backoff: async (attempt) => void waits.push(attempt),
  });
  store.dispatch(follow(liveList('review', '/reviews', () => true)));
  await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
  expect(asked).toEqual(['/reviews?sort=newest&limit=200', null, '/reviews?sort=newest&limit=200', null]);
  expect(waits).toEqual([1]);
});
