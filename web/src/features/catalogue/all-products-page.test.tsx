import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { takePushes } from '../../live/follow.ts';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { isFound } from '../../shop/products/product.api.ts';
import AllProductsPage from './all-products-page.tsx';

afterEach(closeApp);

const tower = productOf({ _id: 'c'.repeat(24), name: 'Tower', price: 300, quantity: 40, minorder: 1 });
const cube = productOf({ _id: 'b'.repeat(24), name: 'Cube', price: 100, quantity: 1, minorder: 2 });
const frame = productOf({ _id: 'a'.repeat(24), name: 'Frame', price: 200, quantity: 0 });
const GOODS = [tower, cube, frame];

/** Renders All Items with a stub shop that searches as the real shop does. `asked` lists the query strings that the stub has received. */
function show(at = '/allproducts', goods: readonly ProductView[] = GOODS) {
  const asked: string[] = [];
  stubShop({
    'GET /products': ({ url }) => {
      const { searchParams } = url;
      asked.push(url.search);
      const search = { q: searchParams.get('q') ?? '', inStock: searchParams.get('inStock') === '1' };
      return goods.filter((product) => isFound(product, search));
    },
  });
  const app = showApp([{ path: '/allproducts', element: <AllProductsPage /> }], at);
  const address = () => app.router.state.location.search;
  return { ...app, asked, address, user: userEvent.setup() };
}

const cards = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));

describe('All Items', () => {
  it('R2 R23 the All Items page shows a spinner over placeholders, then all products and their count', async () => {
    show();
    const spinner = screen.getByRole('status', { name: 'Loading the products' });
    expect(spinner.querySelectorAll('[data-shape]')).toHaveLength(3);
    await waitFor(() => expect(cards()).toEqual(['Tower', 'Cube', 'Frame']));
    expect(screen.getByRole('status').textContent).toBe('3 items');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('All Items');
    expect(screen.getByRole('link', { name: /blogs/ }).getAttribute('href')).toBe('/blogs');
  });

  it('R2 the heading levels on the All Items page are in order and none is skipped', async () => {
    show();
    await waitFor(() => expect(cards()).toHaveLength(3));
    const levels = screen.getAllByRole('heading').map((heading) => heading.tagName);
    expect(levels).toEqual(['H1', 'H2', 'H3', 'H3', 'H3']);
  });

  it('R2 typing a search term sends a single request and puts the term in the URL', async () => {
    const { user, asked, address } = show();
    await waitFor(() => expect(cards()).toHaveLength(3));
    await user.type(screen.getByLabelText('Search products'), 'cube ');
    await waitFor(() => expect(cards()).toEqual(['Cube']));
    expect(address()).toBe('?q=cube');
    expect(screen.getByRole('status').textContent).toBe('1 item found');
    expect(asked).toEqual(['?sort=newest&limit=200', '?q=cube&sort=newest&limit=200']);
  });

  it('R2 the URL contains the product filter, and the Back button undoes filter changes one by one', async () => {
    const { user, router, address } = show('/allproducts?q=cub&order=name');
    await waitFor(() => expect(cards()).toEqual(['Cube']));
    expect((screen.getByLabelText('Search products') as HTMLInputElement).value).toBe('cub');
    expect((screen.getByLabelText('Sort by') as HTMLSelectElement).value).toBe('name');
    await user.clear(screen.getByLabelText('Search products'));
    await waitFor(() => expect(cards()).toEqual(['Cube', 'Frame', 'Tower']));
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Newest first');
    expect(address()).toBe('');
    expect(cards()).toEqual(['Tower', 'Cube', 'Frame']);
    await act(() => router.navigate(-1));
    expect(cards()).toEqual(['Cube', 'Frame', 'Tower']);
    await act(() => router.navigate(-1));
    await waitFor(() => expect(cards()).toEqual(['Cube']));
    expect((screen.getByLabelText('Search products') as HTMLInputElement).value).toBe('cub');
  });

  it('R2 while the pointer is over the product list, cards do not move even if prices change', async () => {
    const { user, store } = show('/allproducts?order=price');
    await waitFor(() => expect(cards()).toEqual(['Cube', 'Frame', 'Tower']));
    const [first] = screen.getAllByRole('article');
    await user.hover(first as HTMLElement);
    act(() => push(store, 'product', { ...tower, price: 50, version: 2 }));
    act(() => push(store, 'product', productOf({ _id: 'd'.repeat(24), name: 'Shelf', price: 10 })));
    await within(screen.getByRole('article', { name: 'Tower' })).findByText('৳50');
    expect(cards()).toEqual(['Cube', 'Frame', 'Tower']);
    await user.unhover(first as HTMLElement);
    expect(cards()).toEqual(['Shelf', 'Tower', 'Cube', 'Frame']);
  });

  it('R2 a removed product stays visible while the pointer is over the list, unless the sort order changes', async () => {
    const { user, store } = show();
    await waitFor(() => expect(cards()).toEqual(['Tower', 'Cube', 'Frame']));
    await user.hover(screen.getByRole('article', { name: 'Cube' }));
    act(() => void store.dispatch(takePushes([{ kind: 'product', id: tower._id, version: 2, view: null }])));
    expect(cards()).toEqual(['Tower', 'Cube', 'Frame']);
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Price: low to high');
    expect(cards()).toEqual(['Cube', 'Frame']);
  });

  it('R2 the All Items page sorts by price without a request, and can show only products in stock', async () => {
    const { user, asked, address } = show();
    await waitFor(() => expect(cards()).toHaveLength(3));
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Price: low to high');
    expect(cards()).toEqual(['Cube', 'Frame', 'Tower']);
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Price: high to low');
    expect(cards()).toEqual(['Tower', 'Frame', 'Cube']);
    expect(asked).toHaveLength(1);
    await user.click(screen.getByLabelText('In stock only'));
    await waitFor(() => expect(cards()).toEqual(['Tower']));
    expect(address()).toBe('?order=-price&inStock=1');
    expect(asked[1]).toBe('?inStock=1&sort=newest&limit=200');
  });

  it('R2 if no product matches, the page offers to clear the filters', async () => {
    const { user, address } = show('/allproducts?q=zeppelin&inStock=1&order=name');
    await screen.findByText('Nothing matches');
    expect(screen.getByRole('status').textContent).toBe('0 items found');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(cards()).toEqual(['Cube', 'Frame', 'Tower']));
    expect(address()).toBe('?order=name');
    expect((screen.getByLabelText('Search products') as HTMLInputElement).value).toBe('');
  });

  it.each([
    ['/allproducts?q=zeppelin', 'Try fewer words.'],
    ['/allproducts?q=zeppelin&inStock=1', 'Try fewer words.'],
    ['/allproducts?q=frame&inStock=1', 'Try fewer words, or show sold-out items too.'],
    ['/allproducts?q=cube&inStock=1', 'Try fewer words, or show sold-out items too.'],
  ])('R2 if %s matches no product, the page shows this hint: %s', async (at, hint) => {
    show(at);
    await screen.findByText('Nothing matches');
    await screen.findByText(hint);
  });

  it('LIST1 K4 pushed changes add a product to a filtered list and remove it again without a request', async () => {
    const { store, asked } = show('/allproducts?q=tower&order=price');
    await waitFor(() => expect(cards()).toEqual(['Tower']));
    const renamed = { ...cube, name: 'Cube Tower', version: 2 };
    push(store, 'product', { ...frame, quantity: 9, version: 2 });
    push(store, 'product', renamed);
    await waitFor(() => expect(cards()).toEqual(['Cube Tower', 'Tower']));
    push(store, 'product', { ...renamed, price: 999, version: 3 });
    await waitFor(() => expect(cards()).toEqual(['Tower', 'Cube Tower']));
    push(store, 'product', { ...renamed, name: 'Cube', version: 4 });
    await waitFor(() => expect(cards()).toEqual(['Tower']));
    expect(asked).toHaveLength(1);
  });

  it('LIST1 to sort by price, the All Items page loads all 201 products and not only the first page', async () => {
    const many = Array.from({ length: 201 }, (_, place) =>
      productOf({ _id: `${201 - place}`.padStart(24, '0'), name: `Case ${place}`, price: 1000 - place }),
    );
    stubShop({
      'GET /products': ({ url }) => {
        const start = Number(url.searchParams.get('cursor') ?? 0);
        const end = start + Number(url.searchParams.get('limit'));
        const headers = new Headers(end < many.length ? { link: `</products?cursor=${end}>; rel="next"` } : {});
        return new Response(JSON.stringify(many.slice(start, end)), { headers });
      },
    });
    showApp([{ path: '/allproducts', element: <AllProductsPage /> }], '/allproducts?order=price');
    const first = () => document.querySelector('article')?.getAttribute('aria-label');
    await waitFor(() => expect(first()).toBe('Case 200'), { timeout: 10_000 });
    expect(screen.getByRole('status').textContent).toBe('201 items');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('the All Items page says that the products could not be loaded, and loads them on retry', async () => {
    let failing = true;
    stubShop({ 'GET /products': () => (failing ? problem('internal') : GOODS) });
    showApp([{ path: '/allproducts', element: <AllProductsPage /> }], '/allproducts');
    const alert = await screen.findByRole('alert');
    failing = false;
    within(alert).getByRole('button', { name: 'Retry' }).click();
    await waitFor(() => expect(cards()).toHaveLength(3));
  });

  it('if the unfiltered list is empty, the page says that the shop has no products', async () => {
    show('/allproducts', []);
    await screen.findByText('No products yet');
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });
});

describe('a product card', () => {
  const card = (name: string) => screen.getByRole('article', { name });

  it('H4 G4 a product card shows an image, name, price, quantity, best build, minimum order and buy link', async () => {
    show();
    await waitFor(() => expect(cards()).toHaveLength(3));
    const words = card('Tower').textContent;
    for (const expected of ['৳300', 'Quantity40', 'Best build forQuiet gaming', 'Minimum Order Required1']) {
      expect(words).toContain(expected);
    }
    const picture = within(card('Tower')).getByRole('img', { name: 'Tower' });
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['400', '300']);
    const buy = within(card('Tower')).getByRole('link', { name: 'Buy now: Tower' });
    expect(buy.getAttribute('href')).toBe(`/buypage/${tower._id}`);
    const name = within(card('Tower')).getByRole('link', { name: 'Tower' });
    expect(name.getAttribute('href')).toBe(`/items/${tower._id}`);
  });

  it('H4 a product card says "Sold out" if the stock is below the minimum order, but still links to the item', async () => {
    const { store } = show();
    await waitFor(() => expect(cards()).toHaveLength(3));
    const soldOut = () => within(card('Cube')).queryByRole('button', { name: 'Sold out: Cube' }) as HTMLButtonElement;
    expect(soldOut().disabled).toBe(true);
    expect(within(card('Cube')).queryByRole('link', { name: /^Buy now/ })).toBeNull();
    expect(within(card('Cube')).getByRole('link', { name: 'Cube' }).getAttribute('href')).toBe(`/items/${cube._id}`);
    const highlighted = () => card('Cube').querySelectorAll('[data-changed]').length;
    expect(highlighted()).toBe(0);
    push(store, 'product', { ...cube, quantity: 3, version: 2 });
    await waitFor(() => expect(highlighted()).toBeGreaterThan(0));
    await waitFor(() => expect(highlighted()).toBe(0), { timeout: 3000 });
    expect(soldOut()).toBeNull();
    within(card('Cube')).getByText('Only 3 left');
    within(card('Cube')).getByRole('link', { name: 'Buy now: Cube' });
  });
});
