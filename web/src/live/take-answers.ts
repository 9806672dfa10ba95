import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { compareKeys, isBelow, keyOf } from './list-order.ts';
import { type AnyView, viewOf, withViews } from './view-map.ts';
import { type Known, type LiveList, patch, release, type ViewsState, withKnown } from './views.ts';

const newer = (one: AnyView | null | undefined, other: AnyView): AnyView =>
  one && one.version >= other.version ? one : other;

/**
 * Returns the newest of three versions of a document: the given `view`, the view on the screen and the view in the last
 * push.
 */
const newestOf = ({ views, pushes }: Known, view: AnyView): AnyView =>
  newer(viewOf(views, view._id), newer(pushes.get(view._id)?.view, view));

/** Applies the response to a `LiveEntry`'s request, and stores the newest known version of each document. */
export function takeDocuments(state: ViewsState, kind: ViewKind, answered: readonly AnyView[]): ViewsState {
  const known = state.known[kind];
  const newest = answered.map((view) => newestOf(known, view));
  const isChange = (view: AnyView) => ![view, undefined].includes(viewOf(known.views, view._id));
  return withViewsOf(state, kind, newest, newest.filter(isChange));
}

/** Returns `state` with the views in `newest` stored and those in `changed` highlighted. */
function withViewsOf(state: ViewsState, kind: ViewKind, newest: readonly AnyView[], changed: readonly AnyView[]) {
  const views = withViews(state.known[kind].views, new Map(newest.map((view) => [view._id, view])));
  return withKnown(
    state,
    kind,
    { views },
    changed.map(({ _id }) => _id),
  );
}

/** One or more pages of a list, as the server returned them. */
export interface FetchedRows {
  views: readonly AnyView[];
  next: string | null;
  etag: string | null;
}

/**
 * Applies the response to a list's request for its whole window or its next page (LIVE2).
 *
 * For example, suppose that a list shows [A, B] and refetches its window. Before the response arrives, one push adds C
 * above A, and another push removes B. The response was built before both pushes and still contains [A, B], but the
 * list becomes [C, A].
 */
export function takeRows(state: ViewsState, key: string, rows: FetchedRows, as: 'window' | 'page'): ViewsState {
  const list = state.followed[key] as LiveList;
  const { kind } = list;
  const known = state.known[kind];
  const last = rows.views.at(-1);
  const rest = rows.next !== null && last !== undefined ? { path: rows.next, after: keyOf(last) } : null;
  const views = mergedRows(list, known, rows.views, as).filter((view) => !isBelow(view, { ...list, rest }));
  // The rows of a list's first response, and new rows below the loaded rows, don't count as changes.
  const isChange = (view: AnyView) => {
    const shown = viewOf(known.views, view._id);
    return shown === undefined ? list.ids !== null && !isBelow(view, list) : shown !== view;
  };
  const taken = withViewsOf(state, kind, views, views.filter(isChange));
  const ids = views.map(({ _id }) => _id);
  // If a request for the next page is in flight, `page: null` causes its response to be dropped. That page follows the
  // old window, which is being replaced here.
  const loaded = { rest, page: null, pageError: null };
  if (as === 'page') return patch<LiveList>(taken, key, { ...loaded, ids: [...(list.ids ?? []), ...ids], etag: null });
  // The ETag describes the response's rows, so it is stored only if the list now has exactly these rows. Otherwise, if
  // a pushed row left the list while the page was disconnected, a 304 response would wrongly keep that row.
  const isAnswer = ids.length === rows.views.length && rows.views.every(({ _id }, index) => _id === ids[index]);
  const settled = { ...loaded, ids, etag: isAnswer ? rows.etag : null, request: null, error: null };
  return release(patch<LiveList>(taken, key, settled), kind, list.ids ?? []);
}

/**
 * Merges the rows of a response with the rows that were pushed after its request was sent, and returns them in list
 * order. Uses the newest known version of each row, and leaves the row out if that version doesn't belong in the list.
 */
function mergedRows(list: LiveList, known: Known, answered: readonly AnyView[], as: 'window' | 'page'): AnyView[] {
  // Rows of a prerendered page belong to no request, so no push is newer than they are.
  const request = (as === 'page' ? list.page : list.request) ?? Number.POSITIVE_INFINITY;
  const pushed = [...known.pushes.values()].filter(({ number }) => number > request);
  const candidates = [...pushed.flatMap(({ view }) => view ?? []), ...answered];
  const newest = new Map(candidates.map((view) => [view._id, newestOf(known, view)]));
  const belongs = (view: AnyView) => {
    const push = known.pushes.get(view._id);
    const hasLeft = push?.view === null && push.version >= view.version;
    return !hasLeft && list.fits(view) && (as === 'window' || isBelow(view, list));
  };
  const rows = [...newest.values()].filter(belongs);
  // If there are no pushes to merge, the rows are already in order.
  return pushed.length === 0 ? rows : rows.sort((a, b) => compareKeys(keyOf(a), keyOf(b), list.sort));
}
