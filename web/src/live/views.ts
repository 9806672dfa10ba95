import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { ReaderApi } from '../api/shop-api.ts';
import { isBelow, keyOf, type ListKey, placeOf, type Sort } from './list-order.ts';
import { type AnyView, NO_VIEWS, type ViewMap, viewOf, withViews } from './view-map.ts';

/** One changed document. `view: null` says that it left the lists. */
export interface Push<K extends ViewKind = ViewKind> {
  kind: K;
  id: string;
  version: number;
  view: Views[K] | null;
}

/** Above every version: no push brings back a document that this client itself has ended, such as an order that it cancelled. */
export const ENDED = Number.MAX_SAFE_INTEGER;
/** How many pushes are remembered: a push comes seconds late, not thousands of changes late. */
const REMEMBERED = 1000;

/** The newest push of each document, the latest push last. */
type Pushes = ReadonlyMap<string, Push>;

/** The documents of one kind. */
interface Known {
  /** the newest view of each document that something followed shows */
  views: ViewMap;
  /** the last pushes of documents that nothing shows or that left the lists; of all documents while a list waits for an answer */
  recent: Pushes;
}

/** A request that is on its way. */
export interface LiveRequest {
  /** the pushes that were known when it was sent: its answer may lack every later one */
  recent: Pushes;
}

/** What a request is made with, and the state that it finds. */
export interface LiveApi extends ReaderApi {
  getState(): { views: ViewsState };
}

export type Transition = (state: ViewsState) => ViewsState;

/** What is followed, and how its requests stand. */
interface Followed {
  kind: ViewKind;
  /** what answers it; of a list without the size of its window */
  path: string;
  /** fetches it; resolves with what the answer does to the state */
  ask: (api: LiveApi) => Promise<Transition>;
  /** whether it has to be fetched again, now that these pushes are taken in */
  isOutdated: (state: ViewsState, news: readonly Push[]) => boolean;
  /** how long it is kept after the last component that shows it has gone, in seconds */
  keepFor: number;
  /** how many components show it */
  users: number;
  /** the answer to any other request is dropped */
  request: LiveRequest | null;
  /** whether it has to be fetched once more: it wasn't asked for yet, or the answer that is on its way may be too old */
  stale: boolean;
  /** why the last request failed; null otherwise */
  error: unknown;
}

/** A list: the ids of its rows alone. */
export interface LiveList extends Followed {
  type: 'list';
  sort: Sort;
  fits: (view: AnyView) => boolean;
  /** null until the first answer */
  ids: readonly string[] | null;
  /** path of the page after the loaded ones; null when everything is loaded */
  next: string | null;
  /** key of the last loaded row; null when everything is loaded */
  end: ListKey | null;
  /** of the answer that the rows are; null once a push has changed which they are */
  etag: string | null;
  /** the rows that stand still under a hand; null while none does */
  held: HeldRows | null;
  /** how many rows from the top the screen looks at, so that no more are fetched again; null: all that are loaded */
  depth: number | null;
  /** the request for the next page */
  page: LiveRequest | null;
  pageError: unknown;
}

/** The rows of a list as they were when somebody laid a hand on it. Each keeps its view, even if it has left the list. */
export interface HeldRows {
  ids: readonly string[];
  end: ListKey | null;
  views: ViewMap;
}

/** One document or several, followed by their ids. */
export interface LiveEntry extends Followed {
  type: 'entry';
  ids: readonly string[];
}

/** An answer that is no view, and so is asked for again when a push concerns it. */
export interface LiveAnswer<Data = unknown> extends Followed {
  type: 'answer';
  data: Data | null;
}

export type Resource = LiveList | LiveEntry | LiveAnswer;

/** Every view once, by kind and id, and what is followed, by its path. */
export interface ViewsState {
  known: Readonly<Record<ViewKind, Known>>;
  followed: Readonly<Record<string, Resource>>;
  /** ids of what came or changed a moment ago, and is highlighted */
  changed: Readonly<Record<string, true>>;
  /** counts how often everything was forgotten */
  epoch: number;
}

const NOTHING: Known = { views: NO_VIEWS, recent: new Map() };
export const noViews: ViewsState = {
  known: { order: NOTHING, product: NOTHING, user: NOTHING, review: NOTHING, tracking: NOTHING },
  followed: {},
  changed: {},
  epoch: 0,
};

/** `state` with `changes` to what is followed under `key`. */
export function patch<R extends Resource>(state: ViewsState, key: string, changes: Partial<R>): ViewsState {
  const resource = state.followed[key];
  if (resource === undefined) return state;
  return { ...state, followed: { ...state.followed, [key]: { ...resource, ...changes } as Resource } };
}

/** `state` with other documents of one kind; `changed` are highlighted. */
function withKnown(state: ViewsState, kind: ViewKind, known: Partial<Known>, changed: readonly string[] = []) {
  const all = { ...state.known, [kind]: { ...state.known[kind], ...known } };
  if (changed.length === 0) return { ...state, known: all };
  return {
    ...state,
    known: all,
    changed: { ...state.changed, ...Object.fromEntries(changed.map((id) => [id, true as const])) },
  };
}

/** Whether a push says more than is known of its document (LIVE1). */
export function isNews({ known }: ViewsState, { kind, id, version }: Push): boolean {
  const { views, recent } = known[kind];
  return version > (recent.get(id)?.version ?? 0) && version >= (viewOf(views, id)?.version ?? 0);
}

type GetView = (id: string) => AnyView | undefined;

/**
 * Lets a row enter, leave or stay in `list`, whose ids are replaced. `visible` is null if no list may show the row; `latest` is the
 * last view of it, whose key says where it stands. Returns true if the list needs its view.
 */
function place(list: LiveList, latest: AnyView, visible: AnyView | null, get: GetView): boolean {
  const { ids, sort, held } = list;
  if (ids === null) return false;
  const key = keyOf(latest);
  const at = placeOf(ids, key, sort, get);
  const isRow = ids[at] === key.id;
  const belongs = visible !== null && list.fits(visible) && (isRow || !isBelow(visible, list.end, sort));
  if (belongs && !isRow) list.ids = ids.toSpliced(at, 0, key.id);
  if (!belongs && isRow) list.ids = ids.toSpliced(at, 1);
  if (belongs || held === null) return belongs;
  return held.ids[placeOf(held.ids, key, sort, (id) => viewOf(held.views, id))] === key.id;
}

/**
 * Takes in pushes of one kind: the highest version of each document wins (LIVE1). Each push costs what it changes, whatever is
 * loaded. A view enters a list only if it fits and lies within what is loaded there, and leaves when it no longer fits (LIST1).
 *
 * A push may follow an answer of the same version. The answer was for one list or entry, and the push tells all others.
 */
export function take(state: ViewsState, kind: ViewKind, pushes: readonly Push[]): ViewsState {
  const { views, recent } = state.known[kind];
  const newViews = new Map<string, AnyView | null>();
  const newPushes = new Map<string, Push>();
  const changed: string[] = [];
  const get = (id: string) => (newViews.has(id) ? (newViews.get(id) ?? undefined) : viewOf(views, id));
  const followed = Object.entries(state.followed).filter(([, resource]) => resource.kind === kind);
  const lists = followed.flatMap(([key, list]) =>
    list.type === 'list' ? [{ key, before: list, now: { ...list } }] : [],
  );
  const isWaiting = lists.some(({ before: { request, page } }) => request !== null || page !== null);
  const entries = new Set(followed.flatMap(([, resource]) => (resource.type === 'entry' ? resource.ids : [])));

  for (const push of pushes) {
    const { id, version } = push;
    const shown = get(id);
    const pushed = newPushes.get(id) ?? recent.get(id);
    if (version <= (pushed?.version ?? 0) || version < (shown?.version ?? 0)) continue;
    const view = version === shown?.version ? shown : push.view;
    const latest = view ?? shown;
    if (version === ENDED) for (const { now } of lists) now.held = withoutRow(now.held, id);
    // `filter` rather than `some`, because every list has to place the row.
    const isRow = latest !== undefined && lists.filter(({ now }) => place(now, latest, view, get)).length > 0;
    const isShown = isRow || entries.has(id);
    if (!isShown || view === null || isWaiting) newPushes.set(id, push);
    if (!isShown && shown !== undefined) newViews.set(id, null);
    if (isShown && view !== null && view !== shown) {
      newViews.set(id, view);
      changed.push(id);
    }
  }

  const moved = lists.filter(({ before, now }) => now.ids !== before.ids || now.held !== before.held);
  const known = { views: withViews(views, newViews), recent: withPushes(recent, newPushes, isWaiting) };
  return {
    ...withKnown(state, kind, known, changed),
    followed: { ...state.followed, ...Object.fromEntries(moved.map(({ key, now }) => [key, { ...now, etag: null }])) },
  };
}

const withoutRow = (held: HeldRows | null, id: string) =>
  held && { ...held, ids: held.ids.filter((row) => row !== id) };

/** An answer that a list waits for has to be compared with every push since it was asked for, so `keepsAll` then. */
function withPushes(before: Pushes, news: Pushes, keepsAll: boolean): Pushes {
  if (news.size === 0) return before;
  const all = new Map(before);
  for (const [id, push] of news) {
    all.delete(id);
    all.set(id, push);
  }
  if (keepsAll || all.size <= 2 * REMEMBERED) return all;
  return new Map([...all].filter(([, { version }], index) => version === ENDED || index >= all.size - REMEMBERED));
}

const newer = (one: AnyView | undefined, other: AnyView | null | undefined) =>
  other && other.version > (one?.version ?? 0) ? other : one;

/** The newest view of a document among those that are shown, were pushed or were `answered`. */
const newestView = ({ views, recent }: Known, id: string, answered?: AnyView): AnyView | undefined =>
  newer(newer(viewOf(views, id), answered), recent.get(id)?.view);

/** Takes in the documents that answer an entry's request, each in its newest version. */
export function takeDocuments(state: ViewsState, kind: ViewKind, answered: readonly AnyView[]): ViewsState {
  const known = state.known[kind];
  const newViews = new Map<string, AnyView>();
  const changed: string[] = [];
  for (const view of answered) {
    const id = view._id;
    const shown = viewOf(known.views, id);
    const newest = newestView(known, id, view) ?? view;
    newViews.set(id, newest);
    if (shown !== undefined && shown !== newest) changed.push(id);
  }
  return withKnown(state, kind, { views: withViews(known.views, newViews) }, changed);
}

/** One or more pages of a list, as they were answered. */
export interface FetchedRows {
  views: readonly AnyView[];
  next: string | null;
  etag: string | null;
}

/**
 * Takes in the answer to a list's request, which was for its whole window or for its next page. The rows are those of the answer
 * and those that were pushed since it was asked for. The newest version of each decides whether it belongs to the list (LIVE2).
 *
 * A list of [A, B] asks for its window; C is pushed above A, and B leaves by a push. The answer, made before both, says [A, B]. The
 * list is [C, A] then.
 */
export function takeRows(state: ViewsState, key: string, rows: FetchedRows, as: 'window' | 'page'): ViewsState {
  const list = state.followed[key] as LiveList;
  const { kind, sort } = list;
  const { next } = rows;
  const last = rows.views.at(-1);
  const end = next === null || last === undefined ? null : keyOf(last);
  const known = state.known[kind];
  const rowViews = new Map<string, AnyView>();
  const get = (id: string) => rowViews.get(id) ?? viewOf(known.views, id);
  const belongs = (view: AnyView) => {
    const push = known.recent.get(view._id);
    const hasLeft = push?.view === null && push.version >= view.version;
    return !hasLeft && list.fits(view);
  };

  const ids = as === 'page' ? [...(list.ids ?? [])] : [];
  for (const answered of rows.views) {
    const view = newestView(known, answered._id, answered) ?? answered;
    if (!belongs(view)) continue;
    rowViews.set(view._id, view);
    ids.push(view._id);
  }
  for (const { id } of pushedSince(known.recent, as === 'page' ? list.page : list.request)) {
    const view = newestView(known, id);
    if (view === undefined || !belongs(view) || isBelow(view, end, sort)) continue;
    const at = placeOf(ids, keyOf(view), sort, get);
    if (ids[at] === id) continue;
    rowViews.set(id, view);
    ids.splice(at, 0, id);
  }

  // What is loaded for the first time, and what is loaded below, is no change.
  const isChange = (view: AnyView) => {
    const shown = viewOf(known.views, view._id);
    if (shown === undefined) return list.ids !== null && !isBelow(view, list.end, sort);
    return shown !== view;
  };
  const changed = [...rowViews.values()].filter(isChange).map(({ _id }) => _id);
  const taken = withKnown(state, kind, { views: withViews(known.views, rowViews) }, changed);
  // The ETag is of the answer: where other rows were pushed meanwhile, 304 would keep one that has left again unseen.
  const isAnswer = ids.length === rows.views.length && rows.views.every(({ _id }, index) => _id === ids[index]);
  // A page that is on its way may miss what a new window was asked for, so its answer is not waited for any more.
  const loaded = { ids, next, end, page: null, pageError: null };
  if (as === 'page') return patch<LiveList>(taken, key, { ...loaded, etag: null });
  const settled = { ...loaded, etag: isAnswer ? rows.etag : null, request: null, error: null };
  return release(patch<LiveList>(taken, key, settled), kind, list.ids ?? []);
}

function pushedSince(recent: Pushes, request: LiveRequest | null): Push[] {
  return request === null ? [] : [...recent.values()].filter((push) => request.recent.get(push.id) !== push);
}

/** `state` with the rows of a list standing still as they are now. */
export function hold(state: ViewsState, key: string): ViewsState {
  const list = state.followed[key];
  if (list?.type !== 'list' || list.ids === null) return state;
  const { ids, end, kind } = list;
  return patch<LiveList>(letMove(state, key), key, { held: { ids, end, views: state.known[kind].views } });
}

/** `state` with the rows of a list free to move again. */
export function letMove(state: ViewsState, key: string): ViewsState {
  const list = state.followed[key];
  if (list?.type !== 'list' || list.held === null) return state;
  return release(patch<LiveList>(state, key, { held: null }), list.kind, list.held.ids);
}

/** `state` without what is followed under `key`. */
export function drop(state: ViewsState, key: string): ViewsState {
  const { [key]: dropped, ...followed } = state.followed;
  return dropped === undefined ? state : release({ ...state, followed }, dropped.kind, idsOf(dropped));
}

/** `state` without those of the views `ids` that nothing shows any more. */
function release(state: ViewsState, kind: ViewKind, ids: readonly string[]): ViewsState {
  const ofKind = Object.values(state.followed).filter((resource) => resource.kind === kind);
  const shown = new Set(ofKind.flatMap(idsOf));
  const unshown = ids.filter((id) => !shown.has(id));
  return withKnown(state, kind, {
    views: withViews(state.known[kind].views, new Map(unshown.map((id) => [id, null]))),
  });
}

function idsOf(resource: Resource): readonly string[] {
  if (resource.type === 'answer') return [];
  return resource.type === 'entry' ? resource.ids : [...(resource.ids ?? []), ...(resource.held?.ids ?? [])];
}
