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
/** How many tombstones are kept: a push comes seconds late, not thousands of changes late. */
const REMEMBERED = 1000;

/**
 * Remembers the version of a document whose view isn't kept. A `gone` one has left all lists with that version. The others are shown by
 * nothing that is followed.
 */
interface Tombstone {
  version: number;
  gone: boolean;
}

interface Known {
  views: ViewMap;
  tombstones: ReadonlyMap<string, Tombstone>;
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
  /** whether it is to be fetched again, now that `pushes` are taken in that came after `before` */
  isOutdated: (state: ViewsState, pushes: readonly Push[], before: ViewsState) => boolean;
  /** how long it is kept after the last component that shows it has gone, in seconds */
  keepFor: number;
  /** how many components show it */
  users: number;
  /** names the request that is on its way: the answer to another is dropped */
  request: string | null;
  /** whether to ask once more when that request has ended, since its answer may be too old */
  again: boolean;
  /** why the last request failed; null otherwise */
  error: unknown;
  /** it came with the page and was not asked for yet */
  written: boolean;
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
  /** ids of the rows that stand still on the screen: what leaves the list meanwhile is followed on; null while none do */
  standing: ReadonlySet<string> | null;
  /** of the answer that the rows are; null once a push has changed which they are */
  etag: string | null;
  /** how many rows from the top the screen looks at, so that no more are fetched anew; null: all that are loaded */
  depth: number | null;
  /** ids of what was pushed while the list or a page of it is fetched: it may be newer than the answer */
  overtaking: readonly string[];
  /** names the request for the next page */
  page: string | null;
  pageError: unknown;
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

const NOTHING: Known = { views: NO_VIEWS, tombstones: new Map() };
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

const isWaiting = (list: LiveList) => list.request !== null || list.page !== null;

/** Whether a push says more than is known of its document (LIVE1). */
export function isNews({ known }: ViewsState, { kind, id, version }: Push): boolean {
  const { views, tombstones } = known[kind];
  return version > Math.max(viewOf(views, id)?.version ?? 0, tombstones.get(id)?.version ?? 0);
}

/** Whether something that is followed shows the document, or may have to once its request is answered. */
function isHeld({ known, followed }: ViewsState, kind: ViewKind, id: string): boolean {
  const { views } = known[kind];
  const view = viewOf(views, id);
  const get = (other: string) => viewOf(views, other);
  return Object.values(followed).some((resource) => {
    if (resource.kind !== kind || view === undefined || resource.type === 'answer') return false;
    if (resource.type === 'entry') return resource.ids.includes(id);
    const { ids, sort } = resource;
    return resource.overtaking.includes(id) || (ids !== null && ids[placeOf(ids, keyOf(view), sort, get)] === id);
  });
}

function withTombstones(
  before: Known['tombstones'],
  changes: ReadonlyMap<string, Tombstone | null>,
): Known['tombstones'] {
  if (changes.size === 0) return before;
  const all = new Map(before);
  for (const [id, tombstone] of changes) {
    all.delete(id);
    if (tombstone !== null) all.set(id, tombstone);
  }
  if (all.size <= 2 * REMEMBERED) return all;
  return new Map([...all].filter(([, { version }], index) => version === ENDED || index >= all.size - REMEMBERED));
}

/** True if a version is too old for a document with this tombstone. `requester` asked for it; a push was asked for by nobody. */
function isBuried(version: number, tombstone: Tombstone | null | undefined, requester: Resource | undefined): boolean {
  if (!tombstone) return false;
  // A push of the same version says nothing new, and a list's answer must not bring back a row that has left the lists.
  if (requester === undefined || (requester.type === 'list' && tombstone.gone)) return version <= tombstone.version;
  // An order that was cancelled here can still be looked at by its id, in whatever version the server answers.
  if (requester.type === 'entry' && tombstone.version === ENDED) return false;
  // The answer brings back a view that was known in this version and not kept.
  return version < tombstone.version;
}

interface ListEdit {
  key: string;
  list: LiveList;
  ids: readonly string[] | null;
  overtaking: readonly string[];
}

/**
 * Lets a row enter, leave or stay in one list. `visible` is null if no list may show the row; `latest` is the last view of it, whose key
 * says where in the list it stands. Returns true if the list needs its view.
 */
function place(
  edit: ListEdit,
  latest: AnyView,
  visible: AnyView | null,
  get: (id: string) => AnyView | undefined,
): boolean {
  const { list, ids } = edit;
  const id = latest._id;
  const belongs = visible !== null && list.fits(visible);
  const overtakes = belongs && isWaiting(list);
  if (overtakes && !edit.overtaking.includes(id)) edit.overtaking = [...edit.overtaking, id];
  if (ids === null) return overtakes;
  const at = placeOf(ids, keyOf(latest), list.sort, get);
  const isRow = ids[at] === id;
  const enters = belongs && !isRow && !isBelow(visible, list.end, list.sort);
  if (isRow && !belongs) edit.ids = ids.toSpliced(at, 1);
  if (enters) edit.ids = ids.toSpliced(at, 0, id);
  return overtakes || enters || (isRow && belongs) || (list.standing?.has(id) ?? false);
}

/**
 * Takes in these changes of one kind (LIVE1). Each costs what it changes, whatever is loaded. A view enters a list only if it fits and
 * lies within what is loaded there, and leaves when it no longer fits (LIST1). `requester` names the list or entry whose request these
 * changes answer. Its own rows aren't placed here; takeRows() does that.
 */
export function take(state: ViewsState, kind: ViewKind, pushes: readonly Push[], requester?: string): ViewsState {
  const { views, tombstones } = state.known[kind];
  const newViews = new Map<string, AnyView | null>();
  const newTombstones = new Map<string, Tombstone | null>();
  const changed: Record<string, true> = {};
  const get = (id: string) => (newViews.has(id) ? (newViews.get(id) ?? undefined) : viewOf(views, id));
  const others = Object.entries(state.followed).filter(([key, { kind: of }]) => of === kind && key !== requester);
  const edits = others.flatMap(([key, list]): ListEdit[] =>
    list.type === 'list' ? [{ key, list, ids: list.ids, overtaking: list.overtaking }] : [],
  );
  const entries = new Set(others.flatMap(([, resource]) => (resource.type === 'entry' ? resource.ids : [])));
  const requested = requester === undefined ? undefined : state.followed[requester];

  for (const { id, version, view } of pushes) {
    const known = get(id);
    const tombstone = newTombstones.has(id) ? newTombstones.get(id) : tombstones.get(id);
    if (version <= (known?.version ?? 0) || isBuried(version, tombstone, requested)) continue;
    const visible = tombstone?.gone && version <= tombstone.version ? null : view;
    const latest = view ?? known;
    // `filter` rather than `some`, because every list has to place the row.
    const isRow = latest !== undefined && edits.filter((edit) => place(edit, latest, visible, get)).length > 0;
    const isHeld = isRow || entries.has(id) || requester !== undefined;
    if (isHeld && view !== null) newViews.set(id, view);
    if (!isHeld && known) newViews.set(id, null);
    if (view === null || !isHeld) newTombstones.set(id, { version, gone: view === null });
    else {
      if (visible !== null && tombstone) newTombstones.set(id, null);
      if (requester === undefined || known !== undefined) changed[id] = true;
    }
  }

  const followed = { ...state.followed };
  for (const { key, list, ids, overtaking } of edits) {
    if (ids === list.ids && overtaking === list.overtaking) continue;
    followed[key] = { ...list, ids, overtaking, etag: ids === list.ids ? list.etag : null };
  }
  const known = {
    ...state.known,
    [kind]: { views: withViews(views, newViews), tombstones: withTombstones(tombstones, newTombstones) },
  };
  return { ...state, known, followed, changed: withChanged(state.changed, changed) };
}

function withChanged(before: ViewsState['changed'], more: ViewsState['changed']): ViewsState['changed'] {
  return Object.keys(more).length === 0 ? before : { ...before, ...more };
}

/** One or more pages of a list, as they were answered. */
export interface FetchedRows {
  views: readonly AnyView[];
  next: string | null;
  end: ListKey | null;
  etag: string | null;
}

/**
 * Takes in the answer to a list's request, which was for its whole window or for its next page. The higher version of each row wins. A
 * row that left at the answered version or a later one stays out, and a row that was pushed meanwhile keeps its place (LIVE2).
 *
 * A list of [A, B] asks for its window; C is pushed above A, and B leaves by a push. The answer, made before both, says [A, B]. The list
 * is [C, A] then: C overtook the answer, and B has a tombstone.
 */
export function takeRows(state: ViewsState, key: string, rows: FetchedRows, as: 'window' | 'page'): ViewsState {
  const list = state.followed[key] as LiveList;
  const { kind, sort } = list;
  const answers = rows.views.map((view) => ({ kind, id: view._id, version: view.version, view }));
  const taken = take(state, kind, answers, key);
  const { views, tombstones } = taken.known[kind];
  const get = (id: string) => viewOf(views, id);
  const belongs = (id: string) => {
    const view = get(id);
    const tombstone = tombstones.get(id);
    return view !== undefined && list.fits(view) && !(tombstone?.gone && view.version <= tombstone.version);
  };
  const ids = as === 'page' ? [...(list.ids ?? [])] : [];
  for (const { _id } of rows.views) if (belongs(_id)) ids.push(_id);
  for (const id of list.overtaking.filter(belongs)) {
    const view = get(id) as AnyView;
    const at = placeOf(ids, keyOf(view), sort, get);
    if (ids[at] !== id && !isBelow(view, rows.end, sort)) ids.splice(at, 0, id);
  }
  const { next, end } = rows;
  const loaded = { ids, next, end, page: null, pageError: null };
  if (as === 'page') {
    const overtaking = list.request === null ? [] : list.overtaking;
    return release(patch<LiveList>(taken, key, { ...loaded, overtaking, etag: null }), kind, list.overtaking);
  }
  const entered: Record<string, true> = {};
  for (const id of list.ids === null ? [] : ids) {
    const view = get(id) as AnyView;
    if (viewOf(state.known[kind].views, id) === undefined && !isBelow(view, list.end, sort)) entered[id] = true;
  }
  // A page that is on its way may miss what this fetch was for, so its answer is not waited for any more.
  // The ETag is of the answer: where other rows were pushed meanwhile, 304 would keep one that has left again unseen.
  const isAnswer = ids.length === rows.views.length && rows.views.every(({ _id }, index) => _id === ids[index]);
  const etag = isAnswer ? rows.etag : null;
  const settled = { ...loaded, etag, overtaking: [], request: null, error: null };
  const merged = { ...taken, changed: withChanged(taken.changed, entered) };
  return release(patch<LiveList>(merged, key, settled), kind, [...(list.ids ?? []), ...list.overtaking]);
}

/** `state` without those of the views `ids` that nothing holds any more. */
function release(state: ViewsState, kind: ViewKind, ids: readonly string[]): ViewsState {
  const { views, tombstones } = state.known[kind];
  const unheld = ids.filter((id) => !isHeld(state, kind, id));
  const kept = withViews(views, new Map(unheld.map((id) => [id, null])));
  return { ...state, known: { ...state.known, [kind]: { views: kept, tombstones } } };
}

/** `state` after a request for a list has ended without rows: what was pushed meanwhile is held by no request any more. */
export function settle(state: ViewsState, key: string, changes: Partial<LiveList>): ViewsState {
  const after = patch(state, key, changes);
  const list = after.followed[key];
  if (list?.type !== 'list' || isWaiting(list)) return after;
  return release(patch<LiveList>(after, key, { overtaking: [] }), list.kind, list.overtaking);
}

/** `state` with the rows of a list standing still, or free to move again: then those that left are held by nothing any more. */
export function stand(state: ViewsState, key: string, standing: LiveList['standing']): ViewsState {
  const list = state.followed[key];
  if (list?.type !== 'list') return state;
  const after = patch<LiveList>(state, key, { standing });
  if (list.standing === null) return after;
  const present = new Set(list.ids);
  return release(
    after,
    list.kind,
    [...list.standing].filter((id) => !present.has(id)),
  );
}

/** `state` without what is followed under `key`. */
export function drop(state: ViewsState, key: string): ViewsState {
  const { [key]: dropped, ...followed } = state.followed;
  if (dropped === undefined) return state;
  const ids =
    dropped.type === 'list' ? [...(dropped.ids ?? []), ...dropped.overtaking, ...(dropped.standing ?? [])] : [];
  return release({ ...state, followed }, dropped.kind, dropped.type === 'entry' ? dropped.ids : ids);
}
