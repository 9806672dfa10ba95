import { configureStore, type Middleware } from '@reduxjs/toolkit';
import type {
  BrowserHost,
  BrowserPage,
  Shown,
  SimulatedBrowser,
} from '../../services/whole-shop/simulation/browser.ts';
import { type Requests, shopApi } from '../src/api/shop-api.ts';
import { boardOrders, chosenOrders } from '../src/features/admin-orders/admin-orders.api.ts';
import { usersFound } from '../src/features/admin-users/admin-users.api.ts';
import { createFirstConnection } from '../src/live/first-connection.ts';
import { fetchLive, follow, type LivePage, type LiveRoot, unfollow, viewsReducer } from '../src/live/follow.ts';
import { liveSlice, selectIsLive } from '../src/live/live-slice.ts';
import { handshakeOf, startLive } from '../src/live/live-socket.ts';
import type { SocketPage } from '../src/live/socket-page.ts';
import { type AnyView, viewOf } from '../src/live/view-map.ts';
import type { Resource, ViewsState } from '../src/live/views.ts';
import { sessionSlice, signedIn, signedOut } from '../src/session/session-slice.ts';
import { cancelledOrdersOf, ordersOf, orderWith, timelineOf } from '../src/shop/orders/orders.api.ts';
import { productsFound, productWith } from '../src/shop/products/product.api.ts';
import { allReviews, reviewsOf } from '../src/shop/reviews/reviews.api.ts';
import { createSimulatedSocket } from './simulated-socket.ts';

/** The time between two frames, in milliseconds. */
const FRAME_MS = 16;
const RETRY_MS = 600;

// The client resolves paths relative to its page. Only the origin is used.
Object.assign(globalThis, { window: { location: { origin: 'https://shop.test' } } });

/** Returns the resources that a page of the client shows. The page's components follow the same resources. */
function resourcesOf(page: BrowserPage): Resource[] {
  switch (page.name) {
    case 'orders':
      return [ordersOf(page.email), cancelledOrdersOf(page.email)];
    case 'order':
      return [orderWith(page.id), timelineOf(page.id)];
    case 'board':
      return [boardOrders({ status: page.status, q: page.q })];
    case 'chosen orders':
      return chosenOrders(page.ids);
    case 'catalogue':
      return [productsFound({ q: '', inStock: page.inStock }), allReviews];
    case 'product':
      return [productWith(page.id), reviewsOf(page.item)];
    case 'users':
      return [usersFound(undefined)];
  }
}

/** Opens a browser that has the client's store and live layer, and shows pages without rendering them. */
export function openBrowser(host: BrowserHost): SimulatedBrowser {
  let isHidden = false;
  let shows: Resource[] = [];
  const listeners = new Set<() => void>();
  const page: SocketPage = {
    schedule: host.schedule,
    now: host.now,
    random: host.random,
    isHidden: () => isHidden,
    frame: (callback) => host.schedule(FRAME_MS, callback),
    onVisibilityChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const first = createFirstConnection(page);
  const requests: Requests = {
    async send({ path, headers }, token) {
      const answer = await host.request({ path, token, etag: headers?.['if-none-match'] ?? null });
      if (answer === null) throw new Error('No response arrived.');
      const { status, body, etag, link } = answer;
      if (isOutdated(store.getState().views, body)) host.note('a push arrived before a response that it outdates');
      const fields: Record<string, string | null> = { etag, link };
      return {
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => fields[name] ?? null },
        text: async () => JSON.stringify(body),
      };
    },
    backoff: (attempt) =>
      new Promise((resolve) => host.schedule((host.random() + 0.4) * RETRY_MS * 2 ** attempt, resolve)),
  };
  const extraArgument: LivePage = { page, first, ...requests };
  /** Returns the version of each document that the page shows. Two lists of a page may show a document at two versions. */
  const versionsShown = (views: ViewsState) =>
    new Map(
      shows
        .flatMap(({ path }) => shownOf(views, path))
        .flatMap(({ path, content }) => versionsOf(content).map(([id, version]) => [`${id} in ${path}`, version])),
    );
  const watchAnswers: Middleware = (api) => (next) => (action) => {
    if ((action as { type: string }).type !== 'views/answered') return next(action);
    const before: ViewsState = api.getState().views;
    const result = next(action);
    const after = (api.getState() as LiveRoot).views;
    if (Object.keys(after.changed).some((id) => !(id in before.changed)))
      host.note('a response brought changes that a browser had not got yet');
    const shownBefore = versionsShown(before);
    for (const [shown, version] of versionsShown(after)) {
      if (version < (shownBefore.get(shown) ?? 0)) host.fault(`LIVE1 a response replaced a newer view of ${shown}`);
    }
    return result;
  };
  const store = configureStore({
    reducer: {
      session: sessionSlice.reducer,
      live: liveSlice.reducer,
      views: viewsReducer,
      [shopApi.reducerPath]: shopApi.reducer,
    },
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false, thunk: { extraArgument } }).concat(
        shopApi.middleware,
        watchAnswers,
      ),
  });
  startLive(store, first, () => createSimulatedSocket(host, () => handshakeOf(store.getState())), page);

  return {
    useToken(token, email) {
      if (store.getState().session.token === token) return;
      if (token === null) store.dispatch(signedOut({ reason: 'by-user' }));
      else store.dispatch(signedIn({ token, email, name: email, role: 'customer' }));
    },
    token: () => store.getState().session.token,
    open(asked) {
      const before = shows;
      shows = resourcesOf(asked);
      for (const resource of shows) store.dispatch(follow(resource));
      for (const { path } of before) store.dispatch(unfollow(path));
    },
    tryAgain() {
      const { views } = store.getState();
      const isMissing = (content: unknown) => content === null || (Array.isArray(content) && content.length === 0);
      for (const { path, content, errorStatus } of shows.flatMap((resource) => shownOf(views, resource.path))) {
        if (errorStatus !== null && isMissing(content)) void store.dispatch(fetchLive(path));
      }
    },
    setHidden(hidden) {
      if (isHidden === hidden) return;
      isHidden = hidden;
      for (const tell of listeners) tell();
    },
    isLive: () => selectIsLive(store.getState()),
    shown: () => shows.flatMap(({ path }) => shownOf(store.getState().views, path)),
  };
}

/** Whether a response contains an older version of a document than the page already knows. */
function isOutdated({ known }: ViewsState, body: unknown): boolean {
  const versionOf = (id: string) =>
    Object.values(known).map(({ views, pushes }) => (viewOf(views, id) ?? pushes.get(id))?.version ?? 0);
  const isOld = ({ _id, version }: AnyView) => versionOf(_id).some((newest) => newest > version);
  return Array.isArray(body) && body.filter(isView).some(isOld);
}

const isView = (item: unknown): item is AnyView => typeof item === 'object' && item !== null && '_id' in item;

/** Returns the id and version of each document in a page's content. */
function versionsOf(content: unknown): [id: string, version: number][] {
  const items = Array.isArray(content) ? content : [content];
  return items.filter(isView).map(({ _id, version }) => [_id, version]);
}

/** Returns what a page shows of one resource. */
function shownOf({ followed, known }: ViewsState, path: string): Shown[] {
  const resource = followed[path];
  if (resource === undefined) return [];
  const { views } = known[resource.kind];
  const viewsOf = (ids: readonly string[]) => ids.flatMap((id) => viewOf(views, id) ?? []);
  const error = resource.error as { status: number } | null;
  const shown = { path, isPart: false, errorStatus: error?.status ?? null };
  switch (resource.type) {
    case 'list':
      return [{ ...shown, content: resource.ids && viewsOf(resource.ids), isPart: resource.rest !== null }];
    case 'entry':
      return [{ ...shown, content: viewsOf(resource.ids) }];
    case 'answer':
      return [{ ...shown, content: resource.data }];
  }
}
