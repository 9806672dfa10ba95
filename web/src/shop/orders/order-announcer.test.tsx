import { MantineProvider } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLayout } from '../../app/app.fixture.tsx';
import { makeStore } from '../../app/store.ts';
import { changed, follow, liveList, takePushes } from '../../live/follow.ts';
import { takeRows } from '../../live/take-answers.ts';
import { type LoadedList, useLive } from '../../live/use-live.ts';
import { orderOf, PAID, SHIPPED } from './order.fixture.ts';
import { OrderAnnouncer } from './order-announcer.tsx';

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LIST = liveList('order', '/orders', ({ cancelledAt }) => cancelledAt === null, { sort: 'oldest' });
const order = (number: number) =>
  orderOf({
    _id: String(number).padStart(24, '0'),
    number: `MC-${number}`,
    placedAt: `2026-01-01T10:0${number}:00.000Z`,
  });

function Announcer() {
  return <OrderAnnouncer list={useLive(({ views }) => views.followed[LIST.path]) as LoadedList} gone="is elsewhere" />;
}

/** Renders a page that follows the list `LIST`. `rows` is the response that the list was loaded from. */
function showList(rows: { views: OrderView[]; next: string | null }) {
  const store = makeStore();
  store.dispatch(follow(LIST));
  store.dispatch(changed('answered', (state) => takeRows(state, LIST.path, { ...rows, etag: null }, 'window')));
  render(
    <Provider store={store}>
      <MantineProvider env="test">
        <Announcer />
      </MantineProvider>
    </Provider>,
  );
  const push = (...pushed: Parameters<typeof pushOf>) => act(() => store.dispatch(takePushes([pushOf(...pushed)])));
  return { store, push };
}

const pushOf = (view: OrderView | null, id = view?._id ?? '') => ({
  kind: 'order' as const,
  id,
  version: view?.version ?? 9,
  view,
});

it('N1 a live region announces that an order has shipped, that a shipment was withdrawn, and that an order has left the list', () => {
  const { push } = showList({ views: [order(1), order(2)], next: null });
  const said = () => screen.getByRole('log').textContent;
  push({ ...order(1), ...SHIPPED });
  expect(said()).toBe('Order MC-1 of 2 × Norwester G7 is shipped.');
  push({ ...order(1), ...PAID, version: 5 });
  expect(said()).toBe('Order MC-1 of 2 × Norwester G7 is not shipped yet, since its shipment was withdrawn.');
  push({ ...order(2), cancelledAt: '2026-01-02T10:00:00.000Z', cancelReason: 'customer', version: 2 });
  expect(said()).toBe('Order MC-2 of 2 × Norwester G7 is elsewhere.');
});

it('N1 LIST1 in an oldest-first list, new orders are announced oldest first, and orders below the last loaded row are not announced', () => {
  const { store } = showList({ views: [order(3)], next: '/orders?cursor=x' });
  act(() => store.dispatch(takePushes([order(4), order(2), order(1)].map((view) => pushOf(view)))));
  expect(screen.getByRole('log').textContent).toBe(
    'New order MC-1: 2 × Norwester G7. New order MC-2: 2 × Norwester G7.',
  );
});

it('PAY7 PAY8 N1 a payment that is being processed, and money that goes back, are announced', () => {
  const { push } = showList({ views: [order(1)], next: null });
  const said = () => screen.getByRole('log').textContent;
  push({ ...order(1), processingUntil: '2026-01-05T10:00:00.000Z', version: 2 });
  expect(said()).toBe('Order MC-1 of 2 × Norwester G7: the payment is being processed.');
  push({ ...order(1), ...PAID, moneyBack: { returned: 0, returning: 500, left: 9 }, version: 4 });
  push({ ...order(1), ...PAID, moneyBack: { returned: 500, returning: 0, left: 9 }, version: 5 });
  expect(said()).toBe('Order MC-1 of 2 × Norwester G7: Refunded ৳500.');
  push({ ...order(1), ...PAID, moneyBack: { returned: 0, returning: 0, left: 509 }, version: 6 });
  expect(said()).toBe('Order MC-1 of 2 × Norwester G7: Refunded ৳500.');
});
