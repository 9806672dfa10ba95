import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { pushHub } from '../../live/push-hub.ts';
import { signedIn } from '../auth/session-slice.ts';
import { ADMIN, deleted, orderOf, PAID, SHIPPED, updated } from '../orders/order.fixture.ts';
import { fitsBoard } from './admin-orders.api.ts';
import ManageOrdersPage from './manage-orders-page.tsx';

afterEach(closeApp);

function show(orders: ReturnType<typeof orderOf>[], answers: Parameters<typeof stubShop>[0] = {}) {
  const calls = stubShop({ 'GET /orders': () => orders, ...answers });
  const app = showApp([{ path: '/', element: <ManageOrdersPage /> }]);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  return { calls, ...app };
}
const rowOf = async (product: string) => within(await screen.findByRole('row', { name: new RegExp(product) }));
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;

describe('Manage orders', () => {
  it('A1 has a column for number, product, customer, address, contact, quantity, price and status', async () => {
    show([orderOf()]);
    const row = await rowOf('Norwester');
    const headers = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(headers.slice(0, 8)).toEqual([
      'No.',
      'Product',
      'Customer',
      'Address',
      'Contact',
      'Quantity',
      'Price',
      'Status',
    ]);
    for (const text of ['Rina Akter', 'House 7, Dhanmondi', '01711000000']) expect(row.getByText(text)).toBeTruthy();
  });

  it('A2 says Payment pending while unpaid and lets it be cancelled', async () => {
    show([orderOf()]);
    const row = await rowOf('Norwester');
    expect(row.getByText('Payment pending')).toBeTruthy();
    expect(row.queryByRole('button', { name: 'DELIVER' })).toBeNull();
    expect(isDisabled(row.getByRole('button', { name: 'Cancel order 1' }))).toBe(false);
  });

  it('A2 offers DELIVER once paid, and no cancel', async () => {
    show([orderOf(PAID)]);
    const row = await rowOf('Norwester');
    expect(row.getByRole('button', { name: 'DELIVER' })).toBeTruthy();
    expect(isDisabled(row.getByRole('button', { name: 'Cancel order 1' }))).toBe(true);
  });

  it('A2 says SHIPPED once shipped', async () => {
    show([orderOf(SHIPPED)]);
    const row = await rowOf('Norwester');
    expect(row.getByText('SHIPPED')).toBeTruthy();
    expect(row.queryByRole('button', { name: 'DELIVER' })).toBeNull();
  });

  it('A3 alerts Shipped after DELIVER, and asks to reload only while not live', async () => {
    const { store, calls } = show([orderOf(PAID)], { 'PUT /orders/:id': () => updated });
    await userEvent.click((await rowOf('Norwester')).getByRole('button', { name: 'DELIVER' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('This product is set to shipped. Please reload to see the update.');
    expect(calls).toContain(`PUT /orders/${orderOf()._id}`);
    act(() => void store.dispatch(wentLive()));
    expect(alert.textContent).toContain('This product is set to shipped.');
    expect(alert.textContent).not.toContain('reload');
    await userEvent.click(within(alert).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: 'Shipped' })).toBeNull());
  });

  it('A2 cancelling asks Are you sure? and takes the row at one click', async () => {
    show([orderOf()], { 'DELETE /orders/:id': () => deleted });
    await userEvent.click((await rowOf('Norwester')).getByRole('button', { name: 'Cancel order 1' }));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Norwester/ })).toBeNull());
  });

  it('X3 a new order appears without a reload and is announced', async () => {
    show([]);
    expect(await screen.findByRole('heading', { name: 'No orders here' })).toBeTruthy();
    const order = orderOf({ product: 'Heron Mini' });
    act(() => pushHub.publish({ kind: 'order', id: order._id, version: 1, view: order }));
    expect((await rowOf('Heron Mini')).getByText('Payment pending')).toBeTruthy();
    expect(screen.getByRole('log').textContent).toBe('New order: 2 × Heron Mini.');
  });

  it('says why the board could not be loaded', async () => {
    show([], { 'GET /orders': () => problem('forbidden') });
    expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy();
  });
});

describe('fitsBoard', () => {
  it.each([
    ['unpaid', orderOf(), true],
    ['paid', orderOf(), false],
    ['paid', orderOf(PAID), true],
    ['paid', orderOf(SHIPPED), false],
    ['shipped', orderOf(SHIPPED), true],
    [undefined, orderOf(), true],
    [undefined, orderOf({ cancelledAt: '2026-01-01T11:00:00.000Z' }), false],
  ] as const)('LIST1 under %s', (filter, order, expected) => {
    expect(fitsBoard(order, filter)).toBe(expected);
  });
});
