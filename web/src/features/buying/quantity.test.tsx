import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { show } from './buy-page.fixture.tsx';
import { quantityFits, unpayable } from './quantity.ts';

afterEach(closeApp);

describe('the quantity', () => {
  it.each(['1', '6'])('P2 the buy form rejects a quantity of %s if the allowed range is 2 to 5', async (quantity) => {
    const { fill, buy, bodies } = await show();
    await fill(quantity);
    await buy();
    expect(screen.getByText('Quantity does not match minimum requirements')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it('P2 a message appears next to the quantity field when the stock falls below the entered quantity', async () => {
    const { store, fill, buy } = await show();
    const button = screen.getByRole('button', { name: 'BUY NOW' });
    await fill('4');
    expect(button.dataset.variant).toBe('filled');
    push(store, 'product', productOf({ quantity: 3, version: 2 }));
    const status = await screen.findByText('Only 3 are in stock.');
    expect(status.getAttribute('role')).toBe('status');
    expect(button.dataset.variant).toBe('default');
    await buy();
    const refusal = screen.getByText('Quantity does not match minimum requirements');
    expect(refusal.compareDocumentPosition(status)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    push(store, 'product', productOf({ quantity: 4, version: 3 }));
    await waitFor(() => expect(screen.queryByText(/in stock\.$/)).toBeNull());
    expect(button.dataset.variant).toBe('filled');
    await fill('1');
    screen.getByText('The minimum order is 2.');
  });

  it.each(['2.5', '2,5', '-3', '3e0', 'two'])(
    'P2 the buy form rejects the quantity %s and keeps it as entered',
    async (text) => {
      const { fill, buy, bodies } = await show(undefined, productOf({ quantity: 40 }));
      await fill(text);
      await buy();
      expect(screen.getByText('Quantity does not match minimum requirements')).toBeTruthy();
      expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe(text);
      expect(bodies).toEqual([]);
    },
  );

  it('P2 if the stock has run out, the buy form shows the shop’s message and keeps the entered values', async () => {
    const { fill, buy } = await show(() => problem('quantity_out_of_range'));
    await fill('3');
    await buy();
    expect(await screen.findByText('Quantity does not match minimum requirements')).toBeTruthy();
    expect((screen.getByLabelText(/^Address/) as HTMLInputElement).value).toBe('House 7');
  });

  it('P1 the buy form accepts Bengali digits', async () => {
    const { fill, buy, bodies, user } = await show();
    await fill('৩');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    await user.clear(screen.getByLabelText(/^Phone/));
    await user.type(screen.getByLabelText(/^Phone/), '০১৭১১০০০০০০');
    await buy();
    await waitFor(() => expect(bodies).toMatchObject([{ phone: '০১৭১১০০০০০০', quantity: 3 }]));
  });

  it('P2 the order button is disabled as long as the stock is below the minimum order', async () => {
    const { store } = await show();
    const soldOut = productOf({ quantity: 0, version: 2 });
    push(store, 'product', soldOut);
    const button = (await screen.findByRole('button', { name: 'SOLD OUT' })) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    const form = within(screen.getByRole('form', { name: 'Your order' }));
    expect(form.getByRole('status').textContent).toContain('None are left');
    const fewer = productOf({ quantity: 1, version: 3 });
    push(store, 'product', fewer);
    await form.findByText(/Only 1 left, and the minimum order is 2/);
    expect(button.disabled).toBe(true);
    const enough = productOf({ quantity: 2, version: 4 });
    push(store, 'product', enough);
    await form.findByRole('button', { name: 'BUY NOW' });
    screen.getByText('Only 2 left');
  });
});

it.each([
  [2, true],
  [5, true],
  [1, false],
  [6, false],
  [2.5, false],
  ['', false],
])('P2 for an allowed range of 2 to 5, quantityFits(%j) returns %s', (quantity, fits) => {
  expect(quantityFits(quantity, productOf())).toBe(fits);
});

describe('messages about order limits', () => {
  const config = {
    paymentMinimum: 100,
    stripe: { mode: 'demo', publishableKey: 'pk_test_0' },
    firebase: { mode: 'demo', projectId: 'demo-shop', apiKey: 'demo' },
  };

  it('P6 the buy form rejects an order whose total is too small for a card payment, and says why', async () => {
    const { fill, buy, bodies, user } = await show(undefined, productOf({ price: 40, minorder: 1, quantity: 50 }), {
      'GET /config.json': () => config,
    });
    await fill('2');
    expect(await screen.findByText(/A card payment is at least ৳100/)).toBeTruthy();
    await buy();
    expect(screen.getByText('A card payment is at least ৳100. Order 3 or more.')).toBeTruthy();
    expect(screen.getByLabelText(/^Quantity/).getAttribute('aria-invalid')).toBe('true');
    expect(bodies).toEqual([]);
    await user.clear(screen.getByLabelText(/^Quantity/));
    await user.type(screen.getByLabelText(/^Quantity/), '3');
    expect(screen.queryByText(/A card payment is at least/)).toBeNull();
    await buy();
    await waitFor(() => expect(bodies).toMatchObject([{ quantity: 3 }]));
  });

  it.each([
    [3, 40, null],
    [2, 40, 'A card payment is at least ৳100. Order 3 or more.'],
    [2, 17, 'A card payment is at least ৳100. Order 6 or more.'],
    [1, 15, 'A card payment is at least ৳100. Everything in stock costs less than that.'],
    [5, 200_000, 'The total of one order is at most 999,999 taka.'],
  ])('P6 CMD6 for %s items at %s taka each, the message about the total is: %s', (quantity, price, words) => {
    expect(unpayable(quantity, productOf({ price, quantity: 6 }), 100)).toBe(words);
  });

  it('ORD6 the buy form warns that an order for more than half of the stock is held for only 30 minutes', async () => {
    const { fill } = await show(undefined, productOf({ minorder: 1, quantity: 10 }));
    await fill('5');
    expect(screen.queryByText(/more than half/)).toBeNull();
    await fill('6');
    expect(await screen.findByText(/kept for you for 30 minutes at most/)).toBeTruthy();
  });

  it('ORD7 if a customer has too many unpaid orders, the buy form says how many and links to them', async () => {
    const detail = 'You have 10 unpaid orders. Pay or cancel one, then order again.';
    const { fill, buy } = await show(() => problem('too_many_unpaid_orders', detail));
    await fill('2');
    await buy();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(detail);
    expect(within(alert).getByRole('link').getAttribute('href')).toBe('/dashboard/myorders');
  });
});
