import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { productOf } from '../../shop/orders/order.fixture.ts';
import ItemPage from './item-page.tsx';

afterEach(closeApp);

/** A timeout that is long enough for a busy machine. */
const PATIENCE = { timeout: 10_000 };

function reviewOf(number: number, changes: object = {}) {
  const words = { name: 'Norwester G7', username: `Person ${number}`, description: `Words ${number}` };
  const id = number.toString(16).padStart(24, '0');
  return { _id: id, ...words, ratings: 4, postedAt: '2026-01-02T00:00:00.000Z', version: 1, ...changes };
}

function show({ product = productOf(), reviews = [] as object[], answers = {} } = {}) {
  const asked: string[] = [];
  stubShop({
    'GET /products/:id': () => product,
    'GET /similar': ({ url }) => {
      expect(url.searchParams.get('product')).toBe(product._id);
      return [productOf({ _id: 'd'.repeat(24), name: 'Dice ITX', price: 9000, quantity: 40 })];
    },
    'GET /reviews': ({ url }) => {
      asked.push(url.searchParams.get('name') ?? '');
      return reviews;
    },
    ...answers,
  });
  return { ...showApp([{ path: '/items/:id', element: <ItemPage /> }], `/items/${product._id}`), asked };
}

describe('the item page', () => {
  it('G1 G4 the item page shows visitors all the details and both pictures, and links to the buy page', async () => {
    show({ product: productOf({ img2: '/goods/norwester-rear.svg' }) });
    expect((await screen.findByRole('heading', { level: 1 }, PATIENCE)).textContent).toBe('Norwester G7');
    expect(document.title).toBe('Norwester G7 - Micro Center');
    const item = within(screen.getByRole('article', { name: 'Norwester G7' }));
    expect(item.getByText('৳52,000.50')).toBeTruthy();
    const facts = item.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(facts).toEqual(['Any ATX board', 'Up to 400 mm', 'Quiet gaming', '850 W', '5', '2']);
    expect(screen.getByText('Only 5 left')).toBeTruthy();
    expect(screen.getByText(/Minimum order 2/)).toBeTruthy();
    const buy = screen.getByRole('link', { name: 'Buy now: Norwester G7' });
    expect(buy.getAttribute('href')).toBe(`/buypage/${productOf()._id}`);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Picture 2' }));
    const second = screen.getByRole('img', { name: 'Norwester G7, second picture' });
    expect(second.getAttribute('src')).toBe('/goods/norwester-rear.svg');
  });

  it('O9 G1 a Bengali product name on the item page has the lang attribute bn', async () => {
    show({ product: productOf({ name: 'কেসিং' }) });
    expect((await screen.findByRole('heading', { level: 1, name: 'কেসিং' }, PATIENCE)).lang).toBe('bn');
  });

  it('G1 LIVE2 the item page shows price and stock changes live, and says "Sold out" once the item is sold out', async () => {
    const { store } = show({ product: productOf({ quantity: 40 }) });
    await screen.findByText('40 in stock', {}, PATIENCE);
    push(store, 'product', productOf({ quantity: 3, price: 60000, version: 2 }));
    await screen.findByText('Only 3 left', {}, PATIENCE);
    expect(screen.getByText('৳60,000')).toBeTruthy();
    push(store, 'product', productOf({ quantity: 1, version: 3 }));
    await screen.findByText('Sold out', {}, PATIENCE);
    expect(screen.queryByRole('link', { name: 'Buy now: Norwester G7' })).toBeNull();
    expect(screen.getByRole('link', { name: 'See what is in stock' })).toBeTruthy();
  });

  it('G1 the item page shows the average rating and the five newest reviews, and a button shows all reviews', async () => {
    const reviews = [7, 6, 5, 4, 3, 2, 1].map((number) => reviewOf(number, { ratings: number === 7 ? 5 : 4 }));
    const { asked, store } = show({ reviews });
    const region = within(await screen.findByRole('region', { name: 'Reviews' }, PATIENCE));
    expect(asked).toEqual(['Norwester G7']);
    expect(screen.getByRole('link', { name: '4.1 from 7 reviews' }).getAttribute('href')).toBe('#reviews');
    expect(region.getAllByRole('listitem')).toHaveLength(5);
    await userEvent.setup().click(region.getByRole('button', { name: 'Show all 7 reviews' }));
    expect(region.getAllByRole('listitem')).toHaveLength(7);
    const view = reviewOf(8, { postedAt: '2026-01-03T00:00:00.000Z' });
    push(store, 'review', view);
    await region.findByText('Words 8', {}, PATIENCE);
    expect(region.getAllByRole('listitem')[0]?.textContent).toContain('Words 8');
    const other = reviewOf(9, { name: 'Dice ITX' });
    push(store, 'review', other);
    expect(region.getAllByRole('listitem')).toHaveLength(8);
  });

  it('G1 the page of an item without reviews says that there are no reviews yet', async () => {
    show();
    expect(await screen.findByText('No reviews yet', {}, PATIENCE)).toBeTruthy();
    expect(screen.getByText(/Nobody has reviewed this item yet/)).toBeTruthy();
  });

  it('G3 if the shop does not sell an item, the item’s page says so and shows similar items', async () => {
    show({ answers: { 'GET /products/:id': () => problem('not_found') } });
    expect((await screen.findByRole('heading', { level: 1 }, PATIENCE)).textContent).toBe('This item is not sold here');
    expect(document.title).toBe('Item not found - Micro Center');
    const similar = within(await screen.findByRole('region', { name: 'You may like one of these' }, PATIENCE));
    expect(similar.getByRole('link', { name: 'Dice ITX' }).getAttribute('href')).toBe(`/items/${'d'.repeat(24)}`);
  });

  it('G1 the item page says that the item could not be loaded, and loads it on retry', async () => {
    let failing = true;
    show({ answers: { 'GET /products/:id': () => (failing ? problem('overloaded') : productOf()) } });
    await screen.findByText('The item could not be loaded', {}, PATIENCE);
    failing = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Only 5 left', {}, PATIENCE)).toBeTruthy();
  });
});
