import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { isBelow, keyOf, placeOf } from './list-order.ts';
import { type AnyView, viewOf, withViews } from './view-map.ts';
import { ENDED, type HeldRows, type LiveList, type Push, type Pushes, type ViewsState, withKnown } from './views.ts';

/** How many pushes are remembered: a push comes seconds late, not thousands of changes late. */
const REMEMBERED = 1000;

/** Whether a push says more than the last push of its document, and no less than the view that is shown (LIVE1). */
const isNews = ({ version }: Push, pushed: Push | undefined, shown: AnyView | undefined) =>
  version > (pushed?.version ?? 0) && version >= (shown?.version ?? 0);

/**
 * The pushes that say something new. Those of a document that this client has ended always do: no list takes it back, but its page
 * has to be asked for again, e.g. when a late payment of a cancelled order is refunded.
 */
export const newsOf = ({ known }: ViewsState, pushes: readonly Push[]): Push[] =>
  pushes.filter((push) => {
    const { recent, views } = known[push.kind];
    const last = recent.get(push.id);
    return last?.version === ENDED || isNews(push, last, viewOf(views, push.id));
  });

type GetView = (id: string) => AnyView | undefined;

/**
 * Lets a row enter, leave or stay in `list`, whose ids are replaced. `visible` is null if no list may show the row; `latest` is the
 * last view of it, whose key says where it stands. Returns whether it is a row of the list now.
 */
function place(list: LiveList, latest: AnyView, visible: AnyView | null, get: GetView): boolean {
  const { ids, sort } = list;
  if (ids === null) return false;
  const key = keyOf(latest);
  const at = placeOf(ids, key, sort, get);
  const isRow = ids[at] === key.id;
  const belongs = visible !== null && list.fits(visible) && (isRow || !isBelow(visible, list.end, sort));
  if (belongs && !isRow) list.ids = ids.toSpliced(at, 0, key.id);
  if (!belongs && isRow) list.ids = ids.toSpliced(at, 1);
  return belongs;
}

/** Whether a hand holds the row of `view` in the list, so that its view is needed even if it has left. */
function isHeld({ held, sort }: LiveList, view: AnyView): boolean {
  if (held === null) return false;
  const at = placeOf(held.ids, keyOf(view), sort, (id) => viewOf(held.views, id));
  return held.ids[at] === view._id;
}

/**
 * Applies pushes of one kind: the highest version of each document wins (LIVE1). Each push costs what it changes, whatever is
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
    if (!isNews(push, newPushes.get(id) ?? recent.get(id), shown)) continue;
    const view = version === shown?.version ? shown : push.view;
    const latest = view ?? shown;
    if (version === ENDED) for (const { now } of lists) now.held = withoutRow(now.held, id);
    let isRow = false;
    for (const { now } of lists) if (latest && place(now, latest, view, get)) isRow = true;
    // A row has its version in its view. A held row or an entry may be let go, and its version would be forgotten.
    if (!isRow || isWaiting) newPushes.set(id, push);
    const isShown = isRow || entries.has(id) || lists.some(({ now }) => latest && isHeld(now, latest));
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
