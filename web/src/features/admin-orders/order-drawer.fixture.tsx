import { act, screen, within } from '@testing-library/react';
import { useRef } from 'react';
import { showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID, productOf, updated } from '../../shop/orders/order.fixture.ts';
import { BoardContext } from './board-context.ts';
import { OrderDrawer } from './order-drawer.tsx';
import { useShipping } from './use-shipping.ts';

export const { _id: ID, productId } = orderOf();

/** Shows a board page with one row. If the URL `at` contains the order's id, the order's drawer is open. */
export function showDrawer(order = orderOf(PAID), answers: Parameters<typeof stubShop>[0] = {}, at = '/') {
  const sent: { path: string; body: unknown }[] = [];
  const take = ({ url, body }: { url: URL; body: unknown }) => {
    sent.push({ path: url.pathname, body });
    return updated;
  };
  const calls = stubShop({
    [`GET /orders/${ID}`]: () => order,
    [`GET /orders/${ID}/timeline`]: () => [],
    [`GET /orders/${ID}/tracking`]: () => ({ token: null }),
    [`GET /products/${productId}`]: () => productOf(),
    'PUT /orders/:id': take,
    [`PUT /orders/${ID}/parcel`]: take,
    [`POST /orders/${ID}/withdrawal`]: take,
    ...answers,
  });
  const board = (
    <main id="content" tabIndex={-1}>
      <button type="button">A row</button>
      <Drawer />
    </main>
  );
  const app = showApp(
    [
      { path: '/', element: board },
      { path: '/before', element: null },
    ],
    at,
  );
  act(() => {
    app.store.dispatch(signedIn(ADMIN));
    app.store.dispatch(wentLive());
  });
  return { sent, calls, ...app };
}

function Drawer() {
  const shipping = useShipping();
  const [rows, focusFrom, scanTo] = [useRef(null), useRef(null), useRef(null)];
  return (
    <BoardContext value={{ shipping, actions: null, rows, focusFrom, scanTo }}>
      <OrderDrawer />
    </BoardContext>
  );
}

/** Calls `showDrawer`, then opens the order. */
export async function openDrawer(...shown: Parameters<typeof showDrawer>) {
  const app = showDrawer(...shown);
  const opener = screen.getByRole('button', { name: 'A row' });
  act(() => opener.focus());
  await act(() => app.router.navigate(`/?status=paid&order=${ID}`));
  const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
  return { ...app, opener, drawer };
}
