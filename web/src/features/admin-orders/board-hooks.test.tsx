import type { BoardCounts } from '@micro-center/services/contracts/order/order-answers.ts';
import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push, stubShop } from '../../app/app.fixture.tsx';
import { listenersOf } from '../../app/listeners.fixture.ts';
import { type AppStore, makeStore } from '../../app/store.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID } from '../../shop/orders/order.fixture.ts';
import { BoardNews } from './board-news.tsx';
import { useBoardCounts } from './use-board-figures.ts';
import { usePacking, usePackingIsOff } from './use-packing.ts';

const { _id: ID } = orderOf();
const NONE: BoardCounts = { all: 0, unpaid: 0, paid: 0, shipped: 0 };
const MINUTE = 60_000;

let store: AppStore;
let calls: string[];
beforeEach(() => {
  vi.useFakeTimers();
  store = makeStore();
  store.dispatch(signedIn(ADMIN));
  calls = stubShop({
    'GET /board/counts': () => NONE,
    'GET /packing': () => problem('packing_unavailable'),
    [`PUT /packing/${ID}`]: () => ({ order: ID, by: { id: 'a', name: 'Farhana' }, left: 2 * MINUTE }),
    [`DELETE /packing/${ID}`]: () => ({ acknowledged: true, deletedCount: 1 }),
  });
});
afterEach(closeApp);

const show = (hook: () => unknown) =>
  renderHook(hook, { wrapper: ({ children }) => <Provider store={store}>{children}</Provider> });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const times = (call: string) => calls.filter((one) => one === call).length;

describe('the board’s order counts', () => {
  const asked = () => times('GET /board/counts');
  const change = (version: number) => push(store, 'order', { ...orderOf(PAID), version });

  it('BOARD1 the board’s order counts are refetched after every order change, not only after the first', async () => {
    show(() => useBoardCounts(undefined));
    await pass(1_000);
    for (let changes = 0; changes < 3; changes += 1) {
      expect(asked()).toBe(1 + changes);
      change(4 + changes);
      await pass(1_000);
    }
    expect(asked()).toBe(4);
  });

  it.each([
    ['before an order changes', 0],
    ['after an order changes but before the refetch', 1],
  ])('BOARD1 the board’s order counts are not refetched if the admin leaves the board %s', async (_, changesBefore) => {
    const { unmount } = show(() => useBoardCounts(undefined));
    await pass(10);
    for (let changes = 0; changes < changesBefore; changes += 1) change(4);
    unmount();
    const timers = vi.getTimerCount();
    change(5);
    expect(vi.getTimerCount()).toBe(timers);
    await pass(10_000);
    expect(asked()).toBe(1);
  });
});

describe('the board’s notifications', () => {
  it('W11 leaving the board removes the board’s visibilitychange listener', async () => {
    const listeners = listenersOf(document);
    const { unmount } = show(BoardNews);
    expect(listeners()).toContain('visibilitychange');
    unmount();
    expect(listeners()).not.toContain('visibilitychange');
    vi.restoreAllMocks();
  });
});

describe('packing', () => {
  it('W10 PACK1 a packing claim is renewed every minute while its order is open, and released once the order is closed', async () => {
    const { unmount } = show(() => usePacking(ID, true));
    await pass(2 * MINUTE);
    expect(times(`PUT /packing/${ID}`)).toBe(3);
    unmount();
    await pass(10 * MINUTE);
    expect([times(`PUT /packing/${ID}`), times(`DELETE /packing/${ID}`)]).toEqual([3, 1]);
  });

  it('W10 PACK1 while packing claims are unavailable, an open board retries loading them every minute', async () => {
    const { unmount } = show(usePackingIsOff);
    await pass(1_000);
    const before = times('GET /packing');
    await pass(2 * MINUTE);
    expect(times('GET /packing')).toBe(before + 2);
    unmount();
    await pass(10 * MINUTE);
    expect(times('GET /packing')).toBe(before + 2);
  });
});
