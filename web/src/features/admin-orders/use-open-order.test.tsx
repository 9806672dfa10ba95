import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, orderOf, PAID, productOf } from '../../shop/orders/order.fixture.ts';
import ManageOrdersPage from './manage-orders-page.tsx';

afterEach(closeApp);

const ORDER = orderOf(PAID);
const OTHER = orderOf({ ...PAID, _id: '2'.repeat(24), number: 'MC-1043' });

/** Opens the board at the address `at`. Without `at`, opens another page and then navigates to the board. */
async function show(at?: string) {
  stubShop({
    'GET /orders': () => [ORDER, OTHER],
    'GET /orders/:id': ({ url }) => (url.pathname.endsWith(OTHER._id) ? OTHER : ORDER),
    [`GET /products/${ORDER.productId}`]: () => productOf(),
  });
  const pages = [
    { path: '/', element: <ManageOrdersPage /> },
    { path: '/before', element: <h1>Before</h1> },
  ];
  const { router, store } = showApp(pages, at ?? '/before');
  act(() => {
    store.dispatch(signedIn(ADMIN));
    store.dispatch(wentLive());
  });
  if (at === undefined) await act(() => router.navigate('/'));
  const search = () => router.state.location.search;
  const back = () => act(() => router.navigate(-1));
  return { router, search, back };
}
const numberOf = ({ number }: typeof ORDER) => screen.findByRole('button', { name: `Open order ${number}` });
const close = () => userEvent.click(screen.getByRole('button', { name: 'Close' }));
const drawer = () => screen.findByRole('dialog', { name: 'Order' });
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'Order' })).toBeNull());

describe('the board’s browser history', () => {
  it('Q1 pressing Back closes the open order and focuses its row, and pressing Back again leaves the board', async () => {
    const { search, back } = await show();
    const opener = await numberOf(ORDER);
    await userEvent.click(opener);
    await drawer();
    expect(search()).toBe(`?order=${ORDER._id}`);
    await back();
    await isClosed();
    expect(search()).toBe('');
    await waitFor(() => expect(document.activeElement).toBe(opener));
    await back();
    screen.getByRole('heading', { name: 'Before' });
  });

  it('Q1 clicking Close twice goes back only one entry in the browser history', async () => {
    const { search, back } = await show();
    await userEvent.click(await numberOf(ORDER));
    await drawer();
    act(() => {
      for (const _ of [1, 2]) screen.getByRole('button', { name: 'Close' }).click();
    });
    await isClosed();
    expect(search()).toBe('');
    await numberOf(ORDER);
    await back();
    screen.getByRole('heading', { name: 'Before' });
  });

  it('Q1 if another order replaces the open one, a single press of Back closes the drawer', async () => {
    const { router, search, back } = await show();
    await userEvent.click(await numberOf(ORDER));
    await drawer();
    // A scanner can open an order while another one is open.
    act(() => {
      for (const key of [...OTHER.number, 'Enter'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
    await waitFor(() => expect(search()).toBe(`?order=${OTHER._id}`));
    await back();
    await isClosed();
    expect(router.state.location.pathname + search()).toBe('/');
  });

  it('Q1 closing an order that was opened from its URL shows the board', async () => {
    const { search } = await show(`/?order=${ORDER._id}`);
    await drawer();
    await close();
    await isClosed();
    expect(search()).toBe('');
    await numberOf(ORDER);
  });

  it('W4 the Back button returns to the board’s previous filter', async () => {
    const { router, search, back } = await show();
    await userEvent.click(await screen.findByRole('radio', { name: 'To deliver' }));
    expect(search()).toBe('?status=paid');
    await userEvent.click(await screen.findByRole('radio', { name: 'Shipped' }));
    await back();
    expect(search()).toBe('?status=paid');
    await back();
    expect(router.state.location.pathname + search()).toBe('/');
    await back();
    screen.getByRole('heading', { name: 'Before' });
  });
});
