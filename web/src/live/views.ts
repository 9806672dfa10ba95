import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { ReaderApi } from '../api/shop-api.ts';
import type { ListKey, Sort } from './list-order.ts';
import { type AnyView, NO_VIEWS, type ViewMap, withViews } from './view-map.ts';

/** One changed document. `view` is null if the document has left the lists. */
export interface Push<K extends ViewKind = ViewKind> {
  kind: K;
  id: string;
  version: number;
  view: Views[K] | null;
}

/**
 * A version above all others, for a document that this client itself has ended, such as an order it cancelled. No push
 * brings the document back.
 */
export const ENDED = Number.MAX_SAFE_INTEGER;
/** The newest push of each document, in order of arrival. */
export type Pushes = ReadonlyMap<string, Push>;

/** The client's copy of the documents of one kind. */
export interface Known {
  /** the newest view of each document that a followed resource shows */
  views: ViewMap;
  /** the last pushes of documents that aren't in any list, or of all documents while a list waits for a response */
  recent: Pushes;
}

/** A request that is in flight. */
export interface LiveRequest {
  /** the pushes known when the request was sent. The response may lack later pushes. */
  recent: Pushes;
}

/** What a request needs: the API and access to the current state. */
export interface LiveApi extends ReaderApi {
  getState(): { views: ViewsState };
}

export type Transition = (state: ViewsState) => ViewsState;

/** The fields that all followed resources share, including the state of their requests. */
interface Followed {
  kind: ViewKind;
  /** the path that the resource is fetched from. A list's path doesn't include the size of its window. */
  path: string;
  /** fetches the resource and resolves with the transition that applies the response */
  ask: (api: LiveApi) => Promise<Transition>;
  /** whether the resource has to be fetched again after these pushes have been applied */
  isOutdated: (state: ViewsState, news: readonly Push[]) => boolean;
  /** how many seconds the resource stays cached after the last component that shows it has unmounted */
  keepFor: number;
  /** how many components show the resource */
  users: number;
  /** when a component that showed the resource last unmounted, in milliseconds since the epoch, or 0 if none has */
  leftAt: number;
  /** the request in flight, or null. Responses to earlier requests are dropped. */
  request: LiveRequest | null;
  /** whether another fetch is needed, because there was none yet or the request in flight may return outdated data */
  stale: boolean;
  /** why the last request failed, or null */
  error: unknown;
}

/** A list. It stores only the ids of its rows. */
export interface LiveList extends Followed {
  type: 'list';
  sort: Sort;
  fits: (view: AnyView) => boolean;
  /** null until the first response */
  ids: readonly string[] | null;
  /** path of the page after the loaded rows, or null when everything is loaded */
  next: string | null;
  /** key of the last loaded row, or null when everything is loaded */
  end: ListKey | null;
  /** ETag of the response that lists exactly these rows, or null once a push has changed which rows there are */
  etag: string | null;
  /** the rows that a hand keeps from moving, or null if there is no hand */
  held: HeldRows | null;
  /** how many rows from the top the screen needs, so that a refetch brings no more, or null for all loaded rows */
  depth: number | null;
  /** the request in flight for the next page, or null */
  page: LiveRequest | null;
  pageError: unknown;
}

/**
 * A list's rows as they were when the pointer, a finger or the focus began to hold them in place (use-hands.ts). While
 * the rows are held, `Known.views` has the newest view of each row, even of a row that has left the list.
 */
export interface HeldRows {
  ids: readonly string[];
  end: ListKey | null;
  /** the views at that moment, whose keys tell where each row was */
  views: ViewMap;
}

/** One or more documents, identified by their ids. */
export interface LiveEntry extends Followed {
  type: 'entry';
  ids: readonly string[];
}

/** A response that isn't a view, and so is fetched again when a push concerns it. */
export interface LiveAnswer<Data = unknown> extends Followed {
  type: 'answer';
  data: Data | null;
}

export type Resource = LiveList | LiveEntry | LiveAnswer;

/**
 * Stores each view once, by kind and id, and each followed resource by path.
 *
 * A push (take-pushes.ts) can affect every resource of its kind. It updates the view of its document, and the document
 * enters, leaves or stays in each list. A response (take-answers.ts) changes only the rows of the resource that
 * requested it, and is merged with the pushes that arrived after the request was sent. In both cases, the highest
 * version of a document wins. Views that nothing shows any more are released (`release`). The last push of a document
 * that isn't in any list is remembered for a while, so that neither an older push nor a stale response brings the
 * document back.
 */
export interface ViewsState {
  known: Readonly<Record<ViewKind, Known>>;
  followed: Readonly<Record<string, Resource>>;
  /** ids of the documents that arrived or changed a moment ago and are highlighted */
  changed: Readonly<Record<string, true>>;
  /** how many times all views were forgotten (`forgetViews`) */
  epoch: number;
}

const NOTHING: Known = { views: NO_VIEWS, recent: new Map() };
export const noViews: ViewsState = {
  known: { order: NOTHING, product: NOTHING, user: NOTHING, review: NOTHING, tracking: NOTHING },
  followed: {},
  changed: {},
  epoch: 0,
};

/** `state` with `changes` applied to the resource that is followed under `key`, if there is one. */
export function patch<R extends Resource>(state: ViewsState, key: string, changes: Partial<R>): ViewsState {
  const resource = state.followed[key];
  if (resource === undefined) return state;
  return { ...state, followed: { ...state.followed, [key]: { ...resource, ...changes } as Resource } };
}

/** Returns `state` with the fields in `known` replaced for one kind, and with the documents in `changed` highlighted. */
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

/** `state` with the rows of a list held as they are now. */
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

/** `state` without the resource that is followed under `key`, and without the views that only it showed. */
export function drop(state: ViewsState, key: string): ViewsState {
  const { [key]: dropped, ...followed } = state.followed;
  return dropped === undefined ? state : release({ ...state, followed }, dropped.kind, idsOf(dropped));
}

/** `state` without those views among `ids` that nothing shows any more. */
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
