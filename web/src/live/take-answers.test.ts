import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { describe, expect, it } from 'vitest';
import { applyPushes } from './apply-pushes.ts';
import { liveList } from './follow.ts';
import { keyOf } from './list-order.ts';
import { liveEntry } from './live-document.ts';
import { takeDocuments, takeRows } from './take-answers.ts';
import type { AnyView } from './view-map.ts';
import {
  anything,
  apply,
  get,
  gone,
  good,
  JUST_NOW,
  list,
  listOf,
  mergeWindow,
  PATH,
  permutations,
  push,
  review,
  rows,
  shown,
} from './views.fixture.ts';
import { ENDED, hold, type LiveList, letMove, type Push, patch, type ViewsState } from './views.ts';

describe('a push after a response', () => {
  it('LIST1 a push updates the other lists even if the response for one list already contained the pushed version', () => {
    const other = { ...liveList('review', '/other', good), path: '/other', users: 1, ids: ['a'] };
    const state = listOf([review('a', 1)], {}, good);
    const two = { ...state, followed: { ...state.followed, '/other': other } };
    const answered = mergeWindow(two, [review('b', 2), review('a', 1, 2, 1)]);
    expect(shown(answered)).toEqual(['b@1']);
    const pushed = applyPushes(answered, [push(review('b', 2)), push(review('a', 1, 2, 1))]);
    expect(pushed.followed['/other']).toMatchObject({ ids: ['b'] });
    expect(shown(pushed)).toEqual(['b@1']);
    expect(get(pushed, 'b')).toBe(get(answered, 'b'));
  });
});

describe('refetching the loaded rows of a list', () => {
  it('LIVE2 a refetch keeps a pushed version that is newer than the one in the response', () => {
    const merged = mergeWindow(listOf([review('a', 1, 4)]), [review('b', 2, 1), review('a', 1, 3)]);
    expect(shown(merged)).toEqual(['b@1', 'a@4']);
  });

  it('LIVE2 a refetch brings back a row that was removed from the list only if the response has a newer version of that row', () => {
    const known = apply(listOf([review('a', 1, 1)]), [gone('a', 3)]);
    expect(shown(mergeWindow(known, [review('a', 1, 2)]))).toEqual([]);
    expect(shown(mergeWindow(known, [review('a', 1, 3)]))).toEqual([]);
    expect(shown(mergeWindow(known, [review('a', 1, 4)]))).toEqual(['a@4']);
  });

  it('LIVE2 a refetch drops the rows that are missing from the response, and rows that left earlier still cannot return in an older version', () => {
    const before = apply(listOf([review('a', 1), review('c', 0)]), [gone('c', 9)]);
    const merged = mergeWindow(before, [review('b', 2)]);
    expect(shown(merged)).toEqual(['b@1']);
    expect(get(merged, 'a')).toBeUndefined();
    expect(shown(apply(merged, [push(review('c', 3, 8))]))).toEqual(['b@1']);
  });

  it('LIVE2 a document that was pushed before any list contained it is shown once a response adds it to a list', () => {
    const seen = apply(listOf([], {}, good), [push(review('a', 1, 5, 1))]);
    const open = {
      ...seen,
      followed: { ...seen.followed, '/all': { ...liveList('review', '/all', anything), path: '/all' } },
    };
    const answered = takeRows(open, '/all', rows([review('a', 1, 5, 1)]), 'window');
    expect(answered.followed['/all']).toMatchObject({ ids: ['a'] });
  });

  it('LIVE2 a refetch highlights new and changed rows within the range loaded before, but not rows below that range', () => {
    const oldest = review('b', 2);
    const before = listOf([review('d', 4), oldest], { rest: { path: '/x', after: keyOf(oldest) } });
    const merged = mergeWindow(before, [review('e', 5), review('d', 4, 2), oldest, review('a', 1)]);
    expect(Object.keys(merged.changed).sort()).toEqual(['d', 'e']);
    expect(mergeWindow(listOf([], { ids: null }), [review('a', 1)]).changed).toEqual({});
  });
});

describe('rows held in place', () => {
  it('W1 a row held in place keeps its view until rows may move again, even if the list no longer contains the row', () => {
    const held = hold(listOf([review('b', 2), review('a', 1)]), PATH, 'review', ['b', 'a']);
    const without = mergeWindow(held, [review('b', 2)]);
    expect(shown(without)).toEqual(['b@1']);
    expect(get(without, 'a')).toBeDefined();
    expect(get(letMove(without, PATH), 'a')).toBeUndefined();
  });
});

describe('the next page of a list', () => {
  const NEXT = '/reviews?cursor=x';
  const windowOf = (items: ReviewView[], rest: Partial<LiveList> = {}) =>
    listOf(items, { rest: { path: NEXT, after: keyOf(items.at(-1) as ReviewView) }, ...rest });
  const appendPage = (state: ViewsState, views: AnyView[], rest = {}) =>
    takeRows(state, PATH, rows(views, rest), 'page');

  it('LIST1 the next page is added below the loaded rows and moves the end of the loaded range', () => {
    const oldest = review('c', 3);
    const waiting = windowOf([review('e', 5), review('d', 4)], { page: JUST_NOW });
    const grown = appendPage(waiting, [oldest], { next: '/reviews?cursor=y' });
    expect(shown(grown)).toEqual(['e@1', 'd@1', 'c@1']);
    expect(list(grown)).toMatchObject({ rest: { path: '/reviews?cursor=y', after: keyOf(oldest) }, page: null });
    expect(shown(apply(grown, [push(review('c', 3, 2)), push(review('a', 1))]))).toEqual(['e@1', 'd@1', 'c@2']);
  });

  it('LIVE2 no push is lost if it arrives while the next page is loading, whatever that page contains', () => {
    const pushes = [push(review('c', 3, 4)), push(review('b', 2, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(pushes)) {
      const waiting = apply(windowOf([review('d', 4)], { page: JUST_NOW }), order);
      const grown = appendPage(waiting, [review('c', 3, 2), review('a', 1, 1)]);
      expect(shown(grown)).toEqual(['d@1', 'c@4', 'b@1']);
    }
  });

  it('LIST1 the next page is added below the loaded rows even if a row was pushed during the request, and no row appears twice', () => {
    const waiting = apply(windowOf([review('d', 4)], { page: JUST_NOW }), [push(review('e', 5))]);
    expect(shown(appendPage(waiting, [review('c', 3)]))).toEqual(['e@1', 'd@1', 'c@1']);
  });

  it('LIST1 if the request for the next page fails, rows pushed below the loaded rows are not kept, and the retry loads them', () => {
    const waiting = apply(windowOf([review('d', 4)], { page: JUST_NOW }), [push(review('a', 1))]);
    expect(get(waiting, 'a')).toBeUndefined();
    const state = patch<LiveList>(waiting, PATH, { page: null, pageError: 'no answer' });
    expect(list(applyPushes(state, [push(review('b', 1))]))).toBe(list(state));
    const again = patch<LiveList>(state, PATH, { page: state.count });
    expect(shown(appendPage(again, [review('a', 1)]))).toEqual(['d@1', 'a@1']);
  });

  it('LIVE2 no push is lost even if thousands of pushes arrive while the next page is loading', () => {
    const pushes = Array.from({ length: 3000 }, (_, n) => push(review(`r${n}`, 1)));
    const waiting = pushes.reduce(
      (before, next) => applyPushes(before, [next]),
      windowOf([review('d', 4)], { page: JUST_NOW }),
    );
    expect(list(appendPage(waiting, [])).ids).toHaveLength(3001);
  });
});

describe('a single document', () => {
  const ENTRY = '/reviews/a';
  const entryOf = (view: ReviewView): ViewsState => {
    const state = listOf([]);
    const following = { ...state, followed: { [ENTRY]: liveEntry('review', 'a', ENTRY) } };
    return answered(following, view);
  };
  const answered = (state: ViewsState, view: ReviewView) =>
    patch(takeDocuments(state, 'review', [view]), ENTRY, { request: null });
  const version = (state: ViewsState) => get(state, 'a')?.version;
  const then = (state: ViewsState, next: Push) => applyPushes(state, [next]);

  it('LIVE1 a single document is updated only by pushes of higher versions of that document', () => {
    const state = entryOf(review('a', 1, 2));
    expect(version(then(state, push(review('a', 1, 3))))).toBe(3);
    expect(version(then(state, push(review('a', 1, 1))))).toBe(2);
    expect(get(then(state, push(review('b', 1, 9))), 'b')).toBeUndefined();
  });

  it('LIVE1 after a document has left the lists, its own page ignores versions from before the removal and shows newer versions', () => {
    const left = then(entryOf(review('a', 1, 2)), gone('a', 5));
    expect(version(left)).toBe(2);
    expect(version(then(left, push(review('a', 1, 4))))).toBe(2);
    expect(version(then(left, push(review('a', 1, 6))))).toBe(6);
    expect(version(answered(left, review('a', 1, 5)))).toBe(5);
    expect(version(answered(then(left, gone('a', ENDED)), review('a', 1, 6)))).toBe(6);
  });
});
