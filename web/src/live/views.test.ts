import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { describe, expect, it } from 'vitest';
import { liveList, newRequest } from './follow.ts';
import { compareKeys, isBelow, keyOf, type Sort } from './list-order.ts';
import { liveEntry } from './live-document.ts';
import { takeDocuments, takeRows } from './take-answers.ts';
import { take } from './take-pushes.ts';
import { type AnyView, viewChanges, viewOf, withViews } from './view-map.ts';
import { drop, ENDED, type LiveList, noViews, type Push, patch, type ViewsState } from './views.ts';

const PATH = '/reviews';

function review(id: string, minute: number, version = 1, ratings = 5): ReviewView {
  const postedAt = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  return { _id: id, name: 'Case', ratings, username: 'Rahim', description: 'Good', postedAt, version };
}

const push = (view: ReviewView): Push => ({ kind: 'review', id: view._id, version: view.version, view });
const gone = (id: string, version: number): Push => ({ kind: 'review', id, version, view: null });
const anything = () => true;
/** A request that was sent before the first push. */
const JUST_NOW = newRequest(noViews, 'review');

/** A state that follows one list with these rows loaded. */
function listOf(
  items: ReviewView[],
  rest: Partial<LiveList> = {},
  fits: (view: ReviewView) => boolean = anything,
): ViewsState {
  const list: LiveList = { ...liveList('review', PATH, fits), users: 1, ids: items.map(({ _id }) => _id), ...rest };
  const views = withViews(noViews.known.review.views, new Map(items.map((view) => [view._id, view])));
  return {
    ...noViews,
    known: { ...noViews.known, review: { views, recent: new Map() } },
    followed: { [PATH]: list },
  };
}

/** As pushes come in single frames; and all of them in one, which ends the same. */
function apply(state: ViewsState, pushes: Push[]): ViewsState {
  const single = pushes.reduce((before, next) => take(before, 'review', [next]), state);
  expect(shown(take(state, 'review', pushes))).toEqual(shown(single));
  return single;
}
const list = (state: ViewsState) => state.followed[PATH] as LiveList;
const get = (state: ViewsState, id: string) => viewOf(state.known.review.views, id);
const shown = (state: ViewsState) => (list(state).ids ?? []).map((id) => `${id}@${get(state, id)?.version}`);
const rows = (views: AnyView[], rest: Partial<Pick<LiveList, 'next' | 'etag'>> = {}) => ({
  views,
  ...{ next: null, etag: null, ...rest },
});
const mergeWindow = (state: ViewsState, views: AnyView[], rest = {}) =>
  takeRows(state, PATH, rows(views, rest), 'window');

function permutations<T>(things: T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, index) => permutations(things.toSpliced(index, 1)).map((rest) => [thing, ...rest]));
}

describe('a push', () => {
  it('LIVE1 keeps the higher version, whatever the order and however often a push comes', () => {
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

  it('LIVE1 that says nothing new changes neither the list nor the views', () => {
    const state = apply(listOf([review('a', 1, 3), review('b', 2, 1)]), [gone('b', 2)]);
    const pushes = [push(review('a', 1, 3)), push(review('a', 1, 2)), gone('a', 3), push(review('b', 1, 2))];
    for (const old of pushes) {
      const after = take(state, 'review', [old]);
      expect(list(after)).toBe(list(state));
      expect(after.known.review).toEqual(state.known.review);
      expect(after.known.review.views).toBe(state.known.review.views);
    }
  });

  it('LIVE1 does not bring back what left, in any order of arrival', () => {
    const history = [push(review('a', 1, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(history)) {
      expect(shown(apply(listOf([]), [...order, ...order]))).toEqual([]);
    }
  });

  it('LIVE1 of a later version brings what left back, since it came back', () => {
    const state = apply(listOf([review('a', 1, 1)]), [gone('a', 2), push(review('a', 1, 3))]);
    expect(shown(state)).toEqual(['a@3']);
  });

  it('LIVE1 never brings back what this client ended itself', () => {
    expect(shown(apply(listOf([review('a', 1, 1)]), [gone('a', ENDED), push(review('a', 1, 99))]))).toEqual([]);
  });

  it('LIST1 is put in order by time of the first event and then by id, newest or oldest first', () => {
    const arrivals = [review('b', 5), review('d', 7), review('a', 5), review('c', 5)].map(push);
    for (const order of permutations(arrivals)) {
      expect(shown(apply(listOf([]), order))).toEqual(['d@1', 'c@1', 'b@1', 'a@1']);
      expect(shown(apply(listOf([], { sort: 'oldest' }), order))).toEqual(['a@1', 'b@1', 'c@1', 'd@1']);
    }
  });

  it('LIST1 enters only where its key lies within what is loaded', () => {
    const oldest = review('m', 5);
    const state = listOf([review('z', 9), oldest], { next: '/reviews?cursor=x', end: keyOf(oldest) });
    expect(shown(apply(state, [push(review('older', 4))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(state, [push(review('a', 5))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(state, [push(review('n', 5))]))).toEqual(['z@1', 'n@1', 'm@1']);
    expect(shown(apply(state, [push(review('newer', 10))]))).toEqual(['newer@1', 'z@1', 'm@1']);
  });

  it('LIST1 enters a list that is oldest first above its newest loaded row alone', () => {
    const newest = review('m', 5);
    const state = listOf([review('b', 2), newest], { sort: 'oldest', next: '/reviews?cursor=x', end: keyOf(newest) });
    expect(shown(apply(state, [push(review('newer', 6))]))).toEqual(['b@1', 'm@1']);
    expect(shown(apply(state, [push(review('n', 5))]))).toEqual(['b@1', 'm@1']);
    expect(shown(apply(state, [push(review('a', 5))]))).toEqual(['b@1', 'a@1', 'm@1']);
    expect(shown(apply(state, [push(review('older', 1))]))).toEqual(['older@1', 'b@1', 'm@1']);
    expect(
      shown(apply({ ...state, followed: { [PATH]: { ...list(state), end: null } } }, [push(review('n', 6))])),
    ).toEqual(['b@1', 'm@1', 'n@1']);
  });

  it('LIST1 keeps the window where its oldest row has left', () => {
    const oldest = review('m', 5);
    const state = listOf([review('z', 9), oldest], { next: '/reviews?cursor=x', end: keyOf(oldest) });
    expect(shown(apply(state, [gone('m', 2), push(review('m', 5, 3))]))).toEqual(['z@1', 'm@3']);
  });

  const good = (view: ReviewView) => view.ratings >= 4;
  it('LIST1 takes a row away when it no longer fits, and lets it enter again when it does', () => {
    const left = apply(listOf([review('a', 1, 1, 5)], {}, good), [push(review('a', 1, 2, 3))]);
    expect(shown(left)).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 1, 5))]))).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 3, 4))]))).toEqual(['a@3']);
  });

  it('LIST1 lets nothing enter that never fitted, late versions of it included', () => {
    const pushes = [push(review('a', 1, 2, 1)), push(review('a', 1, 1, 5))];
    expect(shown(apply(listOf([], {}, good), pushes))).toEqual([]);
  });

  it('U9 LIST1 that fits no filter costs nothing of what is loaded: neither the rows nor the views are copied', () => {
    const state = listOf([review('a', 1)], {}, good);
    const after = take(state, 'review', [push(review('b', 2, 1, 1))]);
    expect(list(after)).toBe(list(state));
    expect(after.known.review.views).toBe(state.known.review.views);
  });

  it('LIST1 changes each list that it concerns, and lives once for all of them', () => {
    const state = listOf([review('a', 1, 1, 5)]);
    const other = { ...liveList('review', '/good', good), ids: ['a'] };
    const two = { ...state, followed: { ...state.followed, '/good': other } };
    const after = take(two, 'review', [push(review('a', 1, 2, 2)), push(review('b', 2, 1, 5))]);
    expect(shown(after)).toEqual(['b@1', 'a@2']);
    expect(after.followed['/good']).toMatchObject({ ids: ['b'] });
    expect(get(drop(after, PATH), 'b')).toEqual(review('b', 2, 1, 5));
    expect(get(drop(after, PATH), 'a')).toBeUndefined();
  });
});

describe('a push after an answer', () => {
  const good = (view: ReviewView) => view.ratings >= 4;

  it('LIST1 tells all other lists, though the answer for one held the same version', () => {
    const other = { ...liveList('review', '/other', good), users: 1, ids: ['a'] };
    const state = listOf([review('a', 1)], {}, good);
    const two = { ...state, followed: { ...state.followed, '/other': other } };
    const answered = mergeWindow(two, [review('b', 2), review('a', 1, 2, 1)]);
    expect(shown(answered)).toEqual(['b@1']);
    const pushed = take(answered, 'review', [push(review('b', 2)), push(review('a', 1, 2, 1))]);
    expect(pushed.followed['/other']).toMatchObject({ ids: ['b'] });
    expect(shown(pushed)).toEqual(['b@1']);
    expect(get(pushed, 'b')).toBe(get(answered, 'b'));
  });
});

describe('a window that is fetched anew', () => {
  it('LIVE2 keeps a pushed version that the answer has not caught up with', () => {
    const merged = mergeWindow(listOf([review('a', 1, 4)]), [review('b', 2, 1), review('a', 1, 3)]);
    expect(shown(merged)).toEqual(['b@1', 'a@4']);
  });

  it('LIVE2 keeps away what left at a version that the answer has not caught up with', () => {
    const known = apply(listOf([review('a', 1, 1)]), [gone('a', 3)]);
    expect(shown(mergeWindow(known, [review('a', 1, 2)]))).toEqual([]);
    expect(shown(mergeWindow(known, [review('a', 1, 3)]))).toEqual([]);
    expect(shown(mergeWindow(known, [review('a', 1, 4)]))).toEqual(['a@4']);
  });

  it('LIVE2 drops what the answer no longer lists, and remembers what had left', () => {
    const before = apply(listOf([review('a', 1), review('c', 0)]), [gone('c', 9)]);
    const merged = mergeWindow(before, [review('b', 2)]);
    expect(shown(merged)).toEqual(['b@1']);
    expect(get(merged, 'a')).toBeUndefined();
    expect(shown(apply(merged, [push(review('c', 3, 8))]))).toEqual(['b@1']);
  });

  it('LIVE2 shows what was pushed when it was of no list, once a list asks for it', () => {
    const good = (view: ReviewView) => view.ratings >= 4;
    const seen = apply(listOf([], {}, good), [push(review('a', 1, 5, 1))]);
    const open = { ...seen, followed: { ...seen.followed, '/all': liveList('review', '/all', anything) } };
    const answered = takeRows(open, '/all', rows([review('a', 1, 5, 1)]), 'window');
    expect(answered.followed['/all']).toMatchObject({ ids: ['a'] });
  });

  it('LIVE2 highlights what it brings that was not there, and nothing that is loaded at first', () => {
    const oldest = review('b', 2);
    const before = listOf([review('d', 4), oldest], { next: '/x', end: keyOf(oldest) });
    const merged = mergeWindow(before, [review('e', 5), review('d', 4, 2), oldest, review('a', 1)]);
    expect(Object.keys(merged.changed).sort()).toEqual(['d', 'e']);
    expect(mergeWindow(listOf([], { ids: null }), [review('a', 1)]).changed).toEqual({});
  });
});

describe('the next page', () => {
  const NEXT = '/reviews?cursor=x';
  const windowOf = (items: ReviewView[], rest: Partial<LiveList> = {}) =>
    listOf(items, { next: NEXT, end: keyOf(items.at(-1) as ReviewView), ...rest });
  const appendPage = (state: ViewsState, views: AnyView[], rest = {}) =>
    takeRows(state, PATH, rows(views, rest), 'page');

  it('LIST1 stands below what is loaded, and the end of the list where the page has it', () => {
    const oldest = review('c', 3);
    const waiting = windowOf([review('e', 5), review('d', 4)], { page: JUST_NOW });
    const grown = appendPage(waiting, [oldest], { next: '/reviews?cursor=y' });
    expect(shown(grown)).toEqual(['e@1', 'd@1', 'c@1']);
    expect(list(grown)).toMatchObject({ next: '/reviews?cursor=y', end: keyOf(oldest), page: null });
    expect(shown(apply(grown, [push(review('c', 3, 2)), push(review('a', 1))]))).toEqual(['e@1', 'd@1', 'c@2']);
  });

  it('LIVE2 a push that overtakes the page it belongs to is not lost, whatever the page says', () => {
    const pushes = [push(review('c', 3, 4)), push(review('b', 2, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(pushes)) {
      const waiting = apply(windowOf([review('d', 4)], { page: JUST_NOW }), order);
      const grown = appendPage(waiting, [review('c', 3, 2), review('a', 1, 1)]);
      expect(shown(grown)).toEqual(['d@1', 'c@4', 'b@1']);
    }
  });

  it('LIST1 after a page that could not be had pushes below the window leave nothing behind, and the next try has them', () => {
    const waiting = apply(windowOf([review('d', 4)], { page: JUST_NOW }), [push(review('a', 1))]);
    expect(get(waiting, 'a')).toBeUndefined();
    const state = patch<LiveList>(waiting, PATH, { page: null, pageError: 'no answer' });
    expect(list(take(state, 'review', [push(review('b', 1))]))).toBe(list(state));
    const again = patch<LiveList>(state, PATH, { page: newRequest(state, 'review') });
    expect(shown(appendPage(again, [review('a', 1)]))).toEqual(['d@1', 'a@1']);
  });

  it('LIVE2 loses no push of the thousands that overtake one page', () => {
    const pushes = Array.from({ length: 3000 }, (_, n) => push(review(`r${n}`, 1)));
    const waiting = pushes.reduce(
      (before, next) => take(before, 'review', [next]),
      windowOf([review('d', 4)], { page: JUST_NOW }),
    );
    expect(list(appendPage(waiting, [])).ids).toHaveLength(3001);
  });
});

describe.each<Sort>(['newest', 'oldest'])('a list that is %s first', (sort) => {
  const good = (view: ReviewView) => view.ratings >= 4;
  const inOrder = (views: Iterable<ReviewView>) => [...views].sort((a, b) => compareKeys(keyOf(a), keyOf(b), sort));
  /** A history that differs with each seed. */
  const chance = (seed: number) => {
    let at = seed;
    return (below: number) => {
      at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((at / 2_147_483_648) * below);
    };
  };

  it('LIVE1 LIVE2 LIST1 shows of any history what the shop has, whatever overtakes what', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const below = chance(seed);
      const shop = new Map<string, ReviewView>();
      const versions = new Map<string, number>();
      const answer = (after: ReviewView | null, count: number) => {
        const fitting = inOrder(shop.values()).filter(
          (view) => good(view) && (after === null || compareKeys(keyOf(view), keyOf(after), sort) > 0),
        );
        const views = fitting.slice(0, count);
        const last = views.at(-1);
        const whole = fitting.length <= count || last === undefined;
        return { views, next: whole ? null : `after ${last._id}`, etag: null };
      };
      let state = listOf([], { sort, ids: null, request: JUST_NOW }, good);
      let asked: { as: 'window' | 'page'; rows: ReturnType<typeof answer> } | null = {
        as: 'window',
        rows: answer(null, 4),
      };
      let late: Push[] = [];
      for (let step = 0; step < 60; step += 1) {
        const id = `r${below(16)}`;
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        if (shop.has(id) && below(4) === 0) {
          shop.delete(id);
          late.push(gone(id, version));
        } else {
          const view = review(id, (id.length * 7 + Number(id.slice(1)) * 3) % 11, version, below(5) === 0 ? 1 : 5);
          shop.set(id, view);
          late.push(push(view));
        }
        if (below(3) > 0) continue;
        state = take(
          state,
          'review',
          late.toSorted(() => below(3) - 1),
        );
        late = [];
        if (asked !== null && below(2) === 0) {
          state = takeRows(state, PATH, asked.rows, asked.as);
          asked = null;
        } else if (asked === null && list(state).next !== null && below(2) === 0) {
          const { end } = list(state);
          const last = inOrder(shop.values()).findLast((view) => !isBelow(view, end, sort)) ?? null;
          asked = { as: 'page', rows: answer(last, 4) };
          state = patch<LiveList>(state, PATH, { page: newRequest(state, 'review') });
        } else if (asked === null) {
          asked = { as: 'window', rows: answer(null, Math.max(4, list(state).ids?.length ?? 0)) };
          state = patch<LiveList>(state, PATH, { request: newRequest(state, 'review') });
        }
      }
      state = take(state, 'review', late);
      if (asked !== null) state = takeRows(state, PATH, asked.rows, asked.as);
      const { end } = list(state);
      const truth = inOrder(shop.values()).filter((view) => good(view) && !isBelow(view, end, sort));
      expect(shown(state), `seed ${seed}`).toEqual(truth.map(({ _id, version }) => `${_id}@${version}`));
    }
  });
});

describe('a long list', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => ({
    ...review(String(1_000_000 - n), 0),
    postedAt: new Date(Date.UTC(2026, 0, 1) - n * 1000).toISOString(),
  }));
  const state = listOf(many);

  it('LIVE1 finds the row of a push by its key, and leaves all others the objects they were', () => {
    const pushed = { ...(many[70_000] as ReviewView), version: 2 };
    const after = take(state, 'review', [push(pushed)]);
    expect(list(after)).toBe(list(state));
    expect(get(after, pushed._id)).toBe(pushed);
    expect(get(after, many[69_999]?._id ?? '')).toBe(many[69_999]);
    expect(viewChanges(state.known.review.views, after.known.review.views)).toEqual([
      { before: many[70_000], after: pushed },
    ]);
    expect(list(take(state, 'review', [gone(pushed._id, 2)])).ids).toHaveLength(99_999);
  });

  it('LIVE1 remembers the last thousand ids that left, and for good what this client ended', () => {
    let after = take(listOf(many.slice(0, 500)), 'review', [gone('mine', ENDED)]);
    for (let n = 0; n < 3000; n += 1) after = take(after, 'review', [gone(`g${n}`, 2)]);
    const { recent } = after.known.review;
    expect(recent.size).toBeLessThanOrEqual(2001);
    expect(recent.get('mine')?.version).toBe(ENDED);
    expect(recent.get('g2999')?.version).toBe(2);
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
  const then = (state: ViewsState, next: Push) => take(state, 'review', [next]);

  it('LIVE1 takes a higher version of its own document alone', () => {
    const state = entryOf(review('a', 1, 2));
    expect(version(then(state, push(review('a', 1, 3))))).toBe(3);
    expect(version(then(state, push(review('a', 1, 1))))).toBe(2);
    expect(get(then(state, push(review('b', 1, 9))), 'b')).toBeUndefined();
  });

  it('LIVE1 does not go back behind the version at which its document left, and shows what it has become', () => {
    const left = then(entryOf(review('a', 1, 2)), gone('a', 5));
    expect(version(left)).toBe(2);
    expect(version(then(left, push(review('a', 1, 4))))).toBe(2);
    expect(version(then(left, push(review('a', 1, 6))))).toBe(6);
    expect(version(answered(left, review('a', 1, 5)))).toBe(5);
    expect(version(answered(then(left, gone('a', ENDED)), review('a', 1, 6)))).toBe(6);
  });
});
