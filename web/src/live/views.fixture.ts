import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { expect } from 'vitest';
import { applyPushes } from './apply-pushes.ts';
import { liveList } from './follow.ts';
import { type FetchedRows, takeRows } from './take-answers.ts';
import { type AnyView, viewOf, withViews } from './view-map.ts';
import { type LiveList, noViews, type Push, type ViewsState } from './views.ts';

export const PATH = '/reviews';

export function review(id: string, minute: number, version = 1, ratings = 5): ReviewView {
  const postedAt = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  return { _id: id, name: 'Case', ratings, username: 'Rahim', description: 'Good', postedAt, version };
}

export const push = (view: ReviewView): Push => ({ kind: 'review', id: view._id, version: view.version, view });
export const gone = (id: string, version: number): Push => ({ kind: 'review', id, version, view: null });
export const anything = () => true;
/** The number of a request that was sent before the first push. */
export const JUST_NOW = noViews.count;

/** Returns a state with one followed list that has loaded `items`. */
export function listOf(
  items: ReviewView[],
  rest: Partial<LiveList> = {},
  fits: (view: ReviewView) => boolean = anything,
): ViewsState {
  const list: LiveList = {
    ...liveList('review', PATH, fits),
    path: PATH,
    users: 1,
    ids: items.map(({ _id }) => _id),
    ...rest,
  };
  const views = withViews(noViews.known.review.views, new Map(items.map((view) => [view._id, view])));
  return {
    ...noViews,
    known: { ...noViews.known, review: { views, pushes: new Map() } },
    followed: { [PATH]: list },
  };
}

/** Applies each push in its own frame, and checks that applying all pushes in one frame has the same result. */
export function apply(state: ViewsState, pushes: Push[]): ViewsState {
  const single = pushes.reduce((before, next) => applyPushes(before, [next]), state);
  expect(shown(applyPushes(state, pushes))).toEqual(shown(single));
  return single;
}
export const list = (state: ViewsState) => state.followed[PATH] as LiveList;
export const get = (state: ViewsState, id: string) => viewOf(state.known.review.views, id);
export const shown = (state: ViewsState) => (list(state).ids ?? []).map((id) => `${id}@${get(state, id)?.version}`);
export const rows = (views: AnyView[], rest: Partial<FetchedRows> = {}) => ({
  views,
  ...{ next: null, etag: null, ...rest },
});
export const mergeWindow = (state: ViewsState, views: AnyView[], rest = {}) =>
  takeRows(state, PATH, rows(views, rest), 'window');

export function permutations<T>(things: T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, index) => permutations(things.toSpliced(index, 1)).map((rest) => [thing, ...rest]));
}

export const good = (view: ReviewView) => view.ratings >= 4;
