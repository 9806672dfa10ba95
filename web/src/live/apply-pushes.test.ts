import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { describe, expect, it } from 'vitest';
import { applyPushes } from './apply-pushes.ts';
import { liveList } from './follow.ts';
import { keyOf } from './list-order.ts';
import { liveEntry } from './live-document.ts';
import { viewChanges } from './view-map.ts';
import {
  apply,
  get,
  gone,
  good,
  list,
  listOf,
  mergeWindow,
  PATH,
  permutations,
  push,
  review,
  shown,
} from './views.fixture.ts';
import { drop, ENDED, hold, letMove, type ViewsState } from './views.ts';

describe('pushes', () => {
  it("LIVE1 a document's highest version wins, in whatever order and however often its versions are pushed", () => {
    const history = [
      push(review('a', 1, 2)),
      push(review('a', 1, 3)),
      push(review('b', 2, 1)),
      push(review('b', 2, 2)),
    ];
    for (const order of permutations(history)) {
      expect(shown(apply(listOf([review('a', 1, 1)]), [...order, ...order]))).toEqual(['b@2', 'a@3']);
    }
  });

  it('LIVE1 a push whose version is not newer changes neither the list nor the views', () => {
    const state = apply(listOf([review('a', 1, 3), review('b', 2, 1)]), [gone('b', 2)]);
    const pushes = [push(review('a', 1, 3)), push(review('a', 1, 2)), gone('a', 3), push(review('b', 1, 2))];
    for (const old of pushes) {
      const after = applyPushes(state, [old]);
      expect(list(after)).toBe(list(state));
      expect(after.known.review.views).toBe(state.known.review.views);
    }
  });

  it('LIVE1 a push of an older version never brings back a row that left the list, in whatever order the pushes arrive', () => {
    const history = [push(review('a', 1, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(history)) {
      expect(shown(apply(listOf([]), [...order, ...order]))).toEqual([]);
    }
  });

  it('LIVE1 a push of a later version brings back a row that had left the list', () => {
    const state = apply(listOf([review('a', 1, 1)]), [gone('a', 2), push(review('a', 1, 3))]);
    expect(shown(state)).toEqual(['a@3']);
  });

  it.each([
    ['an older push', (state: ViewsState, view: ReviewView) => apply(state, [push(view)])],
    ['a lagging response', (state: ViewsState, view: ReviewView) => mergeWindow(state, [view])],
  ])(
    'LIVE1 W1 a row that was held in place after it had left the list is not brought back later by %s',
    (_, overtake) => {
      const held = hold(listOf([review('a', 1, 1)], {}, good), PATH, 'review', ['a']);
      const left = letMove(apply(held, [push(review('a', 1, 3, 1))]), PATH);
      expect(get(left, 'a')).toBeUndefined();
      expect(shown(overtake(left, review('a', 1, 2, 5)))).toEqual([]);
      expect(shown(overtake(left, review('a', 1, 4, 5)))).toEqual(['a@4']);
    },
  );

  it('LIVE1 a push of an older version is ignored even if the page that showed the newer version has been closed', () => {
    const opened = listOf([], {}, good);
    const entry = liveEntry('review', 'a', '/reviews/a');
    const shows = { ...opened, followed: { ...opened.followed, [entry.path]: entry } };
    const left = drop(apply(shows, [push(review('a', 1, 3, 1))]), entry.path);
    expect(shown(apply(left, [push(review('a', 1, 2, 5))]))).toEqual([]);
  });

  it('LIVE1 a push never brings back a document that this client has deleted or cancelled, even in a newer version', () => {
    expect(shown(apply(listOf([review('a', 1, 1)]), [gone('a', ENDED), push(review('a', 1, 99))]))).toEqual([]);
  });

  it("LIST1 pushed views are sorted by their first event's time and then by id, newest or oldest first", () => {
    const arrivals = [review('b', 5), review('d', 7), review('a', 5), review('c', 5)].map(push);
    for (const order of permutations(arrivals)) {
      expect(shown(apply(listOf([]), order))).toEqual(['d@1', 'c@1', 'b@1', 'a@1']);
      expect(shown(apply(listOf([], { sort: 'oldest' }), order))).toEqual(['a@1', 'b@1', 'c@1', 'd@1']);
    }
  });

  it('LIST1 a pushed view is added to a partly loaded list only if it sorts before the last loaded row', () => {
    const oldest = review('m', 5);
    const state = listOf([review('z', 9), oldest], { rest: { path: '/reviews?cursor=x', after: keyOf(oldest) } });
    expect(shown(apply(state, [push(review('older', 4))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(state, [push(review('a', 5))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(state, [push(review('n', 5))]))).toEqual(['z@1', 'n@1', 'm@1']);
    expect(shown(apply(state, [push(review('newer', 10))]))).toEqual(['newer@1', 'z@1', 'm@1']);
  });

  it('LIST1 a pushed view is added to a partly loaded oldest-first list only if it sorts before the last loaded row', () => {
    const newest = review('m', 5);
    const state = listOf([review('b', 2), newest], {
      sort: 'oldest',
      rest: { path: '/reviews?cursor=x', after: keyOf(newest) },
    });
    expect(shown(apply(state, [push(review('newer', 6))]))).toEqual(['b@1', 'm@1']);
    expect(shown(apply(state, [push(review('n', 5))]))).toEqual(['b@1', 'm@1']);
    expect(shown(apply(state, [push(review('a', 5))]))).toEqual(['b@1', 'a@1', 'm@1']);
    expect(shown(apply(state, [push(review('older', 1))]))).toEqual(['older@1', 'b@1', 'm@1']);
    expect(
      shown(apply({ ...state, followed: { [PATH]: { ...list(state), rest: null } } }, [push(review('n', 6))])),
    ).toEqual(['b@1', 'm@1', 'n@1']);
  });

  it('LIST1 after the last loaded row has left the list, a pushed view can still be added at the end of the loaded rows', () => {
    const oldest = review('m', 5);
    const state = listOf([review('z', 9), oldest], { rest: { path: '/reviews?cursor=x', after: keyOf(oldest) } });
    expect(shown(apply(state, [gone('m', 2), push(review('m', 5, 3))]))).toEqual(['z@1', 'm@3']);
  });

  it("LIST1 a push removes a row that no longer matches the list's filter, and a later push adds the row again if it matches", () => {
    const left = apply(listOf([review('a', 1, 1, 5)], {}, good), [push(review('a', 1, 2, 3))]);
    expect(shown(left)).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 1, 5))]))).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 3, 4))]))).toEqual(['a@3']);
  });

  it("LIST1 a push of an older version does not add a row whose newer version does not match the list's filter", () => {
    const pushes = [push(review('a', 1, 2, 1)), push(review('a', 1, 1, 5))];
    expect(shown(apply(listOf([], {}, good), pushes))).toEqual([]);
  });

  it("LIST1 a push that matches no list's filter does not cause the loaded rows or the views to be copied", () => {
    const state = listOf([review('a', 1)], {}, good);
    const after = applyPushes(state, [push(review('b', 2, 1, 1))]);
    expect(list(after)).toBe(list(state));
    expect(after.known.review.views).toBe(state.known.review.views);
  });

  it('LIST1 a push updates every list that it affects, and these lists share one copy of the view', () => {
    const state = listOf([review('a', 1, 1, 5)]);
    const other = { ...liveList('review', '/good', good), path: '/good', ids: ['a'] };
    const two = { ...state, followed: { ...state.followed, '/good': other } };
    const after = applyPushes(two, [push(review('a', 1, 2, 2)), push(review('b', 2, 1, 5))]);
    expect(shown(after)).toEqual(['b@1', 'a@2']);
    expect(after.followed['/good']).toMatchObject({ ids: ['b'] });
    expect(get(drop(after, PATH), 'b')).toEqual(review('b', 2, 1, 5));
    expect(get(drop(after, PATH), 'a')).toBeUndefined();
  });
});

describe('a long list', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => ({
    ...review(String(1_000_000 - n), 0),
    postedAt: new Date(Date.UTC(2026, 0, 1) - n * 1000).toISOString(),
  }));
  const state = listOf(many);

  it('LIVE1 a push to a list of 100,000 rows replaces only the view of the row that was pushed', () => {
    const pushed = { ...(many[70_000] as ReviewView), version: 2 };
    const after = applyPushes(state, [push(pushed)]);
    expect(list(after)).toBe(list(state));
    expect(get(after, pushed._id)).toBe(pushed);
    expect(get(after, many[69_999]?._id ?? '')).toBe(many[69_999]);
    expect(viewChanges(state.known.review.views, after.known.review.views)).toEqual([
      { before: many[70_000], after: pushed },
    ]);
    expect(list(applyPushes(state, [gone(pushed._id, 2)])).ids).toHaveLength(99_999);
  });

  it('LIVE1 the client remembers only a limited number of removed documents, but never forgets those that it deleted or cancelled itself', () => {
    let after = applyPushes(listOf(many.slice(0, 500)), [gone('mine', ENDED)]);
    for (let n = 0; n < 3000; n += 1) after = applyPushes(after, [gone(`g${n}`, 2)]);
    const { pushes } = after.known.review;
    expect(pushes.size).toBeLessThanOrEqual(2001);
    expect(pushes.get('mine')?.version).toBe(ENDED);
    expect(pushes.get('g2999')?.version).toBe(2);
  });
});
