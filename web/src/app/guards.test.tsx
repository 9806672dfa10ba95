import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionRefused } from '../api/shop-api.ts';
import LoginPage from '../features/auth/login-page.tsx';
import { memoryIdentity } from '../session/memory-identity.fixture.ts';
import { closeApp, push, showApp, stubShop } from './app.fixture.tsx';
import { RequireAdmin, RequireSession } from './guards.tsx';

const routes = [
  { path: '/', element: <p>Home page</p> },
  { path: '/login', element: <LoginPage /> },
  {
    element: <RequireSession />,
    children: [
      { path: '/buypage/:id', element: <p>Buy page</p> },
      { element: <RequireAdmin />, children: [{ path: '/dashboard/allUsers', element: <p>All users</p> }] },
    ],
  },
];

/**
 * Opens the page `at` as the user with this e-mail address, whose session is restored from an earlier visit. If `email`
 * is null, opens the page as a visitor.
 */
function showAs(email: string | null, at: string) {
  if (email !== null) localStorage.setItem('accessToken', 'from last time');
  return showApp(routes, at, memoryIdentity(email === null ? {} : { kept: email }));
}

async function signIn(email: string): Promise<void> {
  const form = await screen.findByRole('form', { name: 'Sign in' });
  const [address, password] = form.querySelectorAll('input');
  if (address === undefined || password === undefined) throw new Error('The form has no fields.');
  fireEvent.change(address, { target: { value: email } });
  fireEvent.change(password, { target: { value: 'good-password' } });
  fireEvent.submit(form);
}

describe('guards', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('R21 a visitor who opens a guarded page is sent to /login, and returns to the same URL after signing in', async () => {
    const { router } = showAs(null, '/buypage/abc?quantity=3');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    await signIn('rina@micro-center.test');
    await screen.findByText('Buy page');
    expect(router.state.location.pathname + router.state.location.search).toBe('/buypage/abc?quantity=3');
  });

  it('R21 a visitor who did not come from a guarded page is sent to / after signing in', async () => {
    const { router } = showAs(null, '/login');
    await signIn('rina@micro-center.test');
    await screen.findByText('Home page');
    expect(router.state.location.pathname).toBe('/');
  });

  it('R21 while a stored session is being restored, a guarded page waits instead of sending the user to /login', async () => {
    const { router } = showAs('rina@micro-center.test', '/buypage/abc');
    expect(router.state.location.pathname).toBe('/buypage/abc');
    await screen.findByText('Buy page');
  });

  it('R21 a user whose session expires is sent to /login with a reason, and returns to the page after signing in', async () => {
    const { router, store } = showAs('rina@micro-center.test', '/buypage/abc');
    await screen.findByText('Buy page');
    act(() => void store.dispatch(sessionRefused()));
    await screen.findByText(/Your session has ended/);
    expect(localStorage.getItem('accessToken')).toBeNull();
    await signIn('rina@micro-center.test');
    await screen.findByText('Buy page');
    expect(router.state.location.pathname).toBe('/buypage/abc');
  });

  it('R21 a user who signs out on a guarded page is sent to the home page', async () => {
    const { router, keeper } = showAs('rina@micro-center.test', '/buypage/abc');
    await screen.findByText('Buy page');
    await act(() => keeper.signOut('by-user'));
    await screen.findByText('Home page');
    expect(router.state.location.pathname).toBe('/');
  });

  it('R22 a customer who opens an admin page is signed out and sent to /login', async () => {
    const { router, store, identity } = showAs('rina@micro-center.test', '/dashboard/allUsers');
    await screen.findByText(/That page is for admins/);
    expect(router.state.location.pathname).toBe('/login');
    expect(store.getState().session.status).toBe('signed-out');
    expect(localStorage.getItem('accessToken')).toBeNull();
    await waitFor(() => expect(identity.signedInAs()).toBeNull());
    await signIn('rina@micro-center.test');
    await screen.findByText('Home page');
  });

  it('R22 an admin can see admin pages until the role is revoked', async () => {
    const { router, store } = showAs('admin@micro-center.test', '/dashboard/allUsers');
    await screen.findByText('All users');
    push(store, 'user', {
      ...{ _id: 'a'.repeat(24), email: 'admin@micro-center.test', name: 'Admin', role: 'customer', version: 2 },
      ...{ address: '', phone: '', education: '', social: '', registeredAt: '2026-01-01T10:00:00.000Z' },
    });
    await screen.findByText(/That page is for admins/);
    expect(router.state.location.pathname).toBe('/login');
  });
});
