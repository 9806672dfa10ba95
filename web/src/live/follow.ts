import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import { createAction, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import { mayPass } from '../api/problem.ts';
import type { Requests } from '../api/shop-api.ts';
import { applyPushes, newsOf } from './apply-pushes.ts';
import { fetchRows } from './fetch-rows.ts';
import { type FirstConnection, firstConnection } from './first-connection.ts';
import type { Sort } from './list-order.ts';
import { BROWSER_PAGE, type Page } from './page.ts';
import { type FetchedRows, takeDocuments, takeRows } from './take-answers.ts';
import { type AnyView, viewOf } from './view-map.ts';
import {
  drop,
  type LiveApi,
  type LiveEntry,
  type LiveList,
  noViews,
  type Push,
  patch,
  type Resource,
  type Transition,
  type ViewsState,
} from './views.ts';

/** How many rows a list fetches initially. */
export const FIRST_ROWS = 200;
/** The maximum number of rows that the server returns in one response. */
export const LARGEST_PAGE = 1000;
/** How long to wait before retrying a failed fetch while older data is on the screen, in milliseconds. */
const RETRY_AFTER = 10_000;
/** How long a changed row stays highlighted, in milliseconds. */
const HIGHLIGHT_FOR = 1000;

export interface LiveRoot {
  views: ViewsState;
}
/** The page that a store belongs to. A simulation passes this to its store as the extra argument of the thunks. */
export interface LivePage extends Requests {
  page: Page;
  first: FirstConnection;
}
const OWN: LivePage = { page: BROWSER_PAGE, first: firstConnection };

export type LiveDispatch = ThunkDispatch<LiveRoot, LivePage | undefined, UnknownAction>;
export type LiveThunk<Result = void> = (dispatch: LiveDispatch, getState: () => LiveRoot, own?: LivePage) => Result;

/** Dispatched with the newest pushes, at most one per document. */
export const pushesTaken = createAction<readonly Push[]>('views/pushesTaken');

interface Change extends UnknownAction {
  change: Transition;
}
const isChange = (action: UnknownAction): action is Change => typeof action.change === 'function';
export const changed = (what: string, change: Transition): Change => ({ type: `views/${what}`, change });

/** This is a plain reducer, because Immer would have to traverse all loaded views in order to freeze them. */
export function viewsReducer(state: ViewsState = noViews, action: UnknownAction): ViewsState {
  if (pushesTaken.match(action)) return applyPushes(state, action.payload);
  return isChange(action) ? action.change(state) : state;
}

/** Returns a thunk that dispatches `action` and, after `HIGHLIGHT_FOR`, removes the highlights that the action added. */
const highlighted =
  (action: UnknownAction): LiveThunk =>
  (dispatch, getState, { page } = OWN) => {
    const before = getState().views.changed;
    dispatch(action);
    const ids = Object.keys(getState().views.changed).filter((id) => !(id in before));
    if (ids.length > 0) page.schedule(HIGHLIGHT_FOR, () => dispatch(faded(ids)));
  };

const faded = (ids: readonly string[]) =>
  changed('faded', (state) => {
    const left = { ...state.changed };
    for (const id of ids) delete left[id];
    return { ...state, changed: left };
  });

/**
 * Numbers a request that is about to be sent for the resource at `path`, and stores the number with `changes`. Returns
 * the number.
 */
export const numbered =
  (what: string, path: string, changes: (number: number) => Partial<LiveList>): LiveThunk<number> =>
  (dispatch, getState) => {
    const count = getState().views.count + 1;
    dispatch(changed(what, (state) => patch({ ...state, count }, path, changes(count))));
    return count;
  };

/** The request state of a resource that hasn't been fetched yet. */
export const UNASKED = { users: 0, leftAt: 0, request: null, stale: true, error: null, keepFor: 60 };

const at = (getState: () => LiveRoot, path: string): Resource | undefined => getState().views.followed[path];

/**
 * Call this when a component starts to show `resource`. Fetches the resource unless a fetch has already succeeded or is
 * in flight.
 */
export const follow =
  (resource: Resource): LiveThunk =>
  (dispatch, getState) => {
    const { path } = resource;
    const now = at(getState, path) ?? resource;
    dispatch(changed('followed', (state) => withResource(state, { ...now, users: now.users + 1 })));
    // Cached data doesn't need to be fetched, since pushes have kept it up to date.
    if (now.request === null && (now.stale || now.error !== null)) void dispatch(fetchLive(path));
  };

/**
 * Stores the rows of `list` that the server has embedded in the prerendered page. A component that follows the list
 * still fetches it.
 */
export const writtenRows = (list: LiveList, rows: FetchedRows) =>
  changed('written', (state) => takeRows(withResource(state, list), list.path, rows, 'window'));

export const writtenEntry = (entry: LiveEntry, view: AnyView) =>
  changed('written', (state) => takeDocuments(withResource(state, entry), entry.kind, [view]));

const withResource = (state: ViewsState, resource: Resource): ViewsState => ({
  ...state,
  followed: { ...state.followed, [resource.path]: resource },
});

function isLoaded(state: ViewsState, resource: Resource): boolean {
  const { views } = state.known[resource.kind];
  if (resource.type === 'entry') return resource.ids.every((id) => viewOf(views, id) !== undefined);
  return (resource.type === 'list' ? resource.ids : resource.data) !== null;
}

/**
 * Call this when a component no longer shows the resource at `path`. Drops the resource once no component has shown it
 * for `keepFor` seconds.
 */
export const unfollow =
  (path: string): LiveThunk =>
  (dispatch, getState, { page } = OWN) => {
    const resource = at(getState, path);
    if (resource === undefined) return;
    const leftAt = page.now();
    dispatch(changed('unfollowed', (state) => patch(state, path, { users: Math.max(0, resource.users - 1), leftAt })));
    page.schedule(resource.keepFor * 1000, () => {
      if (at(getState, path)?.leftAt === leftAt) dispatch(dropUnused(path));
    });
  };

const dropUnused = (path: string) =>
  changed('dropped', (state) => (state.followed[path]?.users === 0 ? drop(state, path) : state));

/** Drops all views and resources. The components that are still mounted then fetch their resources again. */
export const forgetViews = () => changed('forgotten', ({ count, epoch }) => ({ ...noViews, count, epoch: epoch + 1 }));

/** Whether a push may affect a followed resource. */
export const isFollowed = ({ followed }: ViewsState, { kind, id }: Push): boolean =>
  Object.values(followed).some((one) => one.kind === kind && (one.type !== 'entry' || one.ids.includes(id)));

/**
 * Applies `pushes`, which contain at most one push per document. Then refetches every resource that is still outdated.
 */
export const takePushes =
  (pushes: readonly Push[]): LiveThunk =>
  (dispatch, getState, { page } = OWN) => {
    const news = newsOf(getState().views, pushes);
    dispatch(highlighted(pushesTaken(news)));
    const { views } = getState();
    for (const [path, one] of Object.entries(views.followed)) {
      const isOutdated =
        one.type === 'list'
          ? page.isHidden() && isOvergrown(one)
          : news.some((push) => push.kind === one.kind && one.isOutdatedBy(push));
      if (isOutdated) void dispatch(fetchLive(path));
    }
  };

/**
 * Refetches, in parallel, every resource that a component shows and that `which` selects (LIVE2). Drops all resources
 * that no component shows.
 */
export const refetchLive =
  (which: (resource: Resource) => boolean = () => true): LiveThunk =>
  (dispatch, getState) => {
    for (const [path, resource] of Object.entries(getState().views.followed)) {
      if (resource.users === 0) dispatch(dropUnused(path));
      else if (which(resource)) void dispatch(fetchLive(path));
    }
  };

/**
 * Fetches the followed resource at `path`. If a request for the resource is already in flight, returns immediately. The
 * resource is then fetched once more when that request finishes.
 */
export const fetchLive =
  (path: string): LiveThunk<Promise<void>> =>
  async (dispatch, getState, own = OWN) => {
    const { page, first } = own;
    const resource = at(getState, path);
    if (resource === undefined) return;
    if (resource.request !== null) {
      dispatch(changed('asked again', (state) => patch(state, path, { stale: true })));
      return;
    }
    const error = isLoaded(getState().views, resource) ? resource.error : null;
    const request = dispatch(numbered('asked', path, (number) => ({ request: number, stale: false, error })));
    // Give the socket a moment to connect. A fetch that starts before the socket has connected may miss pushes and has
    // to be repeated.
    await first.joined();
    if (at(getState, path)?.request !== request) return;
    const api = { dispatch, getState, extra: own };
    const answered = await (resource.type === 'list' ? askForWindow(path, api) : resource.ask(api));
    if (at(getState, path)?.request !== request) return;
    dispatch(highlighted(changed('answered', answered)));
    const now = at(getState, path);
    if (now?.stale) return dispatch(fetchLive(path));
    if (now && mayPass(now.error) && isLoaded(getState().views, now))
      page.schedule(RETRY_AFTER, () => void dispatch(retryAfter(now.error, path)));
  };

/**
 * Refetches a resource whose fetch failed with `error`, unless a newer fetch is in flight or has finished. A newer
 * fetch that fails schedules its own retry.
 */
const retryAfter =
  (error: unknown, path: string): LiveThunk =>
  (dispatch, getState) => {
    const now = at(getState, path);
    if (now?.request === null && now.error === error) void dispatch(fetchLive(path));
  };

interface ListOptions {
  sort?: Sort;
  /** how many seconds the list stays cached once no mounted component shows it */
  keepFor?: number;
}

/**
 * Returns a list resource that is fetched from `path` and contains the views for which `fits` is true. By default, the
 * newest view comes first.
 */
export function liveList<K extends ViewKind>(
  kind: K,
  path: string,
  fits: (view: Views[K]) => boolean,
  { sort = 'newest', keepFor = UNASKED.keepFor }: ListOptions = {},
): LiveList {
  const sorted = `${path}${path.includes('?') ? '&' : '?'}sort=${sort}`;
  return {
    ...UNASKED,
    type: 'list',
    kind,
    path: sorted,
    sort,
    keepFor,
    fits: fits as (view: AnyView) => boolean,
    ids: null,
    rest: null,
    etag: null,
    depth: null,
    page: null,
    pageError: null,
  };
}

export const listAt = ({ followed }: ViewsState, path: string) => followed[path] as LiveList;

/** Returns the size of a list's window: the number of rows, counted from the top, that a fetch has to load. */
function windowOf({ ids, depth }: LiveList): number {
  return Math.max(Math.min(ids?.length ?? 0, depth ?? Number.POSITIVE_INFINITY), FIRST_ROWS);
}

/**
 * Whether `list` has more than `LARGEST_PAGE` rows below its window (`windowOf`). While the page is hidden, the list is
 * then refetched, which discards the rows below the window.
 */
const isOvergrown = (list: LiveList) => (list.ids?.length ?? 0) > windowOf(list) + LARGEST_PAGE;

async function askForWindow(path: string, api: LiveApi): Promise<Transition> {
  const before = listAt(api.getState().views, path);
  const atFirst = windowOf(before);
  // If the list's next page arrives during this fetch, the fetch has to cover that page too. Otherwise, that page's
  // rows would be lost. Rows pushed during the fetch don't need to be fetched, because `takeRows` merges them.
  const wanted = () => {
    const now = listAt(api.getState().views, path) ?? before;
    return now.rest === before.rest ? atFirst : windowOf(now);
  };
  const window = `${path}&limit=${Math.min(atFirst, LARGEST_PAGE)}`;
  const answer = await fetchRows(before.kind, window, wanted, api, before.etag);
  if ('rows' in answer) return (state) => takeRows(state, path, answer.rows, 'window');
  const error = 'error' in answer ? answer.error : null;
  return (state) => patch(state, path, { request: null, error });
}
