import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { isBelow, keyOf, placeOf } from './list-order.ts';
import { type AnyView, viewOf, withViews } from './view-map.ts';
import { ENDED, type LiveList, type Push, type Pushes, type ViewsState, withKnown } from './views.ts';

/**
 * The minimum number of recent pushes to remember. A late push arrives within seconds, and far fewer than 1,000
 * documents change in that time.
 */
const REMEMBERED = 1000;

/** Whether a push is newer than the last push of its document, and not older than the view that is shown (LIVE1). */
const isNews = ({ version }: Push, pushed: Push | undefined, shown: AnyView | undefined) =>
  version > (pushed?.version ?? 0) && version >= (shown?.version ?? 0);

/**
 * Returns the pushes that are newer than the known state, and all pushes of documents that this client has cancelled or
 * deleted. Lists never show these documents again, but a document's own page still has to be refetched, e.g. when a
 * late payment for a cancelled order is refunded.
 */
export const newsOf = ({ known }: ViewsState, pushes: readonly Push[]): Push[] =>
  pushes.filter((push) => {
    const { pushes: before, views } = known[push.kind];
    const last = before.get(push.id);
    return last?.version === ENDED || isNews(push, last, viewOf(views, push.id));
  });

type GetView = (id: string) => AnyView | undefined;

/**
 * Inserts a row into `list`, removes it from `list`, or leaves `list` unchanged. Any change assigns a new `ids` array,
 * and drops the ETag, which stands for the old rows. `latest` is the row's last known view, whose key determines the row's position. `visible` is the view to show, or
 * null if no list may show the row. Returns whether the row is now in the list.
 */
function place(list: LiveList, latest: AnyView, visible: AnyView | null, get: GetView): boolean {
  const { ids, sort } = list;
  if (ids === null) return false;
  const key = keyOf(latest);
  const at = placeOf(ids, key, sort, get);
  const isRow = ids[at] === key.id;
  const belongs = visible !== null && list.fits(visible) && (isRow || !isBelow(visible, list));
  if (belongs === isRow) return belongs;
  list.ids = belongs ? ids.toSpliced(at, 0, key.id) : ids.toSpliced(at, 1);
  list.etag = null;
  return belongs;
}

/**
 * Applies pushes. The highest version of each document wins (LIVE1). The cost of a push depends on what it changes, not
 * on how many rows are loaded. A view enters a list only if it fits the list and lies within the loaded rows, and leaves
 * when it no longer fits (LIST1).
 *
 * A push is applied even if a response with the same version of the document arrived before it. That response updated
 * only one list or entry, whereas the push may affect others. The response's view is kept, because the push has none if
 * the document has left all lists, and the document's own page still shows it.
 */
export function applyPushes(state: ViewsState, pushes: readonly Push[]): ViewsState {
  const kinds = new Set(pushes.map(({ kind }) => kind));
  return [...kinds].reduce((now, kind) => applyToKind(now, kind, pushes), state);
}

function applyToKind(state: ViewsState, kind: ViewKind, all: readonly Push[]): ViewsState {
  const pushes = all.filter((push) => push.kind === kind);
  const { views, pushes: before } = state.known[kind];
  const newViews = new Map<string, AnyView | null>();
  const last = new Map(before);
  const changed: string[] = [];
  let { held, count } = state;
  const get = (id: string) => (newViews.has(id) ? (newViews.get(id) ?? undefined) : viewOf(views, id));
  const followed = Object.values(state.followed).filter((resource) => resource.kind === kind);
  const lists = followed.flatMap((resource) => (resource.type === 'list' ? [{ ...resource }] : []));
  const entries = followed.filter((resource) => resource.type === 'entry');
  const isWaiting = lists.some(({ request, page }) => request !== null || page !== null);

  for (const push of pushes) {
    const { id, version } = push;
    const shown = get(id);
    if (!isNews(push, last.get(id), shown)) continue;
    count += 1;
    last.delete(id);
    last.set(id, { ...push, number: count });
    const view = version === shown?.version ? shown : push.view;
    const latest = view ?? shown;
    if (version === ENDED) held = withoutDocument(held, id);
    let isRow = false;
    for (const list of lists) if (latest && place(list, latest, view, get)) isRow = true;
    const isShown = isRow || [...entries, ...Object.values(held)].some(({ ids }) => ids.includes(id));
    if (!isShown && shown !== undefined) newViews.set(id, null);
    if (isShown && view !== null && view !== shown) {
      newViews.set(id, view);
      changed.push(id);
    }
  }

  const moved = lists.filter(({ path, ids }) => ids !== (state.followed[path] as LiveList).ids);
  const known = { views: withViews(views, newViews), pushes: isWaiting ? last : withoutOld(last) };
  return {
    ...withKnown(state, kind, known, changed),
    held,
    count,
    followed: { ...state.followed, ...Object.fromEntries(moved.map((list) => [list.path, list])) },
  };
}

const withoutDocument = (held: ViewsState['held'], ended: string): ViewsState['held'] =>
  Object.fromEntries(
    Object.entries(held).map(([name, { kind, ids }]) => [name, { kind, ids: ids.filter((id) => id !== ended) }]),
  );

/**
 * Drops the oldest pushes if there are too many. While a list is waiting for a response, nothing may be dropped, because
 * the response has to be merged with every push since its request was sent.
 */
function withoutOld(pushes: Pushes): Pushes {
  if (pushes.size <= 2 * REMEMBERED) return pushes;
  return new Map(
    [...pushes].filter(([, { version }], index) => version === ENDED || index >= pushes.size - REMEMBERED),
  );
}
