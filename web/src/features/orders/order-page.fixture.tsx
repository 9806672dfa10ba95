import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { act, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { push as pushTo, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, orderOf } from '../../shop/orders/order.fixture.ts';
import type { OrderPageState } from '../../shop/orders/received-payment.ts';
import OrderPage from './order-page.tsx';

export const ID = orderOf()._id;
export const PATH = `/dashboard/myorders/${ID}`;
export const PLACED: TimelineEntry = { type: 'placed', at: '2026-01-01T10:00:00.000Z', version: 1 };

export const halfAnHourAfterPlacing = () =>
  vi.useFakeTimers({ now: Date.parse('2026-01-01T10:30:00.000Z'), toFake: ['Date'] });

let store: ReturnType<typeof showApp>['store'];

/** Renders the page of `order` as its customer sees it. `state` is the router state that the payment page passes on. */
export function show(order: OrderView, answers: Parameters<typeof stubShop>[0] = {}, state?: OrderPageState) {
  const calls = stubShop({
    'GET /orders/:id': () => order,
    [`GET /orders/${ID}/timeline`]: () => [PLACED],
    'GET /promise': () => null,
    ...answers,
  });
  const routes = [
    { path: '/dashboard/myorders/:id', element: <OrderPage /> },
    { path: '/login', element: null },
  ];
  const app = showApp(routes, PATH);
  store = app.store;
  if (state) act(() => void app.router.navigate(PATH, { replace: true, state }));
  act(() => void app.store.dispatch(signedIn(CUSTOMER)));
  return { calls, ...app };
}

export const push = (order: OrderView) => pushTo(store, 'order', order);
export const headline = (name: string) => screen.findByRole('heading', { level: 1, name });
export const steps = () =>
  within(screen.getByRole('list', { name: 'Steps of the order' }))
    .getAllByRole('listitem')
    .map((step) => step.textContent);
