import { io } from 'socket.io-client';
import { vi } from 'vitest';
import * as z from 'zod/mini';
import { orderViewSchema } from '../../services/contracts/views.ts';
import { call, type Person } from '../../services/whole-shop/shop-client.fixture.ts';

export type LiveClient = Awaited<ReturnType<typeof openLiveClient>>;

/**
 * A browser's store with its own copy of every module, following one person's orders at a shop, its connection in our
 * hands. `window.location.origin` has to be stubbed with the shop's address.
 */
export async function openLiveClient(url: string, person: Person, role: 'admin' | 'customer') {
  // As browsers run it: the store's checks of a development build take longer than what they check.
  vi.stubEnv('NODE_ENV', 'production');
  vi.resetModules();
  const { makeStore } = await import('../src/app/store.ts');
  const { startLive } = await import('../src/live/live-socket.ts');
  const { ordersApi } = await import('../src/shop/orders/orders.api.ts');
  const { adminOrdersApi } = await import('../src/features/admin-orders/admin-orders.api.ts');
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
  const list =
    role === 'admin'
      ? () => adminOrdersApi.endpoints.listOrders.select({})(store.getState()).data
      : () => ordersApi.endpoints.listMyOrders.select(person.email)(store.getState()).data;
  if (role === 'admin') store.dispatch(adminOrdersApi.endpoints.listOrders.initiate({}));
  else store.dispatch(ordersApi.endpoints.listMyOrders.initiate(person.email));
  const path = role === 'admin' ? '/orders?' : `/individual?email=${person.email}&`;
  return {
    person,
    /** the first page of the same list, as the API answers it now */
    truth: async (limit = 200) => {
      const answer = await call(url, 'GET', `${path}sort=newest&limit=${limit}`, { token: person.token });
      return z.array(orderViewSchema).parse(answer.body);
    },
    rows: () => list()?.items,
    isLive: () => store.getState().live.state === 'live',
    /** As when a cable is pulled: no goodbye in either direction. */
    cut: () => socket.io.engine?.close(),
    end,
  };
}
