import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, push } from '../../app/app.fixture.tsx';
import { paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { button, shipped, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('the filters', () => {
  it('W4 the board refetches its order counts only after the request to ship the selected orders has completed', async () => {
    // Fake timers are installed first, because loading the orders sets a timer that must follow the fake clock.
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let [answer, counted] = [(_: object) => {}, 0];
    const { store } = showBoard([paid(2), paid(1)], {
      'GET /board/counts': () => {
        counted += 1;
        return { all: 2, unpaid: 0, paid: 2, shipped: 0 };
      },
      'POST /shipments': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await screen.findByText('All 2, To deliver 2', { exact: false });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button(/^Ship 2/));
    const before = counted;
    push(store, 'order', shipped(paid(1)));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(counted).toBe(before);
    answer([paid(2), paid(1)].map(({ _id }) => ({ id: _id, outcome: 'shipped', version: 4, shipment: 1 })));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(counted).toBeGreaterThan(before);
  });

  it.each([
    ['', 'No orders here'],
    ['?status=paid', 'Everything is shipped'],
    ['?status=unpaid', 'Every order is paid'],
    ['?status=shipped', 'Nothing is shipped yet'],
  ])('W4 an empty order list with the query %j says why there are no orders', async (search, title) => {
    showBoard([], {}, `/${search}`);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });

  it('W4 each filter shows how many orders match it', async () => {
    showBoard([paid(1)], { 'GET /board/counts': () => ({ all: 1234, unpaid: 3, paid: 1, shipped: 1230 }) });
    await screen.findByText('All 1234, To deliver 1, Payment pending 3, Shipped 1230');
    expect(screen.getByRole('radio', { name: 'To deliver' })).toBeTruthy();
  });
});
