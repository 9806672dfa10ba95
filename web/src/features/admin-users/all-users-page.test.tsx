import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { showAdminPage } from '../../app/admin-page.fixture.tsx';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { ADMIN, deleted, updated } from '../../shop/orders/order.fixture.ts';
import AllUsersPage from './all-users-page.tsx';

afterEach(closeApp);

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

  it('A6 only a customer’s row offers MAKE ADMIN, which asks for confirmation and reports success', async () => {
    const { user: person, calls } = showAdminPage(<AllUsersPage />, {
      ...listed,
      'PUT /users/admin/:id': () => updated,
    });
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

  it('A6 removing admins needs confirmation, and the page says why the last admin cannot be removed', async () => {
    let refused = true;
    const { user: person, calls } = showAdminPage(<AllUsersPage />, {
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

  it('A6 a button reveals the users who registered while the pointer was over the list', async () => {
    const { user: person, store } = showAdminPage(<AllUsersPage />, listed);
    await person.hover(await screen.findByRole('row', { name: /rina/ }));
    const newcomer = { ...user('new@x.test', 'customer', 'd'), registeredAt: '2026-06-01T08:00:00.000Z' };
    push(store, 'user', newcomer as UserView);
    await person.click(await screen.findByRole('button', { name: 'Show 1 new user' }));
    await screen.findByRole('row', { name: /new@x.test/ });
  });

  it('A6 each row shows the user’s name, email and role', async () => {
    showAdminPage(<AllUsersPage />, listed);
    const row = within(await screen.findByRole('row', { name: /rina@x.test/ }));
    row.getByText('Rina Akter');
    row.getByText('customer');
  });

  it('AUTH2 an admin who removes their own role is told that only another admin can restore it', async () => {
    const own = user(ADMIN.email ?? '', 'admin', 'c', 'Farhana');
    const { user: person } = showAdminPage(<AllUsersPage />, { 'GET /users': () => [own] });
    await person.click(await screen.findByRole('button', { name: `Remove admin ${own.email}` }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove yourself as an admin?' });
    within(dialog).getByText(/Only another admin can make you an admin again\./);
  });

  it('A6 the user search runs on the server, and the page says when nobody matches', async () => {
    const { user: person } = showAdminPage(<AllUsersPage />, {
      'GET /users': ({ url }) => (url.searchParams.get('q') === 'anika' ? [] : listed['GET /users']()),
    });
    await screen.findByRole('row', { name: /rina/ });
    await person.type(screen.getByRole('searchbox', { name: 'Search users' }), 'anika');
    expect(await screen.findByRole('heading', { name: 'Nobody matches' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByRole('row', { name: /rina/ })).toBeTruthy();
  });

  it('A6 if a request to make a user an admin gets a 403, the page says "Failed to Make an admin !"', async () => {
    const { user: person } = showAdminPage(<AllUsersPage />, {
      ...listed,
      'PUT /users/admin/:id': () => problem('forbidden'),
    });
    await person.click(await screen.findByRole('button', { name: /MAKE ADMIN/ }));
    await confirm(person, 'Make admin');
    expect(await screen.findByText('Failed to Make an admin !')).toBeTruthy();
  });
});
