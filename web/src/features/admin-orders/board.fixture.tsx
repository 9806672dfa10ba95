import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { act, screen } from '@testing-library/react';
import { showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, SHIPPED } from '../../shop/orders/order.fixture.ts';
import ManageOrdersPage from './manage-orders-page.tsx';

export const shipped = (order: OrderView): OrderView => ({ ...order, ...SHIPPED, version: order.version + 1 });

/** Shows an admin's live board with these orders. */
export function showBoard(orders: OrderView[], answers: Parameters<typeof stubShop>[0] = {}, at = '/?status=paid') {
  const calls = stubShop({ 'GET /orders': () => orders, ...answers });
  const app = showApp([{ path: '/', element: <ManageOrdersPage /> }], at);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  act(() => void app.store.dispatch(wentLive()));
  return { calls, ...app };
}

export const button = (name: string | RegExp) => screen.findByRole('button', { name });
export const rowOf = (order: OrderView) => screen.getByRole('row', { name: new RegExp(order.name) });
