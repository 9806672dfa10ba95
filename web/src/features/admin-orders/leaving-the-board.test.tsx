import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { ADMIN, orderOf, paidOrder as paid, updated } from '../../shop/orders/order.fixture.ts';
import { button } from './board.fixture.tsx';
import ManageOrdersPage from './manage-orders-page.tsx';

afterEach(closeApp);

const BOARD = '/?status=paid';

/** Shows the board of two orders to deliver and one unpaid order, and returns functions that leave it and come back. */
function show(answers: Parameters<typeof stubShop>[0] = {}) {
  const unpaid = orderOf({ _id: 'f'.repeat(24), number: 'MC-2000' });
  stubShop({
    'GET /orders': ({ url }) => (url.searchParams.get('status') === 'paid' ? [paid(1), paid(2)] : [unpaid]),
    ...answers,
  });
  const routes = [
    { path: '/', element: <ManageOrdersPage /> },
    { path: '/elsewhere', element: <h1>Elsewhere</h1> },
  ];
  const app = showApp(routes, BOARD);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  act(() => void app.store.dispatch(wentLive()));
  const leave = async () => {
    await act(() => app.router.navigate('/elsewhere'));
    screen.getByRole('heading', { name: 'Elsewhere' });
  };
  const comeBack = async () => {
    await act(() => app.router.navigate(BOARD));
    await button('Open order MC-1001');
  };
  return { ...app, leave, comeBack };
}
const select = async (number: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: `Select order ${number}` }));

describe('leaving the board and coming back', () => {
  it('W7 P5 a selection survives leaving the board, and belongs to the list from which it was made', async () => {
    const { router, leave, comeBack } = show();
    await select('MC-1002');
    await leave();
    await comeBack();
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(screen.getByRole('checkbox', { name: 'Select order MC-1002' }).getAttribute('aria-checked')).toBe('true');
    await act(() => router.navigate('/?status=unpaid'));
    await button('Open order MC-2000');
    expect(screen.queryByText(/selected$/)).toBeNull();
    await comeBack();
    expect(screen.getByText('1 selected')).toBeTruthy();
    await act(() => router.navigate('/?status=unpaid'));
    await select('MC-2000');
    await comeBack();
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  it('W8 P5 a shipping that is answered while the admin is elsewhere is told and can be undone on coming back', async () => {
    let answer = (_: unknown) => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const withdrawn: unknown[] = [];
    const { leave, comeBack } = show({
      [`PUT /orders/${paid(1)._id}`]: () => held,
      [`GET /orders/${paid(1)._id}/timeline`]: () => [{ type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4 }],
      'POST /withdrawals': ({ body }) => {
        withdrawn.push(body);
        return [{ id: paid(1)._id, outcome: 'withdrawn', version: 5 }];
      },
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    await leave();
    await act(async () => answer({ ...updated, version: 4 }));
    await comeBack();
    await screen.findByRole('alertdialog', { name: 'Shipped' });
    await userEvent.click(await button('Undo u'));
    await screen.findByRole('alertdialog', { name: 'Taken back' });
    expect(withdrawn).toEqual([{ orders: [{ id: paid(1)._id, shipment: 1 }] }]);
  });

  it('P5 W8 an undo that was asked for while its shipping was running is sent once the shipping is answered', async () => {
    let answer = (_: unknown) => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { leave, comeBack } = show({
      [`PUT /orders/${paid(1)._id}`]: () => held,
      [`GET /orders/${paid(1)._id}/timeline`]: () => [{ type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4 }],
      'POST /withdrawals': () => [{ id: paid(1)._id, outcome: 'withdrawn', version: 5 }],
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    await userEvent.keyboard('u');
    await screen.findByRole('alertdialog', { name: 'Taking back' });
    await leave();
    await act(async () => answer({ ...updated, version: 4 }));
    await comeBack();
    await screen.findByRole('alertdialog', { name: 'Taken back' });
  });

  it('P5 O3 an open dialog is still open, and another admin who signs in sees neither it nor the selection', async () => {
    const { router, store, leave, comeBack } = show();
    await act(() => router.navigate('/?status=unpaid'));
    await userEvent.click(await button('Cancel order MC-2000'));
    await screen.findByRole('dialog', { name: 'Are you sure?' });
    await leave();
    act(() => void store.dispatch(signedOut({ reason: 'expired' })));
    act(() => void store.dispatch(signedIn({ ...ADMIN, token: 'renewed' })));
    await comeBack();
    const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Keep order' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await select('MC-1001');
    await leave();
    act(() => void store.dispatch(signedOut({ reason: 'expired' })));
    act(() => void store.dispatch(signedIn({ ...ADMIN, email: 'other-admin@micro-center.test' })));
    await comeBack();
    expect(screen.queryByText(/selected$/)).toBeNull();
  });
});
