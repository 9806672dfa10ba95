import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { productsFound } from '../../shop/products/product.api.ts';
import HomePage from './home-page.tsx';

function product(number: number) {
  return productOf({
    _id: `${number}`.repeat(24),
    name: `Casing ${number}`,
    price: 1000 + number,
    quantity: 10,
    minorder: 1,
    addedAt: `2026-01-0${number}T00:00:00.000Z`,
  });
}

const routes = [{ path: '/', element: <HomePage /> }];
const region = (name: string) => screen.getByRole('region', { name });

describe('HomePage', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('R18 the home page’s title is "Home - Micro Center"', async () => {
    showApp(routes);
    await waitFor(() => expect(document.title).toBe('Home - Micro Center'));
  });

  it('H3 the Featured Items section shows the three newest products and a link to all products', async () => {
    stubShop({ 'GET /products': () => [5, 4, 3, 2, 1].map(product) });
    showApp(routes);
    await screen.findByText('Casing 5');
    const names = within(region('Featured Items'))
      .getAllByRole('article')
      .map((card) => card.getAttribute('aria-label'));
    expect(names).toEqual(['Casing 5', 'Casing 4', 'Casing 3']);
    const all = within(region('Featured Items')).getByRole('link', { name: 'All Products' });
    expect(all.getAttribute('href')).toBe('/allproducts');
  });

  it('H3 while the pointer is over the featured products, none of them moves when a new product arrives', async () => {
    stubShop({ 'GET /products': () => [3, 2, 1].map(product) });
    const { store } = showApp(routes);
    const user = userEvent.setup();
    const names = () =>
      within(region('Featured Items'))
        .getAllByRole('article')
        .map((card) => card.getAttribute('aria-label'));
    await user.hover(await screen.findByText('Casing 2'));
    push(store, 'product', product(4));
    expect(names()).toEqual(['Casing 3', 'Casing 2', 'Casing 1']);
    await user.unhover(screen.getByText('Casing 2'));
    expect(names()).toEqual(['Casing 4', 'Casing 3', 'Casing 2']);
  });

  it('H3 the Featured Items section shows a loading indicator as long as there are no products to show', async () => {
    const { store } = showApp(routes);
    const { path } = productsFound();
    await waitFor(() => expect(store.getState().views.followed[path]).toMatchObject({ ids: [] }));
    within(region('Featured Items')).getByRole('status', { name: 'Loading products' });
  });

  it('H3 the Featured Items section says that the products could not be loaded, and loads them on retry', async () => {
    let failing = true;
    stubShop({ 'GET /products': () => (failing ? problem('internal') : [product(1)]) });
    showApp(routes);
    const alert = await screen.findByRole('alert');
    failing = false;
    within(alert).getByRole('button', { name: 'Retry' }).click();
    await screen.findByText('Casing 1');
  });

  it('H5 the "Give way!" section on the home page offers a computer and lists its minimum components', () => {
    showApp(routes);
    const words = region('Give way!').textContent ?? '';
    for (const expected of [
      'Just purchase any product once for entry!',
      'eXcross V8 Limited Edition',
      '8-core 3.8 GHz',
      '32GB RAM',
      'Two GPUs',
      '2TB NVME SSD',
    ]) {
      expect(words).toContain(expected);
    }
  });

  it('H6 the home page shows five figures about the shop', () => {
    showApp(routes);
    const figures = [...region('The shop in figures').querySelectorAll('dl > div')].map((figure) => [
      figure.querySelector('dd')?.textContent,
      figure.querySelector('dt')?.textContent,
    ]);
    expect(figures).toEqual([
      ['77', 'countries'],
      ['55+', 'products'],
      ['999+', 'orders'],
      ['207+', 'happy clients'],
      ['444+', 'feedbacks'],
    ]);
  });

  it('H8 the home page lists twelve upcoming categories that are not clickable', () => {
    showApp(routes);
    const upcoming = region('Register for New Upcoming Products and Discounts Offer Notification');
    const names = within(upcoming)
      .getAllByRole('listitem')
      .map((category) => category.textContent);
    expect(names).toEqual([
      'Camera',
      'Headset',
      'Light',
      'Memory',
      'HDD',
      'SD card',
      'Printer',
      'Smartwatch',
      'Keyboard',
      'Mouse',
      'Monitor',
      'Laptop',
    ]);
    expect(upcoming.querySelector('a, button')).toBeNull();
  });
});
