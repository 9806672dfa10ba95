import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { compareKeys, isBelow, keyOf } from './list-order.ts';
import { type AnyView, viewOf, withViews } from './view-map.ts';
import { type Known, type LiveList, patch, release, type ViewsState, withKnown } from './views.ts';

const newer = (one: AnyView | null | undefined, other: AnyView): AnyView =>
  one && one.version >= other.version ? one : other;

/** The newest view of a document: `view`, the one that is shown, or the last one that was pushed. */
const newestOf = ({ views, recent }: Known, view: AnyView): AnyView =>
  newer(viewOf(views, view._id), newer(recent.get(view._id)?.view, view));

/** Applies the documents of a response to an entry's request, each in its newest version. */
export function takeDocuments(state: ViewsState, kind: ViewKind, answered: readonly AnyView[]): ViewsState {
  const known = state.known[kind];
  const newest = answered.map((view) => newestOf(known, view));
  const isChange = (view: AnyView) => ![view, undefined].includes(viewOf(known.views, view._id));
  return withViewsOf(state, kind, newest, newest.filter(isChange));
}

/** `state` with these views; `changed` are highlighted. */
function withViewsOf(state: ViewsState, kind: ViewKind, newest: readonly AnyView[], changed: readonly AnyView[]) {
  const views = withViews(state.known[kind].views, new Map(newest.map((view) => [view._id, view])));
  return withKnown(
    state,
    kind,
    { views },
    changed.map(({ _id }) => _id),
  );
}

/** One or more pages of a list, as they were answered. */
export interface FetchedRows {
  views: readonly AnyView[];
  next: string | null;
  etag: string | null;
}

/**
 * Applies the response to a list's request, which was for its whole window or for its next page (LIVE2).
 *
 * A list of [A, B] asks for its window; C is pushed above A, and B leaves by a push. The answer, made before both, says [A, B]. The
 * list is [C, A] then.
 */
export function takeRows(state: ViewsState, key: string, rows: FetchedRows, as: 'window' | 'page'): ViewsState {
  const list = state.followed[key] as LiveList;
  const { kind } = list;
  const known = state.known[kind];
  const { next } = rows;
  const last = rows.views.at(-1);
  const end = next === null || last === undefined ? null : keyOf(last);
  const views = mergedRows(list, known, rows.views, as).filter((view) => !isBelow(view, end, list.sort));
  // What is loaded for the first time, and what is loaded below, is no change.
  const isChange = (view: AnyView) => {
    const shown = viewOf(known.views, view._id);
    return shown === undefined ? list.ids !== null && !isBelow(view, list.end, list.sort) : shown !== view;
  };
  const taken = withViewsOf(state, kind, views, views.filter(isChange));
  const ids = views.map(({ _id }) => _id);
  // The answer of a page that is still on its way is dropped: its rows belong below a window that is replaced here.
  const loaded = { next, end, page: null, pageError: null };
  if (as === 'page') return patch<LiveList>(taken, key, { ...loaded, ids: [...(list.ids ?? []), ...ids], etag: null });
  // The ETag is of the answer: where other rows were pushed meanwhile, 304 would keep one that has left again unseen.
  const isAnswer = ids.length === rows.views.length && rows.views.every(({ _id }, index) => _id === ids[index]);
  const settled = { ...loaded, ids, etag: isAnswer ? rows.etag : null, request: null, error: null };
  return release(patch<LiveList>(taken, key, settled), kind, list.ids ?? []);
}

/**
 * The rows of an answer and those that were pushed since it was asked for, in order. Each is there in its newest version, and only if
 * that belongs to the list.
 */
function mergedRows(list: LiveList, known: Known, answered: readonly AnyView[], as: 'window' | 'page'): AnyView[] {
  const request = as === 'page' ? list.page : list.request;
  const pushed = [...known.recent.values()].filter(
    ({ id }) => request && request.recent.get(id) !== known.recent.get(id),
  );
  const candidates = [...pushed.flatMap(({ view }) => view ?? []), ...answered];
  const newest = new Map(candidates.map((view) => [view._id, newestOf(known, view)]));
  const belongs = (view: AnyView) => {
    const push = known.recent.get(view._id);
    const hasLeft = push?.view === null && push.version >= view.version;
    return !hasLeft && list.fits(view) && (as === 'window' || isBelow(view, list.end, list.sort));
  };
  const rows = [...newest.values()].filter(belongs);
  // An answer alone is in order already.
  return pushed.length === 0 ? rows : rows.sort((a, b) => compareKeys(keyOf(a), keyOf(b), list.sort));
}
