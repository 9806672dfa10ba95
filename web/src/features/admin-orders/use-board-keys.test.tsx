import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { act, createEvent, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Outlet } from 'react-router-dom';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeApp, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, paidOrder as paid, productOf, updated } from '../../shop/orders/order.fixture.ts';
import { setServerClock } from '../../ui/server-clock.ts';
import ManageOrdersPage from './manage-orders-page.tsx';
import { useBoardKeys } from './use-board-keys.ts';

afterEach(closeApp);

function show(answers: Parameters<typeof stubShop>[0] = {}, at = '/?status=paid') {
  const shipped: string[] = [];
  const asked: string[] = [];
  stubShop({
    'GET /orders': ({ url }) => {
      asked.push(url.search);
      return [paid(1), paid(2)];
    },
    'GET /orders/:id': () => paid(1),
    'PUT /orders/:id': ({ url }) => {
      shipped.push(url.pathname);
      return updated;
    },
    [`GET /orders/${paid(1)._id}/timeline`]: () => [],
    [`GET /orders/${paid(1)._id}/tracking`]: () => ({ token: null }),
    [`GET /products/${paid(1).productId}`]: () => productOf(),
    ...answers,
  });
  const frame = (
    <main id="content" tabIndex={-1}>
      <Link to="/">Menu</Link>
      <Outlet />
    </main>
  );
  const children = [
    { path: '/', element: <ManageOrdersPage /> },
    { path: '/before', element: null },
  ];
  const app = showApp([{ element: frame, children }], at);
  act(() => {
    app.store.dispatch(signedIn(ADMIN));
    app.store.dispatch(wentLive());
  });
  return { shipped, asked, ...app };
}

const numberOf = (order: OrderView) => screen.findByRole('button', { name: `Open order ${order.number}` });

let clock = 0;
/**
 * Presses keys on the focused element without a pause. The events have timestamps 100 ms apart, as if a person had
 * pressed the keys.
 */
function press(...keys: string[]): void {
  for (const key of keys) {
    clock += 100;
    const pressed = createEvent.keyDown(document.activeElement ?? document.body, { key });
    Object.defineProperty(pressed, 'timeStamp', { value: clock });
    fireEvent(document.activeElement ?? document.body, pressed);
  }
}
/** Presses a key and waits until it can no longer be part of a scan. */
async function pressAlone(key: string): Promise<void> {
  press(key);
  await act(() => new Promise((resolve) => setTimeout(resolve, 40)));
}

describe('the board’s keyboard shortcuts', () => {
  it('W5 if no element has the focus, j moves to the first order and s ships it', async () => {
    const { shipped } = show();
    const first = await numberOf(paid(1));
    expect(document.activeElement).toBe(document.body);
    await pressAlone('j');
    expect(document.activeElement).toBe(first);
    await pressAlone('s');
    await waitFor(() => expect(shipped).toEqual([`/orders/${paid(1)._id}`]));
    await pressAlone('?');
    expect(await screen.findByRole('dialog', { name: 'Keys of the board' })).toBeTruthy();
  });

  it('W5 the board’s keyboard shortcuts work while the menu link that opens the board has the focus', async () => {
    show();
    const first = await numberOf(paid(1));
    act(() => screen.getByRole('link', { name: 'Menu' }).focus());
    await pressAlone('j');
    expect(document.activeElement).toBe(first);
    act(() => screen.getByRole('link', { name: 'Menu' }).focus());
    await pressAlone('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search orders' }));
  });

  it('W5 the board’s keyboard shortcuts do nothing in input fields and dialogs', async () => {
    const { shipped, router } = show();
    const first = await numberOf(paid(1));
    act(() => screen.getByRole('searchbox', { name: 'Search orders' }).focus());
    await pressAlone('j');
    await pressAlone('x');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search orders' }));
    expect(screen.queryByText('1 selected')).toBeNull();
    act(() => first.focus());
    await pressAlone('x');
    screen.getByText('1 selected');
    await pressAlone('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keys of the board' });
    act(() => within(dialog).getByRole('button', { name: 'Turn the keys off' }).focus());
    await pressAlone('s');
    await pressAlone('1');
    // The board's keys still do nothing once the dialog has lost the focus to the body.
    act(() => (document.activeElement as HTMLElement).blur());
    await pressAlone('s');
    expect(shipped).toEqual([]);
    expect(router.state.location.search).toBe('?status=paid');
  });

  it('W5 the board’s keyboard shortcuts do nothing while the order drawer has the focus', async () => {
    const { shipped, router } = show({}, '/before');
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(min-width: 80em)',
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    await act(() => router.navigate('/?status=paid'));
    await numberOf(paid(1));
    await pressAlone('j');
    await pressAlone('x');
    await screen.findByText('1 selected');
    await act(() => router.navigate(`/?status=paid&order=${paid(1)._id}`));
    const drawer = await screen.findByRole('region', { name: 'Order' });
    const deliver = await within(drawer).findByRole('button', { name: 'DELIVER' });
    for (const inside of [within(drawer).getByRole('heading', { name: 'MC-1001' }), deliver]) {
      act(() => inside.focus());
      for (const key of ['s', 'x', 'j', '1', '/', '?']) await pressAlone(key);
      expect(document.activeElement).toBe(inside);
    }
    await userEvent.click(within(drawer).getByText(paid(1).address));
    for (const key of ['s', 'x', 'j', '1']) await pressAlone(key);
    expect(document.activeElement).toBe(drawer);
    expect(shipped).toEqual([]);
    screen.getByText('1 selected');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(router.state.location.search).toContain('status=paid');
  });

  it('W5 switching to another filter with a key moves the focus to the first order of the new list', async () => {
    const { router } = show();
    const first = await numberOf(paid(1));
    act(() => first.focus());
    await pressAlone('j');
    expect(document.activeElement).toBe(await numberOf(paid(2)));
    await pressAlone('1');
    expect(router.state.location.search).toBe('');
    const now = await numberOf(paid(1));
    await waitFor(() => expect(document.activeElement).toBe(now));
    // Choosing the current filter again leaves the focus where it is.
    await pressAlone('j');
    await pressAlone('1');
    expect(document.activeElement).toBe(await numberOf(paid(2)));
  });
});

describe('keys pressed in quick succession', () => {
  it('W5 all keys pressed while the page is busy run their commands in order', async () => {
    const { shipped } = show();
    await numberOf(paid(2));
    press('j', 'j', 's');
    await waitFor(() => expect(shipped).toEqual([`/orders/${paid(2)._id}`]));
  });

  it('W5 if x and s are pressed in quick succession, s ships the orders that x has selected', async () => {
    const sent: string[] = [];
    show({
      'POST /shipments': ({ body }) => {
        const { orders } = body as { orders: { id: string }[] };
        sent.push(...orders.map(({ id }) => id));
        return orders.map(({ id }) => ({ id, outcome: 'shipped', version: 4, shipment: 1 }));
      },
    });
    await numberOf(paid(2));
    press('j', 'x', 'j', 'x', 's');
    await waitFor(() => expect(sent).toEqual([paid(1)._id, paid(2)._id]));
  });

  it('W5 after a filter key is pressed, j waits for the new list, and s ships no order from the previous list', async () => {
    let answer: (orders: OrderView[]) => void = () => {};
    const { shipped } = show(
      {
        'GET /orders': ({ url }) =>
          url.searchParams.get('status') === 'paid'
            ? new Promise((resolve) => {
                answer = resolve;
              })
            : [paid(3), paid(4)],
      },
      '/',
    );
    await numberOf(paid(3));
    press('2', 'j', 's');
    await screen.findByText(/did nothing: the orders were still loading/);
    expect(shipped).toEqual([]);
    answer([paid(1), paid(2)]);
    const first = await numberOf(paid(1));
    await waitFor(() => expect(document.activeElement).toBe(first));
    await pressAlone('s');
    await waitFor(() => expect(shipped).toEqual([`/orders/${paid(1)._id}`]));
  });

  it.each([
    ['s', [], /^s did nothing: no order has the focus/],
    ['x', [], /^x did nothing: no order has the focus/],
    ['s', [{ ...paid(1), paid: false }], /MC-1001 is not paid yet/],
  ])('W5 the page says why the key %s did nothing (case %#)', async (key, orders, why) => {
    show({ 'GET /orders': () => (orders.length > 0 ? orders : [paid(1)]) }, '/');
    await numberOf(paid(1));
    if (orders.length > 0) await pressAlone('j');
    await pressAlone(key);
    await screen.findByText(why);
    await pressAlone('j');
    expect(screen.queryByText(why)).toBeNull();
  });

  it('W5 even if the device’s clock is an hour slow, the board says why a key did nothing', async () => {
    const setClock = (ahead: number) =>
      setServerClock(new Date(Date.now() + ahead).toUTCString(), Date.now(), Date.now());
    onTestFinished(() => setClock(0));
    show({ 'GET /orders': () => [paid(1)] }, '/');
    await numberOf(paid(1));
    setClock(3_600_000);
    await pressAlone('x');
    await screen.findByText(/^x did nothing: no order has the focus/);
  });
});

describe('a key press that may be the start of a scan', () => {
  /** Records commands and scanned texts. `down` sets each key event's timestamp, because fake timers don't affect it. */
  function hear() {
    vi.useFakeTimers();
    const did: string[] = [];
    const onCommand = (command: string) => did.push(command);
    const { unmount } = renderHook(() => useBoardKeys({ on: true, onCommand, onScan: (text) => did.push(text) }));
    const down = (key: string, at: number) => {
      const pressed = createEvent.keyDown(document.body, { key });
      Object.defineProperty(pressed, 'timeStamp', { value: at });
      fireEvent(document.body, pressed);
    };
    return { did, unmount, down };
  }

  it('W5 even on a busy page, the first character of a scan does not run a command', () => {
    const { did, down } = hear();
    down('j', 1_000);
    vi.advanceTimersByTime(20);
    down('1', 1_100);
    expect(did).toEqual(['next']);
    vi.advanceTimersByTime(15);
    for (const [index, key] of ['0', '0', '1', 'Enter'].entries()) down(key, 1_105 + index * 5);
    vi.advanceTimersByTime(100);
    expect(did).toEqual(['next', '1001']);
  });

  it('W5 after the admin leaves the board, neither a pending key press nor a later one runs a command', () => {
    const { did, unmount, down } = hear();
    down('j', 1_000);
    unmount();
    vi.advanceTimersByTime(100);
    down('s', 2_000);
    vi.advanceTimersByTime(100);
    expect(did).toEqual([]);
  });
});
