import type { UserView } from '@micro-center/services/contracts/views.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { wentLive } from '../../live/live-slice.ts';
import { signedIn } from '../../session/session-slice.ts';
import { ADMIN, created, deleted, productOf, updated } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import AllUsersPage from '../admin-users/all-users-page.tsx';
import AddProductPage from './add-product-page.tsx';
import EditProductPage from './edit-product-page.tsx';
import ManageProductsPage from './manage-products-page.tsx';

afterEach(closeApp);

function show(page: React.ReactElement, answers: Parameters<typeof stubShop>[0]) {
  const calls = stubShop(answers);
  const element = (
    <>
      {page}
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }]);
  act(() => void store.dispatch(signedIn(ADMIN)));
  return { calls, store, user: userEvent.setup() };
}

describe('Add product', () => {
  it('A4 requires name, price, quantity and minimum order, and nothing else', async () => {
    const { user, calls } = show(<AddProductPage />, {});
    await user.click(screen.getByRole('button', { name: 'Add product' }));
    for (const text of ['Enter a name.', 'Enter a price.', 'Enter how many there are.', 'Enter the minimum order.']) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(4);
    expect(calls).not.toContain('POST /products');
  });

  it('U13 A4 takes whole numbers alone for the stock and the minimum order, and leaves what was typed', async () => {
    const { user, calls } = show(<AddProductPage />, {});
    await user.type(screen.getByLabelText(/^Name/), 'Heron Mini');
    await user.type(screen.getByLabelText(/^Price/), '9500.5');
    await user.type(screen.getByLabelText(/^Quantity/), '2.5');
    await user.type(screen.getByLabelText(/^Minimum order/), '1,5{Enter}');
    expect(screen.getAllByText('Enter a whole number.')).toHaveLength(2);
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('2.5');
    expect((screen.getByLabelText(/^Minimum order/) as HTMLInputElement).value).toBe('1,5');
    expect(calls).not.toContain('POST /products');
  });

  it('A4 adds the product and says so', async () => {
    let sent: unknown;
    const { user } = show(<AddProductPage />, {
      'POST /products': ({ body }) => {
        sent = body;
        return created;
      },
    });
    await user.type(screen.getByLabelText(/^Name/), 'Heron Mini');
    await user.type(screen.getByLabelText(/^Price/), '9500.5');
    await user.type(screen.getByLabelText(/^Quantity/), '9');
    await user.type(screen.getByLabelText(/^Minimum order/), '1{Enter}');
    expect(await screen.findByText('Your product have been added')).toBeTruthy();
    expect(sent).toMatchObject({ name: 'Heron Mini', price: 9500.5, quantity: 9, minorder: 1 });
    expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('');
  });
});

describe('Manage products', () => {
  const shop = { 'GET /products': () => [productOf()], 'DELETE /products/:id': () => deleted };

  it('A5 asks Are you sure?, deletes at one click and says so; asks to refresh only while not live', async () => {
    const { user, store } = show(<ManageProductsPage />, shop);
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

  it('U36 A5 a name in Bengali is marked as such', async () => {
    show(<ManageProductsPage />, { 'GET /products': () => [productOf({ name: 'কেসিং' })] });
    expect((await screen.findByText('কেসিং')).lang).toBe('bn');
  });

  it('A5 asks to refresh the page while not live', async () => {
    const { user } = show(<ManageProductsPage />, shop);
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Deleted!' });
    expect(alert.textContent).toContain('This product has been deleted. Please refresh the page to see the update.');
  });

  it('A5 searches on the server, and lets pushed products in that match', async () => {
    const { store, user } = show(<ManageProductsPage />, {
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

  it('A7 shows picture, price and stock, and marks a stock that does not last', async () => {
    const plenty = productOf({
      _id: '1'.repeat(24),
      name: 'Heron Mini',
      quantity: 40,
      img1: '/casings/heron-mini.svg',
    });
    const none = productOf({ _id: '2'.repeat(24), name: 'Slate S1', quantity: 0 });
    const few = productOf({ _id: '3'.repeat(24), name: 'Rackline', quantity: 19, minorder: 10 });
    show(<ManageProductsPage />, { 'GET /products': () => [plenty, none, few] });
    const heron = await screen.findByRole('row', { name: /Heron/ });
    expect(heron.querySelector('img')?.getAttribute('src')).toBe('/casings/heron-mini.svg');
    within(heron).getByText('৳52,000.50');
    within(heron).getByText('40');
    expect(within(heron).queryByText('Low')).toBeNull();
    within(screen.getByRole('row', { name: /Rackline/ })).getByText('Low');
    within(screen.getByRole('row', { name: /Slate/ })).getByText('None left');
  });

  it('A7 shows what is low alone, and lets go what was restocked', async () => {
    const asked: string[] = [];
    const few = productOf({ quantity: 3 });
    const { store, user } = show(<ManageProductsPage />, {
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

  it('U24 A5 offers the products that came while the pointer rested on the list', async () => {
    const { store, user } = show(<ManageProductsPage />, shop);
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

  it('A5 U11 the focus goes on to the row that moves up when its own was deleted', async () => {
    const other = productOf({ _id: '1'.repeat(24), name: 'Heron Mini', addedAt: '2025-12-31T09:00:00.000Z' });
    const { user } = show(<ManageProductsPage />, { ...shop, 'GET /products': () => [productOf(), other] });
    (await screen.findByRole('button', { name: 'Delete Norwester G7' })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog'));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep product' })));
    await user.tab();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Heron Mini' })));
  });

  it('A5 deletes nothing when the admin keeps the product', async () => {
    const { user, calls } = show(<ManageProductsPage />, shop);
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep product' }));
    expect(calls.some((call) => call.startsWith('DELETE'))).toBe(false);
  });
});

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

  /** Saves a stock of 25, which the shop refuses once because the product has become `fresh` meanwhile. */
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

  it('A5 each row leads to its product, whose fields are there to be changed', async () => {
    show(<ManageProductsPage />, { 'GET /products': () => [shown] });
    const link = await screen.findByRole('link', { name: 'Edit Norwester G7' });
    expect(link.getAttribute('href')).toBe(`/dashboard/manageproduct/${shown._id}`);
    closeApp();
    edit({});
    await quantity();
    const values = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    for (const value of ['Norwester G7', shown.img1, shown.processor, shown.gpu, shown.rated, shown.description, '2'])
      expect(values).toContain(value);
  });

  it('C9 sends what was changed alone, and goes back to the list', async () => {
    const { sent, user } = edit({});
    await quantity();
    await user.clear(screen.getByLabelText(/^Price/));
    await user.type(screen.getByLabelText(/^Price/), '49999.5');
    await user.type(screen.getByLabelText('Second image address'), '/casings/heron-mini-rear.svg');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('The list')).toBeTruthy();
    expect(sent).toEqual([{ price: 49999.5, img2: '/casings/heron-mini-rear.svg' }]);
  });

  it('C9 restocks with the version that was seen, and never over a stock that changed meanwhile', async () => {
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

  it('U19 C9 a second save after a refusal sends the stock alone, not the old price that another admin changed', async () => {
    const changed = productOf({ quantity: 3, price: 9000, description: 'Loud', version: 7 });
    const { user, sent } = await restock(changed);
    await screen.findByText('The stock changed meanwhile: 3 in stock now');
    expect((screen.getByLabelText(/^Price/) as HTMLInputElement).value).toBe('9000');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    await screen.findByText('The list');
    expect(sent.at(-1)).toEqual({ quantity: 25, version: 7 });
  });

  it('U19 C9 a new stock is saved at once where another admin has changed the price alone', async () => {
    const { sent } = await restock(productOf({ description: 'Quiet gaming', price: 9000, version: 7 }));
    await screen.findByText('The list');
    expect(sent).toEqual([
      { quantity: 25, version: 1 },
      { quantity: 25, version: 7 },
    ]);
  });

  it('U19 C9 fields that were not touched follow the product, and those that were keep what was typed', async () => {
    const { user, sent, store } = edit({});
    await user.clear(await quantity());
    await user.type(await quantity(), '25');
    push(store, 'product', productOf({ description: 'Loud', quantity: 3, price: 9000, version: 2 }));
    await waitFor(() => expect((screen.getByLabelText(/^Price/) as HTMLInputElement).value).toBe('9000'));
    expect((await quantity()).value).toBe('25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    await screen.findByText('The list');
    // The stock that the admin saw was that of version 1, so the shop can refuse.
    expect(sent).toEqual([{ quantity: 25, version: 1 }]);
  });

  it('C9 keeps the form and says why when the shop refuses', async () => {
    const { user } = edit({ 'PUT /products/:id': () => problem('overloaded') });
    await user.clear(await quantity());
    await user.type(await quantity(), '25');
    await user.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('The shop is very busy. Please try again in a moment.')).toBeTruthy();
    expect((await quantity()).value).toBe('25');
  });
});

describe('All users', () => {
  const user = (email: string, role: 'admin' | 'customer', id: string, name = '') => ({
    _id: id.repeat(24),
    email,
    name,
    role,
    address: '',
    phone: '',
    education: '',
    social: '',
    registeredAt: '2026-01-01T08:00:00.000Z',
    version: 1,
  });
  const MAKE = 'Make Rina Akter an admin?';
  const listed = {
    'GET /users': () => [user('boss@x.test', 'admin', 'a'), user('rina@x.test', 'customer', 'b', 'Rina Akter')],
  };

  const confirm = async (person: ReturnType<typeof userEvent.setup>, label: string) => {
    const question = label.endsWith('admin') && label !== 'Make admin' ? 'Remove boss@x.test as an admin?' : MAKE;
    const dialog = await screen.findByRole('dialog', { name: question });
    await person.click(within(dialog).getByRole('button', { name: label }));
  };

  it('U12 A6 offers MAKE ADMIN for non-admins alone, asks first, and says Successfully made an admin', async () => {
    const { user: person, calls } = show(<AllUsersPage />, { ...listed, 'PUT /users/admin/:id': () => updated });
    const admins = within(await screen.findByRole('row', { name: /boss/ }));
    expect(admins.queryByRole('button', { name: /MAKE ADMIN/ })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'MAKE ADMIN rina@x.test' }));
    within(await screen.findByRole('dialog')).getByText(
      'rina@x.test can then see and change every order, product and user. You can remove the role on this page.',
    );
    await confirm(person, 'Keep customer');
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'MAKE ADMIN rina@x.test' })),
    );
    expect(calls.filter((call) => call.startsWith('PUT /users/admin'))).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'MAKE ADMIN rina@x.test' }));
    await confirm(person, 'Make admin');
    expect(await screen.findByText('Successfully made an admin')).toBeTruthy();
    expect(calls).toContain('PUT /users/admin/rina%40x.test');
  });

  it('U12 A6 takes an admin back after asking, and says why the last one stays', async () => {
    let refused = true;
    const { user: person, calls } = show(<AllUsersPage />, {
      ...listed,
      'DELETE /users/admin/:id': () => (refused ? problem('last_admin') : deleted),
    });
    await person.click(await screen.findByRole('button', { name: 'Remove admin boss@x.test' }));
    await confirm(person, 'Remove admin');
    expect(await screen.findByText('The shop needs at least one admin.')).toBeTruthy();
    refused = false;
    await confirm(person, 'Remove admin');
    expect(await screen.findByText('boss@x.test is a customer again.')).toBeTruthy();
    expect(calls.filter((call) => call === 'DELETE /users/admin/boss%40x.test')).toHaveLength(2);
  });

  it('U24 A6 offers the users that came while the pointer rested on the list', async () => {
    const { user: person, store } = show(<AllUsersPage />, listed);
    await person.hover(await screen.findByRole('row', { name: /rina/ }));
    const newcomer = { ...user('new@x.test', 'customer', 'd'), registeredAt: '2026-06-01T08:00:00.000Z' };
    push(store, 'user', newcomer as UserView);
    await person.click(await screen.findByRole('button', { name: 'Show 1 new user' }));
    await screen.findByRole('row', { name: /new@x.test/ });
  });

  it('A6 names who signed in, beside email and role', async () => {
    show(<AllUsersPage />, listed);
    const row = within(await screen.findByRole('row', { name: /rina@x.test/ }));
    row.getByText('Rina Akter');
    row.getByText('customer');
  });

  it('U12 AUTH2 an admin who leaves the role is told that only another one gives it back', async () => {
    const own = user(ADMIN.email ?? '', 'admin', 'c', 'Farhana');
    const { user: person } = show(<AllUsersPage />, { 'GET /users': () => [own] });
    await person.click(await screen.findByRole('button', { name: `Remove admin ${own.email}` }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove yourself as an admin?' });
    within(dialog).getByText(/Only another admin can make you an admin again\./);
  });

  it('A6 searches on the server and says when nobody matches', async () => {
    const { user: person } = show(<AllUsersPage />, {
      'GET /users': ({ url }) => (url.searchParams.get('q') === 'anika' ? [] : listed['GET /users']()),
    });
    await screen.findByRole('row', { name: /rina/ });
    await person.type(screen.getByRole('searchbox', { name: 'Search users' }), 'anika');
    expect(await screen.findByRole('heading', { name: 'Nobody matches' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByRole('row', { name: /rina/ })).toBeTruthy();
  });

  it('A6 says Failed to Make an admin ! on a 403', async () => {
    const { user: person } = show(<AllUsersPage />, { ...listed, 'PUT /users/admin/:id': () => problem('forbidden') });
    await person.click(await screen.findByRole('button', { name: /MAKE ADMIN/ }));
    await confirm(person, 'Make admin');
    expect(await screen.findByText('Failed to Make an admin !')).toBeTruthy();
  });
});
