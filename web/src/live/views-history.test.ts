import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { describe, expect, it } from 'vitest';
import { applyPushes } from './apply-pushes.ts';
import { liveList } from './follow.ts';
import { compareKeys, isBelow, keyOf, type Sort } from './list-order.ts';
import { takeRows } from './take-answers.ts';
import { viewOf } from './view-map.ts';
import { gone, good, JUST_NOW, list, listOf, PATH, push, review, shown } from './views.fixture.ts';
import { type LiveList, noViews, type Push, patch, type ViewsState } from './views.ts';

/** Returns a function that generates pseudo-random integers below its argument. The same seed gives the same sequence. */
function chance(seed: number): (below: number) => number {
  let at = seed;
  return (below) => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((at / 2_147_483_648) * below);
  };
}

describe.each<Sort>(['newest', 'oldest'])('a list that is %s first', (sort) => {
  const inOrder = (views: Iterable<ReviewView>) => [...views].sort((a, b) => compareKeys(keyOf(a), keyOf(b), sort));
  it('LIVE1 LIVE2 LIST1 after a random series of changes, a list shows the same rows as the shop, in whatever order pushes and responses arrive', () => {
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
        state = applyPushes(
          state,
          late.toSorted(() => below(3) - 1),
        );
        late = [];
        if (asked !== null && below(2) === 0) {
          state = takeRows(state, PATH, asked.rows, asked.as);
          asked = null;
        } else if (asked === null && list(state).rest !== null && below(2) === 0) {
          const last = inOrder(shop.values()).findLast((view) => !isBelow(view, list(state))) ?? null;
          asked = { as: 'page', rows: answer(last, 4) };
          state = patch<LiveList>(state, PATH, { page: state.count });
        } else if (asked === null) {
          asked = { as: 'window', rows: answer(null, Math.max(4, list(state).ids?.length ?? 0)) };
          state = patch<LiveList>(state, PATH, { request: state.count });
        }
      }
      state = applyPushes(state, late);
      if (asked !== null) state = takeRows(state, PATH, asked.rows, asked.as);
      const truth = inOrder(shop.values()).filter((view) => good(view) && !isBelow(view, list(state)));
      expect(shown(state), `seed ${seed}`).toEqual(truth.map(({ _id, version }) => `${_id}@${version}`));
    }
  });
});

describe('lists with different filters', () => {
  const FITS: Record<string, (view: ReviewView) => boolean> = {
    '/good': good,
    '/bad': (view) => !good(view),
    '/all': () => true,
  };
  const paths = Object.keys(FITS);

  it('LIVE1 LIVE2 LIST1 lists with different filters all show the same rows as the shop, though each response is for one list, and unused views are dropped', () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const below = chance(seed * 7919);
      const shop = new Map<string, ReviewView>();
      const versions = new Map<string, number>();
      const rowsOf = (path: string) =>
        [...shop.values()]
          .filter((view) => FITS[path]?.(view))
          .sort((a, b) => compareKeys(keyOf(a), keyOf(b), 'newest'));
      const answer = (path: string, count: number) => {
        const fitting = rowsOf(path);
        return { views: fitting.slice(0, count), next: fitting.length > count ? 'more' : null, etag: null };
      };
      let state: ViewsState = noViews;
      for (const path of paths) {
        const list = { ...liveList('review', path, FITS[path] ?? good), path, users: 1 };
        state = { ...state, followed: { ...state.followed, [path]: list } };
      }
      const listAt = (path: string) => state.followed[path] as LiveList;
      const asked = new Map<string, ReturnType<typeof answer>>();
      let late: Push[] = [];
      const deliver = () => {
        state = applyPushes(
          state,
          late.toSorted(() => below(3) - 1),
        );
        late = [];
      };
      for (let step = 0; step < 80; step += 1) {
        const id = `r${below(12)}`;
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        if (shop.has(id) && below(4) === 0) {
          shop.delete(id);
          late.push(gone(id, version));
        } else {
          const view = review(id, (Number(id.slice(1)) * 3) % 11, version, below(3) === 0 ? 1 : 5);
          shop.set(id, view);
          late.push(push(view));
        }
        if (below(3) === 0) deliver();
        const path = paths[below(3)] ?? '';
        const answered = asked.get(path);
        if (answered !== undefined && below(2) === 0) {
          state = takeRows(state, path, answered, 'window');
          asked.delete(path);
        } else if (answered === undefined && below(2) === 0) {
          asked.set(path, answer(path, Math.max(3, listAt(path).ids?.length ?? 0)));
          state = patch<LiveList>(state, path, { request: state.count });
        }
      }
      for (const path of paths) state = takeRows(state, path, asked.get(path) ?? answer(path, 3), 'window');
      deliver();
      for (const path of paths) {
        const { ids } = listAt(path);
        const truth = rowsOf(path).filter((view) => !isBelow(view, listAt(path)));
        const seen = ids?.map((id) => `${id}@${viewOf(state.known.review.views, id)?.version}`);
        expect(seen, `seed ${seed} ${path}`).toEqual(truth.map(({ _id, version }) => `${_id}@${version}`));
      }
      const rows = new Set(paths.flatMap((path) => listAt(path).ids ?? []));
      const kept = state.known.review.views.flatMap((shard) => Object.keys(shard));
      expect(kept.sort(), `seed ${seed}`).toEqual([...rows].sort());
    }
  });
});
