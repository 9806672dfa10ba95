import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import type { ReaderApi } from '../api/shop-api.ts';
import type { ListKey, Sort } from './list-order.ts';
import { type AnyView, NO_VIEWS, type ViewMap, withViews } from './view-map.ts';

/** One change to a document. `view` is null if the document is no longer in any list. */
export interface Push<K extends ViewKind = ViewKind> {
  kind: K;
  id: string;
  version: number;
  view: Views[K] | null;
}

/**
 * The version assigned to a document that this client itself has cancelled or deleted. It is higher than any real
 * version, so no push brings the document back.
 */
export const ENDED = Number.MAX_SAFE_INTEGER;
/** The last push of each document by its id, in order of arrival, each with its number (`ViewsState.count`). */
export type Pushes = ReadonlyMap<string, Push & { number: number }>;

/** The client's copy of the documents of one kind. */
export interface Known {
  /** the newest view of each document that a followed resource shows */
  views: ViewMap;
  /** Old pushes are forgotten, but not while a list waits for a response. */
  pushes: Pushes;
}

/** Gives a request access to the API and to the current state. */
export interface LiveApi extends ReaderApi {
  getState(): { views: ViewsState };
}

export type Transition = (state: ViewsState) => ViewsState;

/** The fields that all followed resources share, including the state of their requests. */
interface Followed {
  kind: ViewKind;
  /** the path that the resource is fetched from. A list's path doesn't include the size of its window. */
  path: string;
  /** how long the resource stays cached once no component shows it any more, in seconds */
  keepFor: number;
  /** how many components show the resource */
  users: number;
  /**
   * when a component last stopped showing the resource, by the page's monotonic clock, or 0 if that has never happened
   */
  leftAt: number;
  /**
   * the number of the request in flight, or null. Responses to earlier requests are dropped. The response is merged
   * with the pushes that have higher numbers.
   */
  request: number | null;
  /**
   * whether a fetch is needed, either because there hasn't been one yet or because the request in flight may return
   * outdated data
   */
  stale: boolean;
  /** why the last request failed, or null */
  error: unknown;
}

/**
 * A followed list: the rows of its last response, plus the pushes since that response was requested. It stores only the
 * ids of its rows, whose views are in `Known.views`.
 */
export interface LiveList extends Followed {
  type: 'list';
  sort: Sort;
  fits: (view: AnyView) => boolean;
  /** null until the first response */
  ids: readonly string[] | null;
  /** the rows that aren't loaded: the path of their first page, and the sort key of the row above them */
  rest: { path: string; after: ListKey } | null;
  /** the ETag of a response that contained exactly the list's current rows, or null if no response did */
  etag: string | null;
  /**
   * how many rows, counted from the top, the screen needs. Null means all loaded rows. A refetch loads only this many
   * rows, but at least `FIRST_ROWS`.
   */
  depth: number | null;
  /** the number of the request in flight for the next page, or null */
  page: number | null;
  pageError: unknown;
}

/**
 * The documents that the pointer, a finger or the focus holds in place (use-steady-ids.ts). Meanwhile, `Known.views` has
 * the newest view of each document, even if it has left its list. `kind` is null if the documents aren't live views.
 */
interface Held {
  kind: ViewKind | null;
  ids: readonly string[];
}

interface Refetched extends Followed {
  /** fetches the resource and resolves with the state transition that applies the response */
  ask: (api: LiveApi) => Promise<Transition>;
  /** whether the resource has to be fetched again after a push of its kind */
  isOutdatedBy: (push: Push) => boolean;
}

/** One or more documents, identified by their ids. */
export interface LiveEntry extends Refetched {
  type: 'entry';
  ids: readonly string[];
}

/**
 * A response that isn't stored as views. Pushes can't update the response, so it is refetched after each push that
 * affects it.
 */
export interface LiveAnswer<Data = unknown> extends Refetched {
  type: 'answer';
  data: Data | null;
}

export type Resource = LiveList | LiveEntry | LiveAnswer;

/**
 * Stores each view once, by kind and id, and each followed resource by path.
 *
 * A push (apply-pushes.ts) describes one document. It updates that document's view, and can add the document to any list
 * of its kind or remove it from one.
 *
 * A response (take-answers.ts) updates only the documents of the resource that requested it. It is merged with the
 * pushes that arrived after the request was sent. For each document, the highest version wins.
 *
 * Views that nothing shows any more are released (`release`). The last push of each document is remembered for a while.
 * Otherwise, an older push or a stale response could bring back a document that has left the lists.
 */
export interface ViewsState {
  known: Readonly<Record<ViewKind, Known>>;
  followed: Readonly<Record<string, Resource>>;
  /** the documents held in place, by the name of their list */
  held: Readonly<Record<string, Held>>;
  /** ids of the documents that are highlighted because they have just arrived or changed */
  changed: Readonly<Record<string, true>>;
  /** how many pushes have arrived and how many requests have been sent. It numbers both in their order. */
  count: number;
  /** how many times `forgetViews` has dropped all views */
  epoch: number;
}

const NOTHING: Known = { views: NO_VIEWS, pushes: new Map() };
export const noViews: ViewsState = {
  known: { order: NOTHING, product: NOTHING, user: NOTHING, review: NOTHING, tracking: NOTHING },
  followed: {},
  held: {},
  changed: {},
  count: 0,
  epoch: 0,
};

/**
 * Returns `state` with `changes` applied to the followed resource at `key`, or `state` itself if there is no such
 * resource.
 */
export function patch<R extends Resource>(state: ViewsState, key: string, changes: Partial<R>): ViewsState {
  const resource = state.followed[key];
  if (resource === undefined) return state;
  return { ...state, followed: { ...state.followed, [key]: { ...resource, ...changes } as Resource } };
}

/** Returns `state` with one kind's fields updated from `known`, and with the documents in `changed` highlighted. */
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

/** Returns `state` with the documents in `ids` held in place, instead of those that the list held before. */
export function hold(state: ViewsState, name: string, kind: ViewKind | null, ids: readonly string[]): ViewsState {
  const free = letMove(state, name);
  return { ...free, held: { ...free.held, [name]: { kind, ids } } };
}

/** Returns `state` with the list's documents no longer held in place. */
export function letMove(state: ViewsState, name: string): ViewsState {
  const { [name]: before, ...held } = state.held;
  if (before === undefined) return state;
  return before.kind === null ? { ...state, held } : release({ ...state, held }, before.kind, before.ids);
}

/** Returns `state` without the followed resource at `key`, and without the views that only this resource used. */
export function drop(state: ViewsState, key: string): ViewsState {
  const { [key]: dropped, ...followed } = state.followed;
  return dropped === undefined ? state : release({ ...state, followed }, dropped.kind, idsOf(dropped));
}

/** Returns `state` without the views in `ids` that nothing shows any more. */
export function release(state: ViewsState, kind: ViewKind, ids: readonly string[]): ViewsState {
  const shown = new Set([...Object.values(state.followed), ...Object.values(state.held)].flatMap(idsOf));
  const unshown = ids.filter((id) => !shown.has(id));
  return withKnown(state, kind, {
    views: withViews(state.known[kind].views, new Map(unshown.map((id) => [id, null]))),
  });
}

const idsOf = (shows: Resource | Held): readonly string[] => ('ids' in shows && shows.ids) || [];
