import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { ReaderApi } from '../api/shop-api.ts';
import type { ListKey, Sort } from './list-order.ts';
import { type AnyView, NO_VIEWS, type ViewMap, withViews } from './view-map.ts';

/** One changed document. `view: null` says that it left the lists. */
export interface Push<K extends ViewKind = ViewKind> {
  kind: K;
  id: string;
  version: number;
  view: Views[K] | null;
}

/** Above every version: no push brings back a document that this client itself has ended, such as an order that it cancelled. */
export const ENDED = Number.MAX_SAFE_INTEGER;
/** The newest push of each document, the latest push last. */
export type Pushes = ReadonlyMap<string, Push>;

/** The documents of one kind. */
export interface Known {
  /** the newest view of each document that something followed shows */
  views: ViewMap;
  /** the last pushes of documents that are a row of no list; of all documents while a list waits for an answer */
  recent: Pushes;
}

/** A request that is on its way. */
export interface LiveRequest {
  /** the pushes that were known when it was sent: its answer may lack any that came later */
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
  /** whether it has to be fetched again, now that these pushes are applied */
  isOutdated: (state: ViewsState, news: readonly Push[]) => boolean;
  /** how long it is kept after the last component that shows it has gone, in seconds */
  keepFor: number;
  /** how many components show it */
  users: number;
  /** when the last of them to go went, in milliseconds; 0 while none has gone */
  leftAt: number;
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

/**
 * The rows of a list as they stood when somebody laid a hand on it. `Known.views` has the newest view of each as long as they are
 * held, even of one that has left the list.
 */
export interface HeldRows {
  ids: readonly string[];
  end: ListKey | null;
  /** the views of that moment, for the key of each row: they tell where it stood */
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

/**
 * Every view once, by kind and id, and what is followed, by its path.
 *
 * A push (take-pushes.ts) is for all: it changes the view of its document, and enters, leaves or stays in each list. An answer
 * (take-answers.ts) is for the one that asked: its rows, and the pushes that came since it was asked for. Everywhere the highest
 * version of a document wins. What nothing shows any more is let go (`release`). The last push of a document that is a row of no list is
 * remembered for a while, so that an older push or a lagging answer doesn't bring it back.
 */
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
export function withKnown(
  state: ViewsState,
  kind: ViewKind,
  known: Partial<Known>,
  changed: readonly string[] = [],
): ViewsState {
  const highlighted = Object.fromEntries(changed.map((id) => [id, true as const]));
  return {
    ...state,
    known: { ...state.known, [kind]: { ...state.known[kind], ...known } },
    changed: changed.length === 0 ? state.changed : { ...state.changed, ...highlighted },
  };
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
export function release(state: ViewsState, kind: ViewKind, ids: readonly string[]): ViewsState {
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
