import { io } from 'socket.io-client';
import { vi } from 'vitest';
import * as z from 'zod/mini';
import { orderViewSchema } from '../../services/contracts/order/order-view.ts';
import { call, type Person } from '../../services/whole-shop/shop-client.fixture.ts';
import type { Sort } from '../src/live/list-order.ts';

export type LiveClient = Awaited<ReturnType<typeof openLiveClient>>;

/**
 * Opens the store of one browser, with its own copy of every module. The store follows one person's orders in a shop,
 * and the test controls the store's connection. `window.location.origin` must be stubbed with the shop's address.
 */
export async function openLiveClient(url: string, person: Person, role: 'admin' | 'customer', sort: Sort = 'newest') {
  // Uses the production build, as browsers do. In a development build, the store's checks take longer than its work.
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => {}, removeEventListener: () => {} });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => setTimeout(frame, 16));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  vi.stubGlobal('sessionStorage', {});
  vi.resetModules();
  const { makeStore } = await import('../src/app/store.ts');
  const { startLive } = await import('../src/live/live-socket.ts');
  const { follow, liveList } = await import('../src/live/follow.ts');
  const { viewOf } = await import('../src/live/view-map.ts');
  const { ordersOf } = await import('../src/shop/orders/orders.api.ts');
  const { boardOrders } = await import('../src/features/admin-orders/admin-orders.api.ts');
  const { signedIn } = await import('../src/session/session-slice.ts');
  const store = makeStore();
  store.dispatch(signedIn({ token: person.token, email: person.email, name: 'x', role }));
  const socket = io(url, {
    transports: ['websocket'],
    autoConnect: false,
    reconnectionDelay: 5,
    reconnectionDelayMax: 50,
    auth: { token: person.token },
  });
  const end = startLive(store, undefined, () => socket);
  const whole = role === 'admin' ? boardOrders({}) : ordersOf(person.email);
  const path = role === 'admin' ? '/orders?' : `/individual?email=${person.email}&`;
  const list = sort === 'newest' ? whole : liveList('order', path.slice(0, -1), whole.fits, { sort });
  store.dispatch(follow(list));
  const rows = () => {
    const { followed, known } = store.getState().views;
    const shown = followed[list.path];
    return shown?.type === 'list'
      ? shown.ids?.map((id) => orderViewSchema.parse(viewOf(known.order.views, id)))
      : undefined;
  };
  return {
    person,
    sort,
    /** the first page of the same list, as the API returns it now */
    truth: async (limit = 200) => {
      const answer = await call(url, 'GET', `${path}sort=${sort}&limit=${limit}`, { token: person.token });
      return z.array(orderViewSchema).parse(answer.body);
    },
    rows,
    isLive: () => store.getState().live.state === 'live',
    /** Closes the transport as if a cable were pulled: socket.io sends no disconnect packet in either direction. */
    cut: () => socket.io.engine?.close(),
    end,
  };
}
