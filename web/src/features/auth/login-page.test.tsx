import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { memoryIdentity } from '../../session/memory-identity.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import LoginPage from './login-page.tsx';
import SignupPage from './signup-page.tsx';

const routes = [
  { path: '/', element: <p>Home page</p> },
  {
    path: '/login',
    element: (
      <>
        <LoginPage />
        <Toasts />
      </>
    ),
  },
  { path: '/signup', element: <SignupPage /> },
];

function fill(form: HTMLElement, label: RegExp, value: string): void {
  fireEvent.change(within(form).getByLabelText(label, { selector: 'input' }), { target: { value } });
}

const signInForm = () => screen.findByRole('form', { name: 'Sign in' });
const registerForm = () => screen.findByRole('form', { name: 'Create an account' });

describe('LoginPage', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('R4 the login page has a sign-in form, a Google button and a registration form', async () => {
    showApp(routes, '/login');
    await signInForm();
    await registerForm();
    screen.getByRole('button', { name: 'Continue with Google' });
    expect(document.title).toBe('Login - Micro Center');
  });

  it('R5 the /signup page has the registration form', async () => {
    showApp(routes, '/signup');
    await registerForm();
    expect(screen.queryByRole('form', { name: 'Sign in' })).toBeNull();
    expect(document.title).toBe('Sign up - Micro Center');
  });

  it('I2 a user can sign in with an email and password', async () => {
    const { store } = showApp(routes, '/login');
    const form = await signInForm();
    fill(form, /Email/, ' rina@micro-center.test ');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Home page');
    expect(store.getState().session.email).toBe('rina@micro-center.test');
  });

  it('I3 a failed sign-in shows "Error: " and the provider’s message, and can be retried', async () => {
    showApp(routes, '/login');
    const form = await signInForm();
    fill(form, /Email/, 'rina@micro-center.test');
    fill(form, /Password/, 'wrong');
    fireEvent.submit(form);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Error: Firebase: Error (auth/invalid-credential).');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Home page');
  });

  it("I3 the sign-in form shows the shop's own message when the shop cannot open a session", async () => {
    stubShop({ 'PUT /users/:id': () => problem('identity_unavailable') });
    showApp(routes, '/login');
    const form = await signInForm();
    fill(form, /Email/, 'rina@micro-center.test');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    expect((await screen.findByRole('alert')).textContent).toContain('Error: Sign-in is not available at the moment.');
  });

  it('I1 a visitor can register with a username, email and password, and gets a verification e-mail', async () => {
    const { store, identity } = showApp(routes, '/login');
    const form = await registerForm();
    fill(form, /Username/, 'New Person');
    fill(form, /Email/, 'new@micro-center.test');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Home page');
    expect(store.getState().session.name).toBe('New Person');
    expect(identity.mails).toEqual(['verification:new@micro-center.test']);
  });

  it('I1 registration rejects a username that consists only of spaces', async () => {
    const { identity } = showApp(routes, '/login');
    const form = await registerForm();
    fill(form, /Username/, '   ');
    fill(form, /Email/, 'new@micro-center.test');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Please enter a username');
    expect(identity.accounts).toHaveLength(2);
  });

  it('I4 a password reset requires an email address, and the page confirms that the e-mail was sent', async () => {
    const { identity } = showApp(routes, '/login');
    const form = await signInForm();
    const reset = within(form).getByRole('button', { name: /reset/ });
    fireEvent.click(reset);
    await screen.findByText('Please enter your email');
    expect(identity.mails).toEqual([]);
    fill(form, /Email/, 'rina@micro-center.test');
    fireEvent.click(reset);
    await screen.findByText('Email successfully sent');
    expect(identity.mails).toEqual(['reset:rina@micro-center.test']);
    expect(screen.queryByText('Please enter your email')).toBeNull();
  });

  it('I1 the sign-up form says that the username will appear on the customer’s parcels', async () => {
    showApp(routes, '/signup');
    const username = await screen.findByLabelText(/Username/);
    const hint = document.getElementById(username.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('Your name, as it will stand on your parcels');
  });

  it('I4 if a password-reset e-mail cannot be sent, the reason replaces the earlier sign-in error', async () => {
    const identity = memoryIdentity();
    showApp(routes, '/login', identity);
    const form = await signInForm();
    fill(form, /Email/, 'rina@micro-center.test');
    fill(form, /Password/, 'wrong');
    fireEvent.submit(form);
    await screen.findByText(/auth\/invalid-credential/);
    identity.sendPasswordReset = () => Promise.reject(new Error('Too many reset mails.'));
    fireEvent.click(within(form).getByRole('button', { name: /Forgot your password/ }));
    await screen.findByText('Error: Too many reset mails.');
    expect(screen.queryByText(/auth\/invalid-credential/)).toBeNull();
  });

  it('I2 in the demo shop, the Google button asks for a name and an email instead of opening Google', async () => {
    const { store } = showApp(routes, '/login');
    await signInForm();
    const button = screen.getByRole('button', { name: 'Continue with Google' });
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
    fireEvent.click(button);
    const form = await screen.findByRole('form', { name: 'Demo Google account' });
    fill(form, /Name/, 'Google Person');
    fill(form, /email/, 'person@gmail.test');
    fireEvent.submit(form);
    await screen.findByText('Home page');
    expect(store.getState().session).toMatchObject({ name: 'Google Person', email: 'person@gmail.test' });
  });

  const LIVE = {
    'GET /config.json': () => ({
      stripe: { mode: 'live', publishableKey: 'pk_live_0' },
      firebase: { mode: 'live', config: {} },
    }),
  };

  it('I2 the Google window is opened while the button’s click event is still being handled', async () => {
    stubShop(LIVE);
    const identity = memoryIdentity();
    const asked: Event[] = [];
    identity.signInWithGoogle = async () => {
      if (window.event) asked.push(window.event);
      throw new Error('closed');
    };
    let loaded = () => {};
    const listens = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    const { onUserChanged } = identity;
    identity.onUserChanged = (listener) => {
      loaded();
      return onUserChanged(listener);
    };
    showApp(routes, '/login', identity);
    const button = await screen.findByRole('button', { name: 'Continue with Google' });
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
    await listens;
    fireEvent.click(button);
    await screen.findByRole('alert');
    expect(asked.map(({ type, target }) => [type, target])).toEqual([['click', button]]);
  });

  it("I3 closing the Google window in a live shop shows the provider's error message", async () => {
    stubShop(LIVE);
    showApp(routes, '/login');
    await signInForm();
    const button = screen.getByRole('button', { name: 'Continue with Google' });
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
    fireEvent.click(button);
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Error: Firebase: Error (auth/popup-closed-by-user).',
    );
  });

  it('AUTH4 clicking a demo account fills in the sign-in form', async () => {
    showApp(routes, '/login');
    fireEvent.click(await screen.findByRole('button', { name: /Rina Akter/ }));
    const form = await signInForm();
    fireEvent.submit(form);
    await screen.findByText('Home page');
  });
});
