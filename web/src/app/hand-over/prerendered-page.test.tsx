import type { ReadyData } from '@micro-center/services/contracts/prerendered-page.ts';
import { act } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { createMemoryRouter } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import { takeConfig } from '../../api/client-config.ts';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { closeApp, stubLayout, stubShop } from '../app.fixture.tsx';
import { App } from '../providers.tsx';
import { routes } from '../router.tsx';
import { makeApp } from '../start.ts';
import { takeEarlyActs } from './early-acts.ts';
import { renderPage } from './prerendered-page.tsx';
import { takeReadyData } from './ready-data.ts';

const SCRIPT = '</script><script>alert(1)</script>';
const product = productOf({ name: `Norwester ${SCRIPT}`, quantity: 3 });
const review = {
  _id: 'f'.repeat(24),
  name: product.name,
  username: SCRIPT,
  ratings: 4,
  description: 'Quiet.',
  postedAt: '2026-01-02T23:30:00.000Z',
  version: 1,
};
const rows = { next: null, etag: 'W/"1"' };
const products = { views: [product], ...rows };
const reviews = { views: [review], ...rows };
const CONFIG = {
  stripe: { mode: 'demo' as const, publishableKey: 'pk_test_0' },
  firebase: { mode: 'demo' as const, projectId: 'demo-shop', apiKey: 'demo' },
};
const PAGES: [string, ReadyData][] = [
  ['/', { products, reviews }],
  ['/allproducts', { products }],
  [`/items/${product._id}`, { product, reviews }],
];

let root: Root | undefined;
afterEach(() => {
  act(() => root?.unmount());
  closeApp();
  vi.restoreAllMocks();
});

it.each(PAGES)(
  'PAGE1 the prerendered page %s hydrates without a mismatch, shows the browser’s session, colours and local dates, and replays early clicks and input',
  async (path, data) => {
    const shop = stubShop({ 'GET /products/:id': () => product, 'GET /similar': () => [] });
    stubLayout();
    const page = document.body.appendChild(document.createElement('div'));
    page.innerHTML = renderPage(path, data, CONFIG).replace(/^(<link[^>]*>)+/, '');
    // The server doesn't know the browser's state, such as its stored colour scheme.
    localStorage.setItem('mantine-color-scheme-value', 'dark');
    const complaints = vi.spyOn(console, 'error');
    expect(page.querySelector('script')).toBeNull();
    expect(page.textContent).toContain(SCRIPT);
    expect(page.querySelector('[data-unknown]')?.textContent).toBe('Login');
    const card = page.querySelector('article');

    const search = page.querySelector<HTMLInputElement>('input[type=search]');
    const [tick, order] = [page.querySelector<HTMLInputElement>('input[type=checkbox]'), page.querySelector('select')];
    if (search) search.value = 'norwester';
    if (tick) tick.checked = true;
    if (order) order.value = 'price';
    const menu = page.querySelector('[aria-label="Open menu"]');
    window.takeEarlyPresses = () => [menu as HTMLButtonElement];
    const repeatEarlyActs = takeEarlyActs(page);

    const { store, keeper, start } = makeApp();
    takeConfig(store.dispatch, CONFIG);
    takeReadyData(store.dispatch, data);
    const router = createMemoryRouter(routes, { initialEntries: [path] });
    await act(async () => {
      root = hydrateRoot(page, <App store={store} keeper={keeper} router={router} onShown={start} />);
    });
    expect(complaints.mock.calls).toEqual([]);
    expect(page.querySelector('article')).toBe(card);
    expect(page.querySelector('[data-unknown]')).toBeNull();
    expect(page.querySelector('[aria-label="Switch to light colours"]')).not.toBeNull();
    if (data.product) expect(page.querySelector('time')?.textContent).toMatch(/^\d Jan 2026$/);
    act(repeatEarlyActs);
    expect(page.querySelector('[aria-label="Close menu"]')).toBe(menu);
    if (search) await vi.waitFor(() => expect(router.state.location.search).toBe('?order=price&inStock=1&q=norwester'));
    // The data may have changed since the server rendered the page, so the client fetches it again.
    await vi.waitFor(() => expect(shop).toContain(data.product ? `GET /products/${product._id}` : 'GET /products'));
  },
);
