import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, push } from '../../app/app.fixture.tsx';
import { paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { button, rowOf, shipped, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('a selection', () => {
  it('W7 selected orders are shipped in one request with the versions the admin saw, and each row shows its outcome', async () => {
    const bodies: unknown[] = [];
    const orders = [paid(1), paid(2), paid(3)];
    showBoard(orders, {
      'POST /shipments': ({ body }) => {
        bodies.push(body);
        return [
          { id: paid(1)._id, outcome: 'shipped', version: 4, shipment: 1 },
          { id: paid(2)._id, outcome: 'refused', code: 'order_changed', title: 'This order has changed.' },
          { id: paid(3)._id, outcome: 'already_shipped', by: 'Rahim', at: '2026-01-01T11:00:00.000Z', version: 4 },
        ];
      },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    expect(screen.getByText('3 selected')).toBeTruthy();
    await userEvent.click(await button(/^Ship 3/));
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('1 of 3 orders are set to shipped.');
    expect(alert.textContent).toContain('MC-1002 was not shipped: This order has changed. And 1 more.');
    expect(bodies).toEqual([{ orders: orders.map(({ _id, version }) => ({ id: _id, version })) }]);
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(within(rowOf(paid(2))).getByRole('button', { name: 'DELIVER MC-1002' })).toBeTruthy();
    expect(within(rowOf(paid(3))).getByText('SHIPPED').title).toMatch(/^shipped already by Rahim at/);
  });

  it('W7 the Ship button counts and ships only those selected orders that can currently be shipped', async () => {
    const sent: string[] = [];
    const unpaid = (n: number) => ({ ...paid(n), paid: false, version: 2 });
    const { store } = showBoard(
      [unpaid(3), unpaid(2), unpaid(1)],
      {
        'POST /shipments': ({ body }) => {
          const { orders } = body as { orders: { id: string }[] };
          sent.push(...orders.map(({ id }) => id));
          return orders.map(({ id }) => ({ id, outcome: 'shipped', version: 4, shipment: 1 }));
        },
      },
      '/',
    );
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    expect(((await button(/^Ship 0/)) as HTMLButtonElement).disabled).toBe(true);
    for (const n of [1, 2, 3]) push(store, 'order', paid(n));
    expect(((await button(/^Ship 3/)) as HTMLButtonElement).disabled).toBe(false);
    push(store, 'order', shipped(paid(3)));
    await userEvent.click(await button(/^Ship 2/));
    await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(sent).toEqual([paid(2)._id, paid(1)._id]);
  });

  it('W7 a selected order that leaves the list is no longer selected or counted', async () => {
    const { store } = showBoard([paid(1), paid(2)]);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    // Move the focus and the pointer off the rows. Until then, the rows are held in place.
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.unhover(screen.getByRole('checkbox', { name: 'Select all orders' }));
    push(store, 'order', shipped(paid(2)));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 2/ })).toBeNull());
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(await button(/^Ship 1/)).toBeTruthy();
  });

  it('W7 a selected order that leaves the list and comes back is not selected again', async () => {
    const { store } = showBoard([paid(1), paid(2)]);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    // Move the focus and the pointer off the rows. Until then, the rows are held in place.
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.unhover(screen.getByRole('checkbox', { name: 'Select all orders' }));
    push(store, 'order', shipped(paid(2)));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 2/ })).toBeNull());
    push(store, 'order', { ...paid(2), version: 5 });
    await screen.findByRole('row', { name: /Buyer 2/ });
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(screen.getByRole('checkbox', { name: 'Select order MC-1002' }).getAttribute('aria-checked')).toBe('false');
  });

  it('W7 R19 clearing the selection moves the focus to the order board as a whole and not to a single order', async () => {
    showBoard([paid(1), paid(2)]);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button('Clear'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Order board' })));
  });

  it('W7 W5 pressing x on one order and Shift+X on another selects the range between them', async () => {
    showBoard([paid(1), paid(2), paid(3)]);
    (await button('Open order MC-1001')).focus();
    await userEvent.keyboard('x');
    expect(await screen.findByText('1 selected')).toBeTruthy();
    (await button('Open order MC-1003')).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'X', shiftKey: true });
    expect(await screen.findByText('3 selected')).toBeTruthy();
  });
});
