import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { paidOrder as paid, updated } from '../../shop/orders/order.fixture.ts';
import { button, rowOf, shipped, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

it('A3 Bengali text on the order board has the lang attribute bn', async () => {
  showBoard([{ ...paid(1), product: 'কেসিং', name: 'রিনা', address: '১২ মিরপুর' }]);
  for (const words of ['কেসিং', 'রিনা', '১২ মিরপুর']) expect((await screen.findByText(words)).lang).toBe('bn');
});

describe('DELIVER', () => {
  it('W9 W2 clicking DELIVER marks the row SHIPPED at once, and the row stays even if it no longer matches the filter', async () => {
    let answer: (body: object) => void = () => {};
    const { store } = showBoard([paid(1)], {
      'PUT /orders/:id': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^DELIVER/ })).toBeNull();
    answer(updated);
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('MC-1001, Buyer 1, 2 × Norwester G7');
    push(store, 'order', shipped(paid(1)));
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
    expect(screen.queryByText('No orders here')).toBeNull();
    expect(screen.queryByText('Everything is shipped')).toBeNull();
    expect(screen.getByRole('alertdialog', { name: 'Shipped' })).toBeTruthy();
  });

  it('W9 while text is selected, clicking a row does not open its order, but DELIVER still ships the order', async () => {
    const { calls, router } = showBoard([paid(1)], { 'PUT /orders/:id': () => updated });
    const name = await screen.findByText('Buyer 1');
    window.getSelection()?.selectAllChildren(name);
    // A real click would clear the text selection before the board receives the event.
    fireEvent.click(name);
    expect(router.state.location.search).toBe('?status=paid');
    fireEvent.click(await button('DELIVER MC-1001'));
    expect(await screen.findByRole('alertdialog', { name: 'Shipped' })).toBeTruthy();
    expect(calls).toContain(`PUT /orders/${paid(1)._id}`);
    window.getSelection()?.removeAllRanges();
  });

  it('W9 if the shop refuses to ship an order, the board says why and offers DELIVER again', async () => {
    showBoard([paid(1)], { 'PUT /orders/:id': () => problem('order_changed') });
    await userEvent.click(await button('DELIVER MC-1001'));
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/MC-1001 was not shipped: This order has changed/);
    expect(await button('DELIVER MC-1001')).toBeTruthy();
    expect(screen.getByRole('img', { name: /^Not shipped: This order has changed/ })).toBeTruthy();
  });

  describe('a shipment whose response is lost', () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'));
    const showLost = async (at: string) => {
      const { store } = showBoard([paid(1)], { 'PUT /orders/:id': lost }, at);
      await userEvent.click(await button('DELIVER MC-1001'));
      const alert = await screen.findByRole('alertdialog', { name: 'No answer' });
      expect(alert.textContent).toMatch(/It is not known whether MC-1001 was shipped: The shop cannot be reached/);
      expect(screen.getByRole('img', { name: /^No answer: The shop cannot be reached/ })).toBeTruthy();
      return store;
    };

    it.each(['/', '/?status=paid'])(
      'W9 on the board at %s, the outcome of a shipment without a response is unknown until the shipped order is pushed',
      async (at) => {
        const store = await showLost(at);
        await userEvent.keyboard('u');
        expect(await screen.findByText(/^u did nothing: the last shipping was not answered/)).toBeTruthy();
        // Moves the focus and the pointer off the rows, so that the rows may move.
        act(() => (document.activeElement as HTMLElement).blur());
        await userEvent.unhover(rowOf(paid(1)));
        push(store, 'order', shipped(paid(1)));
        const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
        await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 1/ }) === null).toBe(at !== '/'));
        expect(alert.textContent).toMatch(/MC-1001 is shipped, though the answer was lost\./);
        expect(within(alert).getByRole('button', { name: 'Open' })).toBeTruthy();
      },
    );

    it('W9 if the response to DELIVER is lost, the notice says "Not shipped" once a push shows the order as unshipped', async () => {
      const store = await showLost('/');
      push(store, 'order', { ...paid(1), version: 4 });
      const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
      expect(alert.textContent).toMatch(/MC-1001 is not shipped: The shop cannot be reached/);
      expect(await button('DELIVER MC-1001')).toBeTruthy();
    });

    it('W9 W7 CMD3 the outcome of shipping a selection stays unknown if the response is lost and the retry is refused', async () => {
      const answers = [lost, () => problem('too_many_requests')];
      showBoard([paid(2), paid(1)], { 'POST /shipments': () => answers.shift()?.() }, '/');
      await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all orders' }));
      await userEvent.click(await button(/^Ship 2/));
      const alert = await screen.findByRole('alertdialog', { name: 'No answer' });
      expect(alert.textContent).toMatch(
        /It is not known whether MC-1002 was shipped: The shop cannot be reached.* And 1 more\./,
      );
    });
  });

  it('W9 if DELIVER is clicked for an order that has already been shipped, the notice says who shipped it and when', async () => {
    showBoard([paid(1)], {
      'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
      [`GET /orders/${paid(1)._id}/timeline`]: () => [
        { type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 4, by: 'Farhana Rahman' },
      ],
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/MC-1001 was shipped already by Farhana Rahman at \d\d:\d\d\./);
    expect(within(rowOf(paid(1))).getByText('SHIPPED')).toBeTruthy();
  });

  it('W9 the notice says that an order was already shipped even if the order’s timeline cannot be loaded', async () => {
    showBoard([paid(1)], {
      'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
      [`GET /orders/${paid(1)._id}/timeline`]: () => problem('forbidden'),
    });
    await userEvent.click(await button('DELIVER MC-1001'));
    const alert = await screen.findByRole('alertdialog', { name: 'Not shipped' });
    expect(alert.textContent).toMatch(/MC-1001 was shipped already/);
  });

  it('W9 DELIVER is offered again once another admin’s shipment of the order is taken back', async () => {
    const { store } = showBoard(
      [paid(2), paid(1)],
      {
        'PUT /orders/:id': () => ({ ...updated, modifiedCount: 0 }),
        [`GET /orders/${paid(1)._id}/timeline`]: () => [],
        'POST /shipments': ({ body }) =>
          (body as { orders: { id: string }[] }).orders.map(({ id }) => ({
            ...{ id, outcome: 'already_shipped', by: 'Rahim', at: '2026-01-01T11:00:00.000Z', version: 4 },
          })),
      },
      '/',
    );
    await userEvent.click(await button('DELIVER MC-1001'));
    await screen.findByRole('alertdialog', { name: 'Not shipped' });
    push(store, 'order', shipped(paid(1)));
    expect(within(rowOf(paid(1))).getByText('SHIPPED').title).toBe('shipped already');
    push(store, 'order', { ...paid(1), version: 5 });
    expect(await button('DELIVER MC-1001')).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all orders' }));
    await userEvent.click(await button(/^Ship 2/));
    await waitFor(() => expect(within(rowOf(paid(2))).getByText('SHIPPED').title).toMatch(/by Rahim/));
    push(store, 'order', { ...paid(2), version: 5 });
    expect(await button('DELIVER MC-1002')).toBeTruthy();
  });

  it('W9 R19 clicking DELIVER moves the focus to the next order’s DELIVER button', async () => {
    showBoard([paid(1), paid(2)], { 'PUT /orders/:id': () => updated });
    await userEvent.click(await button('DELIVER MC-1001'));
    expect(document.activeElement).toBe(await button('DELIVER MC-1002'));
  });

  it('W9 R19 clicking DELIVER on the last row moves the focus to the nearest DELIVER button above that row', async () => {
    showBoard([paid(1), paid(2), paid(3)], { 'PUT /orders/:id': () => updated });
    await userEvent.click(await button('DELIVER MC-1003'));
    expect(document.activeElement).toBe(await button('DELIVER MC-1002'));
  });

  it('W9 R19 if another admin ships the focused order, the order’s row stays until the row loses the focus', async () => {
    const { store } = showBoard([paid(1), paid(2)]);
    (await button('DELIVER MC-1001')).focus();
    push(store, 'order', shipped(paid(1)));
    within(rowOf(paid(1))).getByText('SHIPPED');
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open order MC-1001' })),
    );
    act(() => (document.activeElement as HTMLElement).blur());
    await waitFor(() => expect(screen.queryByRole('row', { name: /Buyer 1/ })).toBeNull());
  });
});

describe('a DELIVER button that has just appeared', () => {
  const clickAt = (timeStamp: number, target: Element, detail = 1) => {
    const click = createEvent.click(target, { detail });
    Object.defineProperty(click, 'timeStamp', { value: timeStamp });
    fireEvent(target, click);
  };

  it('W1 a new DELIVER button ignores clicks for half a second, but responds to the keyboard immediately', async () => {
    const sent: string[] = [];
    const unpaid = { ...paid(1), paid: false, version: 2 };
    const take = ({ url }: { url: URL }) => {
      sent.push(url.pathname);
      return updated;
    };
    const { store } = showBoard([unpaid], { 'PUT /orders/:id': take }, '/');
    await screen.findByRole('button', { name: 'Cancel order MC-1001' });
    vi.spyOn(performance, 'now').mockReturnValue(10_000);
    push(store, 'order', paid(1));
    const deliver = await button('DELIVER MC-1001');
    clickAt(10_499, deliver);
    expect(sent).toEqual([]);
    fireEvent.click(deliver, { detail: 0 });
    await waitFor(() => expect(sent).toEqual([`/orders/${paid(1)._id}`]));
  });

  it('W1 a new DELIVER button accepts clicks after half a second, except for the second click of a double click', async () => {
    const unpaid = { ...paid(1), paid: false, version: 2 };
    const { store } = showBoard([unpaid], { 'PUT /orders/:id': () => updated }, '/');
    await screen.findByRole('button', { name: 'Cancel order MC-1001' });
    vi.spyOn(performance, 'now').mockReturnValue(10_000);
    push(store, 'order', paid(1));
    const deliver = await button('DELIVER MC-1001');
    // The second click of a double click is meant for the element that the first click hit.
    clickAt(10_500, deliver, 2);
    expect(await button('DELIVER MC-1001')).toBe(deliver);
    clickAt(10_500, deliver);
    await screen.findByRole('alertdialog', { name: 'Shipped' });
  });
});
