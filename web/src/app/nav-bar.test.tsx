import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryIdentity } from '../session/memory-identity.fixture.ts';
import { closeApp, showApp, stubShop } from './app.fixture.tsx';
import Dashboard from './dashboard.tsx';
import { RequireSession } from './guards.tsx';
import { NavBar } from './nav-bar.tsx';

const PAGES = ['Home', 'Products', 'Portfolio', 'Blogs'];

function show(who: string | null) {
  if (who !== null) localStorage.setItem('accessToken', 'from last time');
  const routes = [
    { path: '/', element: <NavBar /> },
    {
      element: <RequireSession />,
      children: [
        {
          path: '/dashboard',
          element: <Dashboard />,
          children: ['myorders', 'allorder'].map((path) => ({ path, element: <p>{path}</p> })),
        },
      ],
    },
  ];
  return (at: string) => showApp(routes, at, memoryIdentity(who === null ? {} : { kept: who }));
}

const words = (nav: HTMLElement) => [...nav.querySelectorAll('a, button')].map((entry) => entry.textContent);

describe('NavBar', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('R19 the navigation bar shows Home, Products, Portfolio, Blogs and Login to a visitor', () => {
    show(null)('/');
    const nav = screen.getByRole('navigation', { name: 'Main' });
    expect(words(nav)).toEqual([...PAGES, 'Login']);
    const targets = within(nav)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(targets).toEqual(['/', '/allproducts', '/myportfolio', '/blogs', '/login']);
  });

  it('R19 a signed-in user’s navigation bar has a Dashboard link and a Sign out button that ends the session', async () => {
    const { store } = show('rina@micro-center.test')('/');
    const out = await screen.findByRole('button', { name: 'Sign out' });
    expect(words(screen.getByRole('navigation', { name: 'Main' }))).toEqual([...PAGES, 'Dashboard', 'Sign out']);
    fireEvent.click(out);
    await screen.findByRole('link', { name: 'Login' });
    expect(store.getState().session.token).toBeNull();
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it('R19 the menu button opens the navigation links and reports that they are open, and Escape closes them', () => {
    show(null)('/');
    const nav = screen.getByRole('navigation', { name: 'Main' });
    expect(nav.dataset.open).toBeUndefined();
    fireEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    expect(nav.dataset.open).toBe('true');
    expect(screen.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true');
    fireEvent.keyDown(nav, { key: 'Escape' });
    expect(nav.dataset.open).toBeUndefined();
  });
});

describe('Dashboard', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  async function drawerOf(who: string, last: string) {
    show(who)('/dashboard');
    const nav = await screen.findByRole('navigation', { name: 'Dashboard' });
    await waitFor(() => expect(words(nav)).toContain(last));
    return words(nav);
  }

  it.each([
    ['rina@micro-center.test', 'myorders'],
    ['admin@micro-center.test', 'allorder'],
  ])('R8 the /dashboard page redirects the user %s to the page %s', async (who, page) => {
    show(who)('/dashboard');
    await screen.findByText(page);
  });

  it('R20 a customer’s dashboard drawer shows Profile, My orders and Add a review', async () => {
    const links = await drawerOf('rina@micro-center.test', 'My orders');
    expect(links).toEqual(['Profile', 'My orders', 'Add a review']);
  });

  it('R20 an admin’s dashboard drawer shows Profile, Add Product, Manage Product, Manage Orders, Money and All Users', async () => {
    expect(await drawerOf('admin@micro-center.test', 'All Users')).toEqual([
      'Profile',
      'Add Product',
      'Manage Product',
      'Manage Orders',
      'Money',
      'All Users',
    ]);
  });
});
