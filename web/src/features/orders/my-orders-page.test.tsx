import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive, wentStale } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, deleted, orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { formatTime } from '../../ui/format.ts';
import MyOrdersPage from './my-orders-page.tsx';

afterEach(closeApp);

function show(answers: Parameters<typeof stubShop>[0]) {
  const calls = stubShop({
    'GET /individual': ({ url }) => (url.searchParams.has('status') ? [] : [orderOf()]),
    ...answers,
  });
  const app = showApp([{ path: '/dashboard/myorders', element: <MyOrdersPage /> }], '/dashboard/myorders');
  act(() => void app.store.dispatch(signedIn(CUSTOMER)));
  return { calls, ...app };
}

const listing =
  (...orders: ReturnType<typeof orderOf>[]) =>
  ({ url }: { url: URL }) =>
    url.searchParams.has('status') ? [] : orders;
const rowOf = async (product: string) => screen.findByRole('row', { name: new RegExp(product) });

describe('My orders', () => {
  it('LIVE4 the My orders page says "This page updates by itself." only while it is live', async () => {
    const { store } = show({});
    const promise = 'Your orders, from placed to shipped. This page updates by itself.';
    expect(screen.queryByText(promise)).toBeNull();
    act(() => void store.dispatch(wentLive()));
    screen.getByText(promise);
    act(() => void store.dispatch(wentStale()));
    expect(screen.queryByText(promise)).toBeNull();
    screen.getByText('Your orders, from placed to shipped. Reconnecting ...');
  });

  it('O1 the My orders page has columns for number, product, quantity, price, payment status and cancel', async () => {
    show({});
    await rowOf('Norwester');
    const headers = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(headers).toEqual(['No.', 'Product', 'Quantity', 'Price', 'Payment status', 'Cancel']);
  });

  it('O1 each order’s price is shown with a $ sign', async () => {
    show({});
    expect(within(await rowOf('Norwester')).getByText('$52,000.50')).toBeTruthy();
  });

  it('O1 an order’s row shows the unit price with a $ sign, but the total for several items in taka', async () => {
    show({});
    const price = within(await rowOf('Norwester'))
      .getByText('total ৳104,001')
      .closest('td');
    expect(price?.textContent).toBe('$52,000.50total ৳104,001');
  });

  it('O2 N1 an unpaid order’s row offers PAY NOW and CANCEL ORDER, each labelled with the order number', async () => {
    show({});
    const row = within(await rowOf('Norwester'));
    expect(row.getByRole('link', { name: 'PAY NOW MC-1042' }).getAttribute('href')).toBe(
      `/dashboard/payment/${orderOf()._id}`,
    );
    expect(row.getByRole('button', { name: 'CANCEL ORDER MC-1042' })).toBeTruthy();
  });

  it('ORD6 an unpaid order’s row shows the payment deadline', async () => {
    show({});
    const row = within(await rowOf('Norwester'));
    expect(row.getByText(`by ${formatTime('2026-01-02T10:00:00.000Z')}`)).toBeTruthy();
  });

  it('O2 a paid order’s row shows "Paid" and the transaction id, and no longer offers CANCEL ORDER', async () => {
    show({ 'GET /individual': listing(orderOf(PAID)) });
    const row = within(await rowOf('Norwester'));
    expect(row.getByText('Paid')).toBeTruthy();
    row.getByText('being packed');
    expect(row.getByText(/pi_3Nx/)).toBeTruthy();
    expect(row.queryByRole('button', { name: 'CANCEL ORDER MC-1042' })).toBeNull();
    expect(row.queryByRole('link', { name: 'PAY NOW MC-1042' })).toBeNull();
  });

  it.each([
    ['Step 1 of 3: placed', {}],
    ['Step 2 of 3: paid', PAID],
    ['Step 3 of 3: shipped', SHIPPED],
  ])('O2 an order’s row shows its progress as "%s"', async (name, changes) => {
    show({ 'GET /individual': listing(orderOf(changes)) });
    const row = within(await rowOf('Norwester'));
    expect(row.getByRole('img', { name }).querySelectorAll('[data-reached]')).toHaveLength(Number(name.charAt(5)));
  });

  it('O2 a long transaction id extends over the empty Cancel cell and is never truncated', async () => {
    const transactionId = 'pi_mwusw3apda317f66707f00b1e430597a';
    show({ 'GET /individual': listing(orderOf({ ...PAID, transactionId })) });
    const id = within(await rowOf('Norwester')).getByText(transactionId);
    expect(id.closest('td')?.nextElementSibling?.matches(':empty')).toBe(true);
    const sheet = readFileSync(join(import.meta.dirname, 'my-orders.module.css'), 'utf8');
    const [, own] = /\n\.transaction \{([^}]*)\}/.exec(sheet) ?? [];
    expect(own).toContain('overflow-wrap: anywhere');
    expect(own).not.toMatch(/ellipsis|nowrap|hidden/);
  });

  it('O3 N1 confirming the "Delete Order" dialog cancels the order, removes its row and announces the change', async () => {
    const { calls } = show({ 'DELETE /orders/:id': () => deleted });
    const user = userEvent.setup();
    await user.click(within(await rowOf('Norwester')).getByRole('button', { name: 'CANCEL ORDER MC-1042' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Order' });
    within(dialog).getByText('Your order MC-1042 of 2 × Norwester G7 will be cancelled.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Norwester/ })).toBeNull());
    expect(screen.getByRole('log').textContent).toBe('Order MC-1042 of 2 × Norwester G7 was cancelled.');
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([`DELETE /orders/${orderOf()._id}`]);
  });

  it('O3 if the shop refuses to cancel an order, the order stays in the list and the dialog says why', async () => {
    show({ 'DELETE /orders/:id': () => problem('order_paid') });
    const user = userEvent.setup();
    await user.click(within(await rowOf('Norwester')).getByRole('button', { name: 'CANCEL ORDER MC-1042' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Order' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    expect(await within(dialog).findByText('This order has already been paid.')).toBeTruthy();
    expect(screen.getByText('Norwester G7')).toBeTruthy();
  });

  it('X3 N1 a pushed order is announced and updates its row, but another customer’s order is ignored', async () => {
    const { store } = show({});
    await rowOf('Norwester');
    push(store, 'order', orderOf(SHIPPED));
    push(
      store,
      'order',
      orderOf({ _id: 'dddddddddddddddddddddddd', email: 'other@micro-center.test', product: 'Heron Mini' }),
    );
    const row = within(await rowOf('Norwester'));
    expect(await row.findByText('Shipped')).toBeTruthy();
    row.getByText('MC-1042');
    expect(screen.getByRole('log').textContent).toBe('Order MC-1042 of 2 × Norwester G7 is shipped.');
    expect(screen.queryByText('Heron Mini')).toBeNull();
  });

  it('LIST1 a button reveals the orders that arrived while the pointer was over the list', async () => {
    const { store } = show({});
    const user = userEvent.setup();
    await user.hover(await rowOf('Norwester'));
    push(store, 'order', orderOf({ _id: 'e'.repeat(24), product: 'Heron Mini', placedAt: '2026-01-02T09:00:00.000Z' }));
    const offer = await screen.findByRole('button', { name: 'Show 1 new order' });
    expect(screen.queryByText('Heron Mini')).toBeNull();
    await user.click(offer);
    await rowOf('Heron Mini');
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  it('O8 each row shows the item’s picture, the order number and the date, and links to the order’s page', async () => {
    show({});
    const row = within(await rowOf('Norwester'));
    row.getByText('MC-1042');
    row.getByText(formatTime(orderOf().placedAt));
    const link = row.getByRole('link', { name: 'Norwester G7' });
    expect(link.getAttribute('href')).toBe(`/dashboard/myorders/${orderOf()._id}`);
    expect((await rowOf('Norwester')).querySelector('svg, img')).not.toBeNull();
  });

  it('N1 the list of cancelled orders says who cancelled each order, or that it was not paid in time', async () => {
    const reasons = { customer: 'cancelled by you', admin: 'cancelled by the shop', expired: 'not paid in time' };
    const gone = Object.keys(reasons).map((reason, n) =>
      orderOf({
        ...{ _id: String(n).repeat(24), number: `MC-${n}`, cancelledAt: '2026-01-01T12:00:00.000Z' },
        cancelReason: reason as keyof typeof reasons,
      }),
    );
    show({ 'GET /individual': ({ url }) => (url.searchParams.has('status') ? gone : []) });
    await userEvent.click(await screen.findByRole('button', { name: 'Cancelled orders (3)' }));
    for (const [n, words] of Object.values(reasons).entries()) {
      await screen.findByText(new RegExp(`^MC-${n}, ${words}, `));
    }
  });

  it('O8 N1 each order in the list of cancelled orders links to its page', async () => {
    const gone = orderOf({ cancelledAt: '2026-01-01T12:00:00.000Z', cancelReason: 'customer' });
    show({ 'GET /individual': ({ url }) => (url.searchParams.has('status') ? [gone] : []) });
    await userEvent.click(await screen.findByRole('button', { name: 'Cancelled orders (1)' }));
    const link = await screen.findByRole('link', { name: '2 × Norwester G7', hidden: true });
    expect(link.getAttribute('href')).toBe(`/dashboard/myorders/${gone._id}`);
  });

  it('the My orders page says so if there are no orders yet or if the orders could not be loaded', async () => {
    show({ 'GET /individual': () => [] });
    expect(await screen.findByRole('heading', { name: 'No orders yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See all items' }).getAttribute('href')).toBe('/allproducts');
    closeApp();
    show({ 'GET /individual': () => problem('internal') });
    expect(await screen.findByText('Something went wrong on our side.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

describe('money in My orders', () => {
  it('PAY7 a row whose payment is being processed says until when, and offers no second payment', async () => {
    const processingUntil = '2026-01-05T10:00:00.000Z';
    show({ 'GET /individual': listing(orderOf({ processingUntil, paymentFailure: 'declined' })) });
    const row = within(await rowOf('Norwester'));
    row.getByText('Your payment is being processed');
    row.getByText(`until ${formatTime(processingUntil)}`);
    expect(row.queryByRole('link', { name: /^PAY NOW/ })).toBeNull();
  });

  it('PAY7 a row says why the last attempt to pay failed and what to do, and still offers PAY NOW', async () => {
    const { store } = show({ 'GET /individual': listing(orderOf()) });
    const row = within(await rowOf('Norwester'));
    push(store, 'order', orderOf({ paymentFailure: 'declined', version: 2 }));
    expect(row.getByText('Card declined. Try another card.').title).toBe('Your card was declined. Try another card.');
    row.getByRole('link', { name: /^PAY NOW/ });
  });

  it('PAY8 ORD14 a row shows money on its way back and money that has arrived, and promises nothing that is held back', async () => {
    const { store } = show({ 'GET /individual': listing(orderOf(PAID)) });
    const row = within(await rowOf('Norwester'));
    row.getByText('being packed');
    push(store, 'order', orderOf({ ...PAID, moneyBack: { returned: 250.5, returning: 500, left: 9 }, version: 4 }));
    row.getByText('Refunded ৳250.50');
    row.getByText('৳500 is on its way back');
    const moneyBack = { returned: 104_001, returning: 0, left: 0 };
    push(store, 'order', orderOf({ ...PAID, moneyBack, heldBack: 'refunded', version: 5 }));
    row.getByText('Refunded ৳104,001');
    expect(row.queryByText('being packed')).toBeNull();
  });
});
