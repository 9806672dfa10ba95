import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { RequireSession } from '../../app/guards.tsx';
import { selectSession, signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, created, productOf } from '../../shop/orders/order.fixture.ts';
import { useReturnPath } from '../auth/use-return-path.ts';
import { PATIENCE, show } from './buy-page.fixture.tsx';
import BuyPage from './buy-page.tsx';

afterEach(closeApp);

describe('a session that ends while a form is being filled in', () => {
  /** Stands in for the login page, which also redirects after a successful sign-in. */
  function SignIn() {
    const { status } = useSelector(selectSession);
    const to = useReturnPath();
    return status === 'signed-in' ? <Navigate to={to} replace /> : <p>Sign in again</p>;
  }

  async function loseSession() {
    stubShop({ 'GET /products/:id': () => productOf(), 'POST /orders': () => problem('unauthenticated') });
    const routes = [
      { element: <RequireSession />, children: [{ path: '/buypage/:id', element: <BuyPage /> }] },
      { path: '/login', element: <SignIn /> },
      { path: '/dashboard/payment/:id', element: <p>Payment</p> },
      { path: '/', element: <p>Home</p> },
    ];
    const at = `/buypage/${productOf()._id}`;
    const app = showApp(routes, at);
    act(() => void app.store.dispatch(signedIn(CUSTOMER)));
    await act(() => app.router.navigate(at));
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText(/^Address/, {}, PATIENCE), 'House 7');
    await user.type(screen.getByLabelText(/^Phone/), '01711000000');
    await user.click(screen.getByRole('button', { name: 'BUY NOW' }));
    await screen.findByText('Sign in again', {}, PATIENCE);
    expect(app.router.state.location.pathname).toBe('/login');
    return app;
  }
  const address = async () => (await screen.findByLabelText(/^Address/, {}, PATIENCE)) as HTMLInputElement;
  const drafts = () => JSON.stringify({ ...sessionStorage });

  it('P5 R21 the buy form’s draft is restored if the same person signs in again, and deleted once the order is placed', async () => {
    const { store, router } = await loseSession();
    act(() => void store.dispatch(signedIn(CUSTOMER)));
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Phone/) as HTMLInputElement).value).toBe('01711000000');
    expect(router.state.location.pathname).toBe(`/buypage/${productOf()._id}`);
    stubShop({ 'GET /products/:id': () => productOf(), 'POST /orders': () => created });
    await userEvent.setup().click(screen.getByRole('button', { name: 'BUY NOW' }));
    await screen.findByText('Payment', {}, PATIENCE);
    expect(drafts()).toBe('{}');
  });

  it('P5 R21 the buy form’s draft is deleted if someone else signs in', async () => {
    const { store } = await loseSession();
    expect(drafts()).toContain('House 7');
    act(() => void store.dispatch(signedIn({ ...CUSTOMER, email: 'karim@micro-center.test' })));
    expect((await address()).value).toBe('');
    expect(drafts()).not.toContain('House 7');
  });

  it('P5 values entered in the buy form survive a reload and are deleted at sign-out', async () => {
    const { fill, view, store } = await show();
    await fill('3');
    const kept = { ...sessionStorage };
    expect(JSON.stringify(kept)).toContain('House 7');
    view.unmount();
    // A real reload wouldn't unmount the page, so undo any change that the unmount has made to the storage.
    Object.assign(sessionStorage, kept);
    const again = await show();
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    expect(store).not.toBe(again.store);
    await act(() => again.keeper.signOut('by-user'));
    expect(drafts()).toBe('{}');
  });
});

describe('leaving the buy form and returning to it', () => {
  it('P5 the Back button restores the values entered in the buy form, unless the order has been placed', async () => {
    const { fill, buy, router } = await show();
    const address = () => screen.findByLabelText<HTMLInputElement>(/^Address/, {}, PATIENCE);
    await fill('3');
    await act(() => router.navigate('/dashboard/payment/elsewhere'));
    expect(screen.queryByLabelText(/^Address/)).toBeNull();
    await act(() => router.navigate(-1));
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Phone/) as HTMLInputElement).value).toBe('01711000000');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    await buy();
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/payment/${created.insertedId}`));
    await act(() => router.navigate(-1));
    expect((await address()).value).toBe('');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('2');
  });
});
