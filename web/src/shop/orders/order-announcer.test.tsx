import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLayout } from '../../app/app.fixture.tsx';
import { makeStore } from '../../app/store.ts';
import { changed, follow, liveList, takePushes } from '../../live/follow.ts';
import { keyOf } from '../../live/list-order.ts';
import { type LoadedList, useLive } from '../../live/use-live.ts';
import { takeRows } from '../../live/views.ts';
import { orderOf } from './order.fixture.ts';
import { OrderAnnouncer } from './order-announcer.tsx';

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LIST = liveList('order', '/orders', () => true, { sort: 'oldest' });
const order = (number: number) =>
  orderOf({
    _id: String(number).padStart(24, '0'),
    number: `MC-${number}`,
    placedAt: `2026-01-01T10:0${number}:00.000Z`,
  });

function Announcer() {
  return <OrderAnnouncer list={useLive(({ views }) => views.followed[LIST.path]) as LoadedList} />;
}

it('N1 LIST1 of a list that is oldest first changes are said in its order, and those below its end are not', () => {
  const store = makeStore();
  const rows = { views: [order(3)], next: '/orders?cursor=x', end: keyOf(order(3)), etag: null };
  store.dispatch(follow(LIST));
  store.dispatch(changed('answered', (state) => takeRows(state, LIST.path, rows, 'window')));
  render(
    <Provider store={store}>
      <MantineProvider env="test">
        <Announcer />
      </MantineProvider>
    </Provider>,
  );
  const pushes = [order(4), order(2), order(1)].map((view) => ({
    kind: 'order' as const,
    id: view._id,
    version: 1,
    view,
  }));
  act(() => store.dispatch(takePushes(pushes)));
  expect(screen.getByRole('log').textContent).toBe(
    'New order MC-1: 2 × Norwester G7. New order MC-2: 2 × Norwester G7.',
  );
});
