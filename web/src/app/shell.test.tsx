import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientConfigApi } from '../api/client-config.ts';
import { closeApp, showApp, stubShop } from './app.fixture.tsx';
import NotFoundPage from './not-found-page.tsx';
import { Shell } from './shell.tsx';

const routes = [
  {
    element: <Shell />,
    children: [
      { path: '/', element: <p>Home page</p> },
      { path: '/dashboard/profile', element: <p>Profile</p> },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

describe('Shell', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('R17 an unknown path shows ‘Oops! Page not found’', async () => {
    showApp(routes, '/no/such/page');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Oops! Page not found');
    await waitFor(() => expect(document.title).toBe('Page not found - Micro Center'));
  });

  it('H9 the footer shows a text about the shop, partner brands and four lists, and contains no links', () => {
    showApp(routes);
    const footer = screen.getByRole('contentinfo');
    for (const title of ['Discover', 'About', 'Resources', 'Social', 'Hardware partners']) {
      const heading = within(footer).getByRole('heading', { name: title });
      const list = heading.parentElement?.querySelectorAll('li') ?? [];
      expect(list.length).toBeGreaterThanOrEqual(4);
    }
    expect(footer.textContent).toContain('small manufacturer and supplier');
    for (const word of ['Terms', 'Privacy', 'Compliances']) within(footer).getByText(word);
    expect(footer.querySelector('[href]')).toBeNull();
  });

  it('D2 the dashboard takes the full width and has no footer', async () => {
    const { router } = showApp(routes, '/dashboard/profile');
    expect(screen.queryByRole('contentinfo')).toBeNull();
    expect(screen.getByRole('main').dataset.wide).toBe('true');
    await act(() => router.navigate('/'));
    expect(screen.getByRole('contentinfo')).toBeTruthy();
  });

  it('AUTH4 a publicly reachable demo shop warns users on every page not to enter real data', async () => {
    stubShop({
      'GET /config.json': () => ({
        demoPublic: true,
        stripe: { mode: 'demo', publishableKey: 'pk_test_0' },
        firebase: { mode: 'demo', projectId: 'demo-shop', apiKey: 'demo' },
      }),
    });
    showApp(routes, '/no/such/page');
    expect(await screen.findByText(/Others can reach it, .* enter nothing real\./)).toBeDefined();
  });

  it('AUTH4 a demo shop shows a demo banner with a button that opens the demo mailbox', async () => {
    stubShop({
      'GET /demo-mailbox': () => [
        {
          email: 'new@micro-center.test',
          kind: 'verification',
          link: 'http://127.0.0.1/emulator/action?mode=verifyEmail',
        },
      ],
    });
    showApp(routes);
    await screen.findByText('Demo shop: no real money, no real goods.');
    fireEvent.click(screen.getByRole('button', { name: 'Open the demo mailbox' }));
    const link = await screen.findByRole('link', { name: 'Verify' });
    expect(link.getAttribute('href')).toBe('http://127.0.0.1/emulator/action?mode=verifyEmail');
    screen.getByText('To new@micro-center.test');
  });

  it('J2 the demo mailbox shows an e-mail about an order with a link to the order', async () => {
    const link = 'http://127.0.0.1/dashboard/myorders/1';
    const text = 'Hello Rumi,\n\nYour order MC-1042 has left our warehouse.';
    stubShop({
      'GET /demo-mailbox': () => [
        { email: 'new@micro-center.test', kind: 'order', subject: 'Order MC-1042: shipped', text, link },
      ],
    });
    showApp(routes);
    fireEvent.click(await screen.findByRole('button', { name: 'Open the demo mailbox' }));
    expect((await screen.findByRole('link', { name: 'See the order' })).getAttribute('href')).toBe(link);
    screen.getByText('Order MC-1042: shipped');
    screen.getByText(/has left our warehouse/);
  });

  it('AUTH4 a live shop does not show the demo banner', async () => {
    stubShop({
      'GET /config.json': () => ({
        stripe: { mode: 'live', publishableKey: 'pk_live_0' },
        firebase: { mode: 'live', config: {} },
      }),
    });
    const { store } = showApp(routes);
    const config = clientConfigApi.endpoints.getClientConfig.select();
    await waitFor(() => expect(config(store.getState()).isSuccess).toBe(true));
    expect(screen.queryByText(/Demo shop/)).toBeNull();
  });

  it('LIVE4 a notice says that the device is offline, and disappears once the device is online again', () => {
    showApp(routes);
    const connection = screen.getByRole('status', { name: 'Connection' });
    expect(connection.textContent).toBe('');
    fireEvent(window, new Event('offline'));
    expect(connection.textContent).toContain('You are offline.');
    fireEvent(window, new Event('online'));
    expect(connection.textContent).toBe('');
  });

  it('G5 navigating to another page removes the first page’s metadata from <head>', async () => {
    const told = [
      '<link rel="canonical" href="http://127.0.0.1/items/1">',
      '<meta name="description" content="A casing">',
      '<meta property="og:title" content="Norwester G7">',
      '<meta property="product:price:amount" content="52000.50">',
      '<script type="application/ld+json">{"@type":"Product"}</script>',
    ];
    const stays = '<meta name="color-scheme" content="light dark"><link rel="icon" href="/favicon.ico">';
    const before = document.head.innerHTML;
    document.head.insertAdjacentHTML('beforeend', stays + told.join(''));
    const { router } = showApp(routes);
    expect(document.head.innerHTML).toContain(told.join(''));
    await act(() => router.navigate('/no/such/page'));
    expect(document.head.innerHTML).not.toMatch(/canonical|description|og:|product:|ld\+json/);
    expect(document.head.innerHTML).toContain(stays);
    document.head.innerHTML = before;
  });

  it('R18 opening a page moves the focus to its heading and announces its title', async () => {
    const { router } = showApp(routes);
    await act(() => router.navigate('/no/such/page'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Page' }).textContent).toBe('Page not found - Micro Center'),
    );
  });

  it('R19 a link lets keyboard users skip the navigation bar', () => {
    showApp(routes);
    const skip = screen.getByRole('link', { name: 'Skip to content' });
    expect(document.querySelector(skip.getAttribute('href') ?? '')?.textContent).toContain('Home page');
  });
});
