import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, deleted, orderOf, PAID, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import { fitsBoard } from './admin-orders.api.ts';
import ManageOrdersPage from './manage-orders-page.tsx';

afterEach(closeApp);

function show(orders: ReturnType<typeof orderOf>[], answers: Parameters<typeof stubShop>[0] = {}) {
  const calls = stubShop({ 'GET /orders': () => orders, ...answers });
  const app = showApp([{ path: '/', element: <ManageOrdersPage /> }]);
  act(() => void app.store.dispatch(signedIn(ADMIN)));
  return { calls, ...app };
}

/**
 * Shows a board with one more order than the first page contains. `refusal` is the response to the first request for
 * the second page.
 */
function showPages(refusal?: Response) {
  // The window is tall enough to render all rows.
  vi.stubGlobal('innerHeight', 9_000);
  const asked: string[] = [];
  const first = Array.from({ length: 200 }, (_, n) =>
    orderOf({
      _id: String(n).padStart(24, '0'),
      placedAt: new Date(Date.UTC(2026, 0, 1, 12) - n * 1000).toISOString(),
    }),
  );
  const older = orderOf({ _id: '9'.repeat(24), product: 'Heron Mini', placedAt: '2025-12-31T10:00:00.000Z' });
  const app = show([], {
    'GET /orders': ({ url }) => {
      asked.push(url.search);
      if (url.searchParams.has('cursor')) return asked.length === 2 && refusal ? refusal : [older];
      return new Response(JSON.stringify(first), { headers: { link: '</orders?cursor=two&limit=200>; rel="next"' } });
    },
  });
  return { asked, ...app };
}
const rowOf = async (product: string) => within(await screen.findByRole('row', { name: new RegExp(product) }));
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;

describe('Manage orders', () => {
  it('A1 the board has columns for number, product, customer, address, contact, quantity, price and status', async () => {
    show([orderOf({ price: 289_000, quantity: 2, totalPrice: 578_000 })]);
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
    for (const text of ['Rina Akter', 'House 7, Dhanmondi', '01711000000', '2', '৳289,000']) {
      expect(row.getByText(text)).toBeTruthy();
    }
  });

  it('A2 an unpaid order’s row says "Payment pending", and the order can be cancelled', async () => {
    show([orderOf()]);
    const row = await rowOf('Norwester');
    expect(row.getByText('Payment pending')).toBeTruthy();
    expect(row.queryByRole('button', { name: /DELIVER/ })).toBeNull();
    expect(isDisabled(row.getByRole('button', { name: 'Cancel order MC-1042' }))).toBe(false);
  });

  it('A2 a paid order’s row offers DELIVER, and the order cannot be cancelled', async () => {
    show([orderOf(PAID)]);
    const row = await rowOf('Norwester');
    expect(row.getByRole('button', { name: 'DELIVER MC-1042' })).toBeTruthy();
    expect(isDisabled(row.getByRole('button', { name: 'Cancel order MC-1042' }))).toBe(true);
  });

  it('A2 a shipped order’s row says SHIPPED and no longer offers DELIVER', async () => {
    show([orderOf(SHIPPED)]);
    const row = await rowOf('Norwester');
    expect(row.getByText('SHIPPED')).toBeTruthy();
    expect(row.queryByRole('button', { name: /DELIVER/ })).toBeNull();
  });

  it('A3 clicking DELIVER shows the "Shipped" alert, which asks for a reload only while the page is not live', async () => {
    const { store, calls } = show([orderOf(PAID)], { 'PUT /orders/:id': () => updated });
    await userEvent.click((await rowOf('Norwester')).getByRole('button', { name: 'DELIVER MC-1042' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Shipped' });
    expect(alert.textContent).toContain('This product is set to shipped. Please reload to see the update.');
    expect(calls).toContain(`PUT /orders/${orderOf()._id}`);
    act(() => void store.dispatch(wentLive()));
    expect(alert.textContent).toContain('This product is set to shipped.');
    expect(alert.textContent).not.toContain('reload');
    await userEvent.click(within(alert).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: 'Shipped' })).toBeNull());
  });

  it('A2 N1 cancelling an order asks "Are you sure?", and confirming with one click removes the row', async () => {
    show([orderOf()], { 'DELETE /orders/:id': () => deleted });
    await userEvent.click((await rowOf('Norwester')).getByRole('button', { name: 'Cancel order MC-1042' }));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
    within(dialog).getByText('Order MC-1042 of 2 × Norwester G7 by Rina Akter will be cancelled.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Norwester/ })).toBeNull());
  });

  it('X3 N1 a new order appears on the board without a reload and is announced to screen readers', async () => {
    const { store } = show([]);
    expect(await screen.findByRole('heading', { name: 'No orders here' })).toBeTruthy();
    const order = orderOf({ product: 'Heron Mini' });
    push(store, 'order', order);
    expect((await rowOf('Heron Mini')).getByText('Payment pending')).toBeTruthy();
    expect(screen.getByRole('log').textContent).toBe('New order MC-1042: 2 × Heron Mini.');
  });

  it('ORD9 a corrected delivery address appears in the order’s row without a reload', async () => {
    const { store } = show([orderOf()]);
    await rowOf('Norwester');
    const moved = orderOf({ address: 'House 9, Sylhet', deliveryChangedAt: '2026-01-01T10:30:00.000Z', version: 2 });
    push(store, 'order', moved);
    expect(await (await rowOf('Norwester')).findByText('House 9, Sylhet')).toBeTruthy();
  });

  it('LIST1 the next page of orders is loaded in one request, and its rows appear below the first page', async () => {
    const { asked } = showPages();
    await screen.findByText('Heron Mini');
    expect(screen.getByText('201')).toBeTruthy();
    expect(asked).toEqual(['?sort=newest&limit=200', '?cursor=two&limit=500']);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('202');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('LIST1 the board says why loading more orders failed, and retries only when "Show more" is clicked', async () => {
    const { asked } = showPages(problem('forbidden'));
    expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy();
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('-1');
    expect(asked).toHaveLength(2);
    // The button is found by its text, because computing the roles and names of 200 rows takes seconds.
    await userEvent.click(screen.getByText('Show more'));
    await screen.findByText('Heron Mini');
    expect(asked).toHaveLength(3);
  });

  it('A1 the board’s search and filter run on the server, are kept in the URL and apply to pushed orders', async () => {
    const asked: Record<string, string>[] = [];
    const { router, store } = show([], {
      'GET /orders': ({ url }) => {
        asked.push(Object.fromEntries(url.searchParams));
        return [];
      },
    });
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search orders' }), 'rina');
    await userEvent.click(screen.getByRole('radio', { name: 'To deliver' }));
    await screen.findByRole('heading', { name: 'No order matches' });
    const view = { status: 'paid', q: 'rina' };
    await waitFor(() => expect(asked.at(-1)).toEqual({ ...view, sort: 'oldest', limit: '200' }));
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual(view);
    await waitFor(() => {
      push(
        store,
        'order',
        orderOf({ ...PAID, _id: 'f'.repeat(24), product: 'Slate S1', name: 'Kamal', email: 'kamal@shop.test' }),
      );
      push(store, 'order', orderOf(PAID));
      expect(screen.getByRole('row', { name: /Norwester/ })).toBeTruthy();
    });
    expect(screen.queryByText('Slate S1')).toBeNull();
    push(store, 'order', orderOf(SHIPPED));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Norwester/ })).toBeNull());
  });

  it('if the orders cannot be loaded, the board says why', async () => {
    show([], { 'GET /orders': () => problem('forbidden') });
    expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy();
  });
});

describe('fitsBoard', () => {
  it.each([
    [{ status: 'unpaid' }, orderOf(), true],
    [{ status: 'paid' }, orderOf(), false],
    [{ status: 'paid' }, orderOf(PAID), true],
    [{ status: 'paid' }, orderOf(SHIPPED), false],
    [{ status: 'shipped' }, orderOf(SHIPPED), true],
    [{}, orderOf(), true],
    [{}, orderOf({ cancelledAt: '2026-01-01T11:00:00.000Z' }), false],
    [{ q: ' RINA@micro ' }, orderOf(), true],
    [{ q: 'dhanmondi' }, orderOf(), true],
    [{ q: 'sylhet' }, orderOf(), false],
    [{ q: '01711', status: 'paid' }, orderOf(), false],
    [{ q: '01711', status: 'paid' }, orderOf(PAID), true],
  ] as const)('LIST1 fitsBoard() returns whether an order matches the view %j (case %#)', (view, order, expected) => {
    expect(fitsBoard(order, view)).toBe(expected);
  });
});

describe('pressing j while the orders are still loading', () => {
  it.each([
    ['moves to the first order once the list has loaded', false],
    ['leaves the focus in the search field if the admin has moved it there', true],
  ])('W5 R19 pressing j while the orders are loading %s', async (_what, goesOn) => {
    let answer: (orders: unknown) => void = () => {};
    const orders = new Promise((resolve) => {
      answer = resolve;
    });
    show([], { 'GET /orders': () => orders });
    const search = await screen.findByRole('searchbox', { name: 'Search orders' });
    // The keys are typed at a person's pace, because faster keys count as a scan. The message about x shows that j has
    // been handled too, because j was typed first.
    await userEvent.setup({ delay: 100 }).keyboard('jx');
    await screen.findByText('x did nothing: the orders were still loading.');
    if (goesOn) act(() => search.focus());
    answer([orderOf()]);
    const first = await screen.findByRole('button', { name: /^Open order/ });
    await waitFor(() => expect(document.activeElement).toBe(goesOn ? search : first));
  });
});
