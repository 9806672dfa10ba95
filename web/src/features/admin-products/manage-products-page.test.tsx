import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { showAdminPage } from '../../app/admin-page.fixture.tsx';
import { closeApp, push } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { deleted, productOf } from '../../shop/orders/order.fixture.ts';
import ManageProductsPage from './manage-products-page.tsx';

afterEach(closeApp);

describe('Manage products', () => {
  const shop = { 'GET /products': () => [productOf()], 'DELETE /products/:id': () => deleted };

  it('A5 one click in the "Are you sure?" dialog deletes a product, and a live page does not ask for a refresh', async () => {
    const { user, store } = showAdminPage(<ManageProductsPage />, shop);
    const row = within(await screen.findByRole('row', { name: /Norwester/ }));
    expect(row.getByText('5')).toBeTruthy();
    act(() => void store.dispatch(wentLive()));
    await user.click(row.getByRole('button', { name: /^Delete/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Product deleted')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('row', { name: /Norwester/ })).toBeNull());
    const alert = screen.getByRole('alertdialog', { name: 'Deleted!' });
    expect(alert.textContent).toContain('This product has been deleted.');
    expect(alert.textContent).not.toContain('refresh');
  });

  it('A5 a Bengali product name on the Manage products page has the lang attribute bn', async () => {
    showAdminPage(<ManageProductsPage />, { 'GET /products': () => [productOf({ name: 'কেসিং' })] });
    expect((await screen.findByText('কেসিং')).lang).toBe('bn');
  });

  it('A5 after a product is deleted on a page that is not live, the notice asks for a refresh', async () => {
    const { user } = showAdminPage(<ManageProductsPage />, shop);
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Deleted!' });
    expect(alert.textContent).toContain('This product has been deleted. Please refresh the page to see the update.');
  });

  it('A5 the product search runs on the server, and pushed products appear in the results if they match', async () => {
    const { store, user } = showAdminPage(<ManageProductsPage />, {
      'GET /products': ({ url }) => (url.searchParams.has('q') ? [] : [productOf()]),
    });
    await screen.findByRole('row', { name: /Norwester/ });
    await user.type(screen.getByRole('searchbox', { name: 'Search products' }), 'HERON');
    expect(await screen.findByRole('heading', { name: 'No product matches' })).toBeTruthy();
    push(store, 'product', productOf({ _id: '1'.repeat(24), name: 'Slate S1' }));
    push(store, 'product', productOf({ _id: '2'.repeat(24), name: 'Heron Mini' }));
    expect(await screen.findByRole('row', { name: /Heron Mini/ })).toBeTruthy();
    expect(screen.queryByText('Slate S1')).toBeNull();
  });

  it('A7 each product’s row shows its picture, price and stock, and marks low stock', async () => {
    const plenty = productOf({
      _id: '1'.repeat(24),
      name: 'Heron Mini',
      quantity: 40,
      img1: '/casings/heron-mini.svg',
    });
    const none = productOf({ _id: '2'.repeat(24), name: 'Slate S1', quantity: 0 });
    const few = productOf({ _id: '3'.repeat(24), name: 'Rackline', quantity: 19, minorder: 10 });
    showAdminPage(<ManageProductsPage />, { 'GET /products': () => [plenty, none, few] });
    const heron = await screen.findByRole('row', { name: /Heron/ });
    expect(heron.querySelector('img')?.getAttribute('src')).toBe('/casings/heron-mini.svg');
    within(heron).getByText('৳52,000.50');
    within(heron).getByText('40');
    expect(within(heron).queryByText('Low')).toBeNull();
    within(screen.getByRole('row', { name: /Rackline/ })).getByText('Low');
    within(screen.getByRole('row', { name: /Slate/ })).getByText('None left');
  });

  it('A7 the low-stock filter shows only products that are low in stock, and drops a product once it is restocked', async () => {
    const asked: string[] = [];
    const few = productOf({ quantity: 3 });
    const { store, user } = showAdminPage(<ManageProductsPage />, {
      'GET /products': ({ url }) => {
        asked.push(url.search);
        return url.searchParams.get('stock') === 'low'
          ? [few]
          : [few, productOf({ _id: '1'.repeat(24), name: 'Heron' })];
      },
    });
    await screen.findByRole('row', { name: /Heron/ });
    await user.click(screen.getByRole('radio', { name: 'Low stock' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Heron/ })).toBeNull());
    await screen.findByRole('row', { name: /Norwester/ });
    expect(asked.at(-1)).toBe('?stock=low&sort=newest&limit=200');
    await user.unhover(screen.getByRole('table'));
    push(store, 'product', productOf({ quantity: 30, version: 2 }));
    expect(await screen.findByRole('heading', { name: 'Nothing is low' })).toBeTruthy();
  });

  it('A5 a button reveals the products that were added while the pointer was over the list', async () => {
    const { store, user } = showAdminPage(<ManageProductsPage />, shop);
    await user.hover(await screen.findByRole('row', { name: /Norwester/ }));
    for (const [id, name] of [
      ['e', 'Heron'],
      ['f', 'Slate'],
    ] as const) {
      push(store, 'product', productOf({ _id: id.repeat(24), name, addedAt: '2026-06-01T09:00:00.000Z' }));
    }
    await user.click(await screen.findByRole('button', { name: 'Show 2 new products' }));
    await screen.findByRole('row', { name: /Slate/ });
  });

  it('A5 after a product is deleted, the focus moves to the row that takes its place', async () => {
    const other = productOf({ _id: '1'.repeat(24), name: 'Heron Mini', addedAt: '2025-12-31T09:00:00.000Z' });
    const { user } = showAdminPage(<ManageProductsPage />, { ...shop, 'GET /products': () => [productOf(), other] });
    (await screen.findByRole('button', { name: 'Delete Norwester G7' })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog'));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep product' })));
    await user.tab();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Heron Mini' })));
  });

  it('A5 no product is deleted if the admin chooses "Keep product"', async () => {
    const { user, calls } = showAdminPage(<ManageProductsPage />, shop);
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep product' }));
    expect(calls.some((call) => call.startsWith('DELETE'))).toBe(false);
  });
});
