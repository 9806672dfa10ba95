import { describe, expect, it, vi } from 'vitest';
import { unreachable } from '../api/problem.ts';
import { firstConnection } from './first-connection.ts';
import { changed, takePushes, UNASKED, unfollow } from './follow.ts';
import { ALL, followedStore } from './followed.fixture.ts';
import { review } from './live-store.fixture.ts';
import { lookAt } from './paging.ts';
import { type LiveAnswer, patch } from './views.ts';

const { net, opened, push, gone, rows, show, catchUp } = followedStore();

describe('fetches and refetches', () => {
  const etag = (tag: string) => ({ etag: tag });

  it("LIVE2 a refetch sends the ETag of the list's rows, and a 304 leaves the rows as they are", async () => {
    show(ALL);
    const first = await net.call(0);
    expect(first.headers.has('if-none-match')).toBe(false);
    first.answer([review('a', 1)], 200, undefined, etag('W/"one"'));
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    push(review('a', 1, 2));
    catchUp();
    const second = await net.call(1);
    expect(second.headers.get('if-none-match')).toBe('W/"one"');
    push(review('a', 1, 3));
    second.answer(null, 304);
    await vi.waitFor(() => expect(opened.listAt(ALL.path)?.request).toBeNull());
    expect(rows()).toEqual(['a@3']);
    expect(opened.listAt(ALL.path)?.etag).toBe('W/"one"');
  });

  it('LIVE2 if a list is dropped while its fetch is waiting for the first connection, that fetch is never sent', async () => {
    firstConnection.close();
    show(ALL);
    opened.store.dispatch(changed('let go', (state) => ({ ...state, followed: {} })));
    firstConnection.open();
    show(ALL);
    (await net.call(0)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    expect(net.calls).toHaveLength(1);
  });

  it('LIVE2 a refetch sends no ETag if a push has added a row, because a 304 would keep that row even if it has left the list since', async () => {
    show(ALL);
    (await net.call(0)).answer([review('a', 1)], 200, undefined, etag('W/"one"'));
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    push(review('b', 2));
    catchUp();
    const second = await net.call(1);
    expect(second.headers.has('if-none-match')).toBe(false);
    second.answer([review('a', 1)], 200, undefined, etag('W/"one"'));
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
  });

  it('LIVE2 a refetch sends no ETag if a push added a row before the previous response arrived', async () => {
    show(ALL);
    const first = await net.call(0);
    push(review('b', 2));
    first.answer([review('a', 1)], 200, undefined, etag('W/"one"'));
    await vi.waitFor(() => expect(rows()).toEqual(['b@1', 'a@1']));
    catchUp();
    const second = await net.call(1);
    expect(second.headers.has('if-none-match')).toBe(false);
    second.answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
  });

  it('LIVE2 a refetch sends no ETag if pushes added one row and removed another before the previous response, leaving the row count the same', async () => {
    show(ALL);
    const first = await net.call(0);
    push(review('b', 2));
    gone('a', 2);
    first.answer([review('a', 1)], 200, undefined, etag('W/"one"'));
    await vi.waitFor(() => expect(rows()).toEqual(['b@1']));
    catchUp();
    const second = await net.call(1);
    expect(second.headers.has('if-none-match')).toBe(false);
    second.answer([review('b', 2)]);
    await vi.waitFor(() => expect(opened.listAt(ALL.path)?.request).toBeNull());
  });

  it('a list that no component shows is still updated by pushes for `keepFor` seconds, and is then dropped', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(ALL);
    (await net.call(0)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    opened.store.dispatch(unfollow(ALL.path));
    push(review('b', 2));
    show(ALL);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rows()).toEqual(['b@1', 'a@1']);
    opened.store.dispatch(unfollow(ALL.path));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rows()).toBeUndefined();
    expect(opened.view('a')).toBeUndefined();
    expect(net.calls).toHaveLength(1);
  });

  it('if a list is shown again and unmounted again, `keepFor` is measured from the last unmount', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(ALL);
    (await net.call(0)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    opened.store.dispatch(unfollow(ALL.path));
    await vi.advanceTimersByTimeAsync(30_000);
    show(ALL);
    await vi.advanceTimersByTimeAsync(20_000);
    opened.store.dispatch(unfollow(ALL.path));
    await vi.advanceTimersByTimeAsync(50_000);
    expect(rows()).toEqual(['a@1']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rows()).toBeUndefined();
  });

  it('LIVE2 a resource is retried only once per retry delay, however many of its fetches failed during an outage', async () => {
    vi.useFakeTimers();
    let asked = 0;
    const resource: LiveAnswer = {
      ...UNASKED,
      ...{ type: 'answer', kind: 'review', path: '/steps', data: [1], isOutdatedBy: () => false },
      ask: async () => {
        asked += 1;
        return (state) => patch(state, '/steps', { request: null, error: unreachable() });
      },
    };
    show(resource);
    for (let reconnects = 0; reconnects < 5; reconnects += 1) {
      await vi.advanceTimersByTimeAsync(1_500);
      catchUp();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(6);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(12);
  });

  it('LIVE2 a list that failed to load is fetched again when a component shows it again', async () => {
    show(ALL);
    (await net.call(0)).answer({}, 404);
    await vi.waitFor(() => expect(opened.store.getState().views.followed[ALL.path]?.error).not.toBeNull());
    opened.store.dispatch(unfollow(ALL.path));
    show(ALL);
    (await net.call(1)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
  });

  it('LIVE2 on a reconnect, a list that no component shows is dropped', async () => {
    show(ALL);
    (await net.call(0)).answer([review('a', 1)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    opened.store.dispatch(unfollow(ALL.path));
    catchUp();
    expect(rows()).toBeUndefined();
    expect(net.calls).toHaveLength(1);
  });

  it('LIST1 if a list grows by more than 1,000 rows while the page is hidden, it is refetched and keeps only the rows that the screen needs', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    show(ALL);
    (await net.call(0)).answer([review('a', 0)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@1']));
    opened.store.dispatch(lookAt(ALL.path, 200));
    const pushes = Array.from({ length: 1200 }, (_, n) => review(`r${n + 1}`, n + 1)).map((view) => {
      return { kind: 'review' as const, id: view._id, version: 1, view };
    });
    opened.store.dispatch(takePushes(pushes));
    const again = await net.call(1);
    expect(again.path).toBe('/reviews?sort=newest&limit=200');
    const newest = Array.from({ length: 200 }, (_, n) => review(`r${1200 - n}`, 1200 - n));
    again.answer(newest, 200, '</reviews?cursor=old>; rel="next"');
    await vi.waitFor(() => expect(rows()).toHaveLength(200));
    expect(opened.view('a')).toBeUndefined();
    vi.restoreAllMocks();
  });
});
