import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { showAdminPage } from '../../app/admin-page.fixture.tsx';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, productOf, updated } from '../../shop/orders/order.fixture.ts';
import EditProductPage from './edit-product-page.tsx';
import ManageProductsPage from './manage-products-page.tsx';

afterEach(closeApp);

describe('Edit product', () => {
  const shown = productOf({ description: 'Quiet gaming' });
  function edit(answers: Parameters<typeof stubShop>[0]) {
    const sent: unknown[] = [];
    stubShop({
      'GET /products/:id': () => shown,
      'PUT /products/:id': ({ body }) => {
        sent.push(body);
        return updated;
      },
      ...answers,
    });
    const routes = [
      { path: '/dashboard/manageproduct', element: <p>The list</p> },
      { path: '/dashboard/manageproduct/:id', element: <EditProductPage /> },
    ];
    const { store } = showApp(routes, `/dashboard/manageproduct/${shown._id}`);
    act(() => void store.dispatch(signedIn(ADMIN)));
    return { sent, store, user: userEvent.setup() };
  }
  const quantity = async () => (await screen.findByLabelText(/^Quantity/)) as HTMLInputElement;

  /** Saves a stock of 25. The shop refuses the first request, because the product has changed to `fresh` since the form was opened. */
  async function restock(fresh: ReturnType<typeof productOf>) {
    const answers = [shown, fresh];
    const sent: unknown[] = [];
    const { user } = edit({
      'GET /products/:id': () => (answers.length > 1 ? answers.shift() : fresh),
      'PUT /products/:id': ({ body }) => {
        sent.push(body);
        return sent.length === 1 ? problem('stale_version') : updated;
      },
    });
    await user.clear(await quantity());
    await user.type(await quantity(), '25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    return { user, sent };
  }

  it('A5 each row on the Manage products page links to an edit form with the product’s current values', async () => {
    showAdminPage(<ManageProductsPage />, { 'GET /products': () => [shown] });
    const link = await screen.findByRole('link', { name: 'Edit Norwester G7' });
    expect(link.getAttribute('href')).toBe(`/dashboard/manageproduct/${shown._id}`);
    closeApp();
    edit({});
    await quantity();
    const values = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    for (const value of ['Norwester G7', shown.img1, shown.processor, shown.gpu, shown.rated, shown.description, '2'])
      expect(values).toContain(value);
  });

  it('C9 saving a product sends only the changed fields and returns to the product list', async () => {
    const { sent, user } = edit({});
    await quantity();
    await user.clear(screen.getByLabelText(/^Price/));
    await user.type(screen.getByLabelText(/^Price/), '49999.5');
    await user.type(screen.getByLabelText('Second image address'), '/casings/heron-mini-rear.svg');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(sent).toEqual([{ price: 49999.5, img2: '/casings/heron-mini-rear.svg' }]);
  });

  it('C9 a new stock count is sent with the version the admin saw, and never overwrites a newer count', async () => {
    const { user, sent } = await restock(productOf({ quantity: 3, version: 7 }));
    expect(await screen.findByText('The stock changed meanwhile: 3 in stock now')).toBeTruthy();
    expect((await quantity()).value).toBe('25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(sent).toEqual([
      { quantity: 25, version: 1 },
      { quantity: 25, version: 7 },
    ]);
  });

  it('C9 saving again after a refusal sends only the stock, so another admin’s new price is kept', async () => {
    const changed = productOf({ quantity: 3, price: 9000, description: 'Loud', version: 7 });
    const { user, sent } = await restock(changed);
    await screen.findByText('The stock changed meanwhile: 3 in stock now');
    expect((screen.getByLabelText(/^Price/) as HTMLInputElement).value).toBe('9000');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    await screen.findByText('The list');
    expect(sent.at(-1)).toEqual({ quantity: 25, version: 7 });
  });

  it('C9 if another admin changed only the price, a new stock count is saved without confirmation', async () => {
    const { sent } = await restock(productOf({ description: 'Quiet gaming', price: 9000, version: 7 }));
    await screen.findByText('The list');
    expect(sent).toEqual([
      { quantity: 25, version: 1 },
      { quantity: 25, version: 7 },
    ]);
  });

  it('C9 if the product changes during editing, only the fields that the admin has not edited are updated', async () => {
    const { user, sent, store } = edit({});
    await user.clear(await quantity());
    await user.type(await quantity(), '25');
    push(store, 'product', productOf({ description: 'Loud', quantity: 3, price: 9000, version: 2 }));
    await waitFor(() => expect((screen.getByLabelText(/^Price/) as HTMLInputElement).value).toBe('9000'));
    expect((await quantity()).value).toBe('25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    await screen.findByText('The list');
    // The admin saw the stock at version 1. The request contains that version, so that the shop can refuse the new
    // stock count if the stock has changed since.
    expect(sent).toEqual([{ quantity: 25, version: 1 }]);
  });

  it('C9 if the shop refuses the change, the form says why and keeps the entered values', async () => {
    const { user } = edit({ 'PUT /products/:id': () => problem('overloaded') });
    await user.clear(await quantity());
    await user.type(await quantity(), '25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('The shop is very busy. Please try again in a moment.')).toBeTruthy();
    expect((await quantity()).value).toBe('25');
  });
});
