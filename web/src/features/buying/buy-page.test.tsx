import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, json, problem, push, showApp, stubShop } from '../../app/app.fixture.tsx';
import { RequireSession } from '../../app/guards.tsx';
import { selectSession, signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, created, orderOf, productOf } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { useReturnPath } from '../auth/use-return-path.ts';
import BuyPage from './buy-page.tsx';
import { quantityFits, unpayable } from './quantity.ts';

afterEach(closeApp);

/** On a busy machine. */
const PATIENCE = { timeout: 10_000 };

async function show(place: (sent: { body: unknown }) => unknown = () => created, product = productOf(), answers = {}) {
  const bodies: unknown[] = [];
  stubShop({
    'GET /products/:id': () => product,
    ...answers,
    'POST /orders': (request) => {
      bodies.push(request.body);
      return place(request);
    },
  });
  const routes = [
    {
      path: '/buypage/:id',
      element: (
        <>
          <BuyPage />
          <Toasts />
        </>
      ),
    },
    { path: '/dashboard/payment/:id', element: <Toasts /> },
  ];
  const app = showApp(routes, `/buypage/${product._id}`);
  act(() => void app.store.dispatch(signedIn(CUSTOMER)));
  await screen.findByRole('form', { name: 'Your order' });
  const user = userEvent.setup();
  const fill = async (quantity: string) => {
    await user.type(screen.getByLabelText(/^Address/), 'House 7');
    await user.type(screen.getByLabelText(/^Phone/), '01711000000');
    await user.clear(screen.getByLabelText(/^Quantity/));
    if (quantity !== '') await user.type(screen.getByLabelText(/^Quantity/), quantity);
  };
  const buy = () => user.click(screen.getByRole('button', { name: 'BUY NOW' }));
  return { ...app, user, fill, buy, bodies };
}

describe('a session that ends in the middle of a form', () => {
  /** Where a sign-in ends that the provider has taken. */
  function SignIn() {
    const { status } = useSelector(selectSession);
    const to = useReturnPath();
    return status === 'signed-in' ? <Navigate to={to} replace /> : <p>Sign in again</p>;
  }

  async function loseSession() {
    stubShop({ 'GET /products/:id': () => productOf(), 'POST /orders': () => problem('unauthenticated') });
    const routes = [
      { element: <RequireSession />, children: [{ path: '/buypage/:id', element: <BuyPage /> }] },
      { path: '/login', element: <SignIn /> },
      { path: '/dashboard/payment/:id', element: <p>Payment</p> },
      { path: '/', element: <p>Home</p> },
    ];
    const at = `/buypage/${productOf()._id}`;
    const app = showApp(routes, at);
    act(() => void app.store.dispatch(signedIn(CUSTOMER)));
    await act(() => app.router.navigate(at));
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText(/^Address/, {}, PATIENCE), 'House 7');
    await user.type(screen.getByLabelText(/^Phone/), '01711000000');
    await user.click(screen.getByRole('button', { name: 'BUY NOW' }));
    await screen.findByText('Sign in again', {}, PATIENCE);
    expect(app.router.state.location.pathname).toBe('/login');
    return app;
  }
  const address = async () => (await screen.findByLabelText(/^Address/, {}, PATIENCE)) as HTMLInputElement;
  const drafts = () => JSON.stringify({ ...sessionStorage });

  it('U7 P5 R21 the same person comes back to what was typed, and nothing is kept of it once it is sent', async () => {
    const { store, router } = await loseSession();
    act(() => void store.dispatch(signedIn(CUSTOMER)));
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Phone/) as HTMLInputElement).value).toBe('01711000000');
    expect(router.state.location.pathname).toBe(`/buypage/${productOf()._id}`);
    stubShop({ 'GET /products/:id': () => productOf(), 'POST /orders': () => created });
    await userEvent.setup().click(screen.getByRole('button', { name: 'BUY NOW' }));
    await screen.findByText('Payment', {}, PATIENCE);
    expect(drafts()).toBe('{}');
  });

  it('U7 P5 R21 nobody else does, nor the same person after signing out', async () => {
    const { store } = await loseSession();
    expect(drafts()).toContain('House 7');
    act(() => void store.dispatch(signedIn({ ...CUSTOMER, email: 'karim@micro-center.test' })));
    expect((await address()).value).toBe('');
    expect(drafts()).not.toContain('House 7');
  });

  it('P5 what is typed is there again after a reload, and gone after signing out', async () => {
    const { fill, view, store } = await show();
    await fill('3');
    const kept = { ...sessionStorage };
    expect(JSON.stringify(kept)).toContain('House 7');
    view.unmount();
    // A reload ends a page without a word to it.
    Object.assign(sessionStorage, kept);
    const again = await show();
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    expect(store).not.toBe(again.store);
    await act(() => again.keeper.signOut('by-user'));
    expect(drafts()).toBe('{}');
  });
});

describe('a buy form that is left and returned to', () => {
  it('U44 P5 Back, Forward and links lead to what was typed, until it is sent', async () => {
    const { fill, buy, router } = await show();
    const address = () => screen.findByLabelText<HTMLInputElement>(/^Address/, {}, PATIENCE);
    await fill('3');
    await act(() => router.navigate('/dashboard/payment/elsewhere'));
    expect(screen.queryByLabelText(/^Address/)).toBeNull();
    await act(() => router.navigate(-1));
    expect((await address()).value).toBe('House 7');
    expect((screen.getByLabelText(/^Phone/) as HTMLInputElement).value).toBe('01711000000');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    await buy();
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/payment/${created.insertedId}`));
    await act(() => router.navigate(-1));
    expect((await address()).value).toBe('');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('2');
  });
});

describe('address and phone that the shop knows', () => {
  const profile = (fields: object) => ({ 'GET /users/:id': () => [{ address: '', phone: '', ...fields }] });
  const last = { 'GET /individual': () => [{ ...orderOf(), address: 'Last House', phone: '01799000000' }] };
  const shown = (label: RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;

  it('P4 are filled in from the profile, and no draft is made of them', async () => {
    await show(undefined, productOf(), { ...profile({ address: 'House 9', phone: '01788000000' }), ...last });
    await waitFor(() => expect(shown(/^Address/)).toBe('House 9'));
    expect(shown(/^Phone/)).toBe('01788000000');
    expect({ ...sessionStorage }).toEqual({});
  });

  it('P4 are filled in from the last order where the profile lacks them', async () => {
    await show(undefined, productOf(), { ...profile({ phone: '01788000000' }), ...last });
    await waitFor(() => expect(shown(/^Address/)).toBe('Last House'));
    expect(shown(/^Phone/)).toBe('01788000000');
  });

  it('P4 leave alone what is typed already', async () => {
    let answer: (profile: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { user } = await show(undefined, productOf(), { 'GET /users/:id': () => held, ...last });
    await user.type(screen.getByLabelText(/^Address/), 'House 7');
    answer([{ address: 'House 9', phone: '01788000000' }]);
    await waitFor(() => expect(shown(/^Phone/)).toBe('01788000000'));
    expect(shown(/^Address/)).toBe('House 7');
  });
});

describe('the buy page', () => {
  it('P1 shows the product and who buys it', async () => {
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

  it('U36 O9 P1 a name in Bengali is marked as such', async () => {
    await show(undefined, productOf({ name: 'কেসিং' }));
    expect(screen.getByRole('heading', { level: 1, name: 'কেসিং' }).lang).toBe('bn');
  });

  it('P1 shows the second picture where there is one, when it is chosen', async () => {
    const { user } = await show(undefined, productOf({ img2: '/goods/norwester-rear.svg' }));
    const first = screen.getByRole('img', { name: 'Norwester G7' });
    expect(first.getAttribute('src')).toBe('/goods/norwester.svg');
    await user.click(screen.getByRole('button', { name: 'Picture 2' }));
    const second = screen.getByRole('img', { name: 'Norwester G7, second picture' });
    expect(second.getAttribute('src')).toBe('/goods/norwester-rear.svg');
    expect([second.getAttribute('width'), second.getAttribute('height')]).toEqual(['400', '300']);
    expect(screen.getByRole('button', { name: 'Picture 2' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('P1 asks for address, phone and quantity before anything is sent', async () => {
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

  it.each(['1', '6'])('P2 refuses a quantity of %s where 2 to 5 can be bought', async (quantity) => {
    const { fill, buy, bodies } = await show();
    await fill(quantity);
    await buy();
    expect(screen.getByText('Quantity does not match minimum requirements')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it('U43 P2 says beside the field how many are in stock, also when the stock falls below what is typed', async () => {
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

  it('U52 P1 K1 explains the total, and has the form before the specifications', async () => {
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

  it.each(['2.5', '2,5', '-3', '3e0', 'two'])(
    'U13 P2 refuses a quantity typed as %s, and leaves it as it is',
    async (text) => {
      const { fill, buy, bodies } = await show(undefined, productOf({ quantity: 40 }));
      await fill(text);
      await buy();
      expect(screen.getByText('Quantity does not match minimum requirements')).toBeTruthy();
      expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe(text);
      expect(bodies).toEqual([]);
    },
  );

  it('P2 shows the words of the shop where the stock ran out meanwhile, and keeps what was typed', async () => {
    const { fill, buy } = await show(() => problem('quantity_out_of_range'));
    await fill('3');
    await buy();
    expect(await screen.findByText('Quantity does not match minimum requirements')).toBeTruthy();
    expect((screen.getByLabelText(/^Address/) as HTMLInputElement).value).toBe('House 7');
  });

  it('U13 P1 takes a phone number as people write it', async () => {
    const { fill, buy, bodies, user } = await show();
    await fill('3');
    await user.clear(screen.getByLabelText(/^Phone/));
    await user.type(screen.getByLabelText(/^Phone/), '+880 1711-000000');
    await buy();
    await waitFor(() => expect(bodies).toMatchObject([{ phone: '+880 1711-000000', quantity: 3 }]));
  });

  it('U36 P1 takes Bengali digits as the numbers that they are', async () => {
    const { fill, buy, bodies, user } = await show();
    await fill('৩');
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('3');
    await user.clear(screen.getByLabelText(/^Phone/));
    await user.type(screen.getByLabelText(/^Phone/), '০১৭১১০০০০০০');
    await buy();
    await waitFor(() => expect(bodies).toMatchObject([{ phone: '০১৭১১০০০০০০', quantity: 3 }]));
  });

  it('P3 N1 places the order, says Please pay for confirm order and goes to the payment', async () => {
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

  it('CMD3 tries again with the same Idempotency-Key', async () => {
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
    'CMD6 does not buy at a price that the shopper has not seen, though the page heard of it %s they ordered',
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

  it('P2 follows the stock, and cannot be sent once it is sold out', async () => {
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
])('P2 a quantity of %s fits: %s', (quantity, fits) => {
  expect(quantityFits(quantity, productOf())).toBe(fits);
});

describe('what a shopper is told of limits', () => {
  const config = {
    paymentMinimum: 100,
    stripe: { mode: 'demo', publishableKey: 'pk_test_0' },
    firebase: { mode: 'demo', projectId: 'demo-shop', apiKey: 'demo' },
  };

  it('S2 P6 says that so small a total cannot be paid by card, and sends nothing', async () => {
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
    [1, 15, 'A card payment is at least ৳100. Everything in stock costs less than that.'],
    [5, 200_000, 'The total of one order is at most 999,999 taka.'],
  ])('P6 CMD6 of %s at %s taka says: %s', (quantity, price, words) => {
    expect(unpayable(quantity, productOf({ price, quantity: 6 }), 100)).toBe(words);
  });

  it('S2 ORD6 says before placing that more than half of what is left is kept for half an hour', async () => {
    const { fill } = await show(undefined, productOf({ minorder: 1, quantity: 10 }));
    await fill('5');
    expect(screen.queryByText(/more than half/)).toBeNull();
    await fill('6');
    expect(await screen.findByText(/kept for you for 30 minutes at most/)).toBeTruthy();
  });

  it('S2 ORD7 says how many orders are unpaid, and where they are', async () => {
    const detail = 'You have 10 unpaid orders. Pay or cancel one, then order again.';
    const { fill, buy } = await show(() => problem('too_many_unpaid_orders', detail));
    await fill('2');
    await buy();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(detail);
    expect(within(alert).getByRole('link').getAttribute('href')).toBe('/dashboard/myorders');
  });
});
