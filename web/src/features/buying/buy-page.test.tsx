import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, json, problem, push } from '../../app/app.fixture.tsx';
import { created, productOf } from '../../shop/orders/order.fixture.ts';
import { show } from './buy-page.fixture.tsx';

afterEach(closeApp);

describe('the buy page', () => {
  it('P1 the buy page shows the product’s details and the buyer’s name and email', async () => {
    await show();
    for (const text of ['Any ATX board', 'Up to 400 mm', 'Quiet gaming', '850 W', '৳52,000.50', '5', '2']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
    expect(screen.getByRole('img', { name: 'Norwester G7' })).toBeTruthy();
    for (const [label, value] of [
      ['Name', 'Rina Akter'],
      ['Email', 'rina@micro-center.test'],
    ] as const) {
      const field = screen.getByLabelText(label) as HTMLInputElement;
      expect([field.value, field.readOnly]).toEqual([value, true]);
    }
  });

  it('O9 P1 a Bengali product name on the buy page has the lang attribute bn', async () => {
    await show(undefined, productOf({ name: 'কেসিং' }));
    expect(screen.getByRole('heading', { level: 1, name: 'কেসিং' }).lang).toBe('bn');
  });

  it('P1 the buy page shows a product’s second picture when the shopper selects it', async () => {
    const { user } = await show(undefined, productOf({ img2: '/goods/norwester-rear.svg' }));
    const first = screen.getByRole('img', { name: 'Norwester G7' });
    expect(first.getAttribute('src')).toBe('/goods/norwester.svg');
    await user.click(screen.getByRole('button', { name: 'Picture 2' }));
    const second = screen.getByRole('img', { name: 'Norwester G7, second picture' });
    expect(second.getAttribute('src')).toBe('/goods/norwester-rear.svg');
    expect([second.getAttribute('width'), second.getAttribute('height')]).toEqual(['400', '300']);
    expect(screen.getByRole('button', { name: 'Picture 2' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('P1 the buy form cannot be submitted without an address, a valid phone number and a quantity', async () => {
    const { fill, buy, bodies, user } = await show();
    await fill('');
    await user.clear(screen.getByLabelText(/^Address/));
    await user.clear(screen.getByLabelText(/^Phone/));
    await user.type(screen.getByLabelText(/^Phone/), 'call me');
    await buy();
    expect(screen.getByText('Enter the address to deliver to.')).toBeTruthy();
    expect(screen.getByText('A phone number has 3 to 15 digits.')).toBeTruthy();
    expect(screen.getByText('Enter a quantity.')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it('P1 K1 the buy page itemizes the total, and shows the form before the specifications', async () => {
    const { fill } = await show();
    await fill('3');
    const form = screen.getByRole('form', { name: 'Your order' });
    const sum = [...form.querySelectorAll('dt')].map((term) => [term.textContent, term.nextSibling?.textContent]);
    expect(sum).toEqual([
      ['3 × ৳52,000.50', '৳156,001.50'],
      ['Rounded down', '−৳0.50'],
      ['Delivery', 'Included'],
      ['Total', '৳156,001'],
    ]);
    const facts = screen.getByRole('region', { name: 'Specifications' });
    expect(form.compareDocumentPosition(facts)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('P1 the buy form accepts a phone number with a country code, spaces and hyphens', async () => {
    const { fill, buy, bodies, user } = await show();
    await fill('3');
    await user.clear(screen.getByLabelText(/^Phone/));
    await user.type(screen.getByLabelText(/^Phone/), '+880 1711-000000');
    await buy();
    await waitFor(() => expect(bodies).toMatchObject([{ phone: '+880 1711-000000', quantity: 3 }]));
  });

  it('P3 N1 BUY NOW places the order, shows "Please pay for confirm order" and opens the payment page', async () => {
    const { fill, buy, bodies, router } = await show();
    await fill('3');
    await buy();
    expect(await screen.findByText('Please pay for confirm order')).toBeTruthy();
    expect(screen.getByText('Order MC-1043')).toBeTruthy();
    expect(router.state.location.pathname).toBe(`/dashboard/payment/${created.insertedId}`);
    expect(bodies).toEqual([
      {
        name: 'Rina Akter',
        email: 'rina@micro-center.test',
        address: 'House 7',
        phone: '01711000000',
        product: 'Norwester G7',
        productId: productOf()._id,
        quantity: 3,
        price: 52000.5,
      },
    ]);
  });

  it('CMD3 submitting the buy form again after a failure sends the same Idempotency-Key', async () => {
    let failures = 1;
    const { fill, buy, router } = await show(() => (failures-- > 0 ? problem('overloaded') : json(created)));
    const keys: (string | null)[] = [];
    const answer = globalThis.fetch;
    globalThis.fetch = (url, init) => {
      if (init?.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
      return answer(url, init);
    };
    await fill('3');
    await buy();
    await screen.findByText('The shop is very busy. Please try again in a moment.');
    await buy();
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/payment/${created.insertedId}`));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each(['before', 'after'])(
    'CMD6 if the buy page learns of a new price %s the first attempt, it sends that price only after the shop refuses the old one',
    async (heard) => {
      const dearer = productOf({ price: 60000, version: 2 });
      const refuseOldPrice = ({ body }: { body: unknown }) =>
        (body as { price: number }).price === dearer.price ? created : problem('price_changed');
      let product = productOf();
      const { store, fill, buy, bodies, router } = await show(refuseOldPrice, product, {
        'GET /products/:id': () => product,
      });
      await fill('3');
      product = dearer;
      if (heard === 'before') {
        push(store, 'product', dearer);
        await screen.findByText('৳60,000');
      }
      await buy();
      expect(await screen.findByText(/The price has changed.*৳60,000 now/)).toBeTruthy();
      expect(bodies).toMatchObject([{ price: 52000.5 }]);
      await buy();
      await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/payment/${created.insertedId}`));
      expect(bodies).toMatchObject([{ price: 52000.5 }, { price: 60000 }]);
    },
  );
});
