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

  it('R4 has the sign-in form, the Google button and the registration form', async () => {
    showApp(routes, '/login');
    await signInForm();
    await registerForm();
    screen.getByRole('button', { name: 'Continue with Google' });
    expect(document.title).toBe('Login - Micro Center');
  });

  it('R5 has the registration form on /signup', async () => {
    showApp(routes, '/signup');
    await registerForm();
    expect(screen.queryByRole('form', { name: 'Sign in' })).toBeNull();
    expect(document.title).toBe('Sign up - Micro Center');
  });

  it('I2 signs in with email and password', async () => {
    const { store } = showApp(routes, '/login');
    const form = await signInForm();
    fill(form, /Email/, ' rina@micro-center.test ');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Home page');
    expect(store.getState().session.email).toBe('rina@micro-center.test');
  });

  it("I3 shows the provider's message as Error: {message}, and the form can be sent again", async () => {
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

  it("I3 shows the shop's own message when the shop cannot open the session", async () => {
    stubShop({ 'PUT /users/:id': () => problem('identity_unavailable') });
    showApp(routes, '/login');
    const form = await signInForm();
    fill(form, /Email/, 'rina@micro-center.test');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    expect((await screen.findByRole('alert')).textContent).toContain('Error: Sign-in is not available at the moment.');
  });

  it('I1 registers with username, email and password, and sends the verification mail', async () => {
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

  it('I1 refuses a username that has only spaces', async () => {
    const { identity } = showApp(routes, '/login');
    const form = await registerForm();
    fill(form, /Username/, '   ');
    fill(form, /Email/, 'new@micro-center.test');
    fill(form, /Password/, 'good-password');
    fireEvent.submit(form);
    await screen.findByText('Please enter a username');
    expect(identity.accounts).toHaveLength(2);
  });

  it('I4 asks for the email before sending a reset mail, and then says that the mail was sent', async () => {
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

  it('U54 I1 says that the username is the name on the parcels', async () => {
    showApp(routes, '/signup');
    const username = await screen.findByLabelText(/Username/);
    const hint = document.getElementById(username.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('Your name, as it will stand on your parcels');
  });

  it('U35 I4 says why a reset mail could not be sent, even after a failed sign-in', async () => {
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

  it('I2 asks for a name and an email instead of opening Google in the demo shop', async () => {
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

  it('U37 I2 opens the Google window while the click on its button is being handled', async () => {
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

  it("I3 shows the provider's message when the Google window is closed in a live shop", async () => {
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

  it('AUTH4 fills in the form with the demo account that is clicked', async () => {
    showApp(routes, '/login');
    fireEvent.click(await screen.findByRole('button', { name: /Rina Akter/ }));
    const form = await signInForm();
    fireEvent.submit(form);
    await screen.findByText('Home page');
  });
});
