import { afterEach, expect, it, vi } from 'vitest';
import { sessionRefused } from '../api/shop-api.ts';
import { follow } from '../live/follow.ts';
import type { LiveList } from '../live/views.ts';
import { signedIn, signedOut } from '../session/session-slice.ts';
import { orderOf } from '../shop/orders/order.fixture.ts';
import { ordersOf } from '../shop/orders/orders.api.ts';
import { makeStore } from './store.ts';

const RINA = 'rina@micro-center.test';
const KARIM = 'karim@micro-center.test';
const signIn = (email: string) => signedIn({ token: `token of ${email}`, email, name: email, role: 'customer' });

afterEach(() => vi.unstubAllGlobals());

async function storeWithOrdersOfRina() {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify([orderOf({ email: RINA })])));
  const store = makeStore();
  store.dispatch(signIn(RINA));
  const list = ordersOf(RINA);
  store.dispatch(follow(list));
  const orders = () => (store.getState().views.followed[list.path] as LiveList | undefined)?.ids;
  await vi.waitFor(() => expect(orders()).toHaveLength(1));
  return { store, orders };
}

it.each([
  ['signs out', signedOut({ reason: 'by-user' })],
  ['loses the session', sessionRefused()],
  ['is replaced without signing out', signIn(KARIM)],
])('none of the previous user’s data stays in the store if that user %s', async (_how, end) => {
  const { store, orders } = await storeWithOrdersOfRina();
  expect(orders()).toHaveLength(1);
  store.dispatch(end);
  store.dispatch(signIn(KARIM));
  expect(orders()).toBeUndefined();
  expect(JSON.stringify(store.getState())).not.toContain(RINA);
});

it('a user’s data is kept when the same user’s token is renewed', async () => {
  const { store, orders } = await storeWithOrdersOfRina();
  store.dispatch(signedIn({ token: 'a newer one', email: RINA, name: RINA, role: 'customer' }));
  store.dispatch(signIn(RINA));
  expect(orders()).toHaveLength(1);
});
