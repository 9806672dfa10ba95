import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { push } from '../../app/app.fixture.tsx';
import { wentLive, wentStale } from '../../live/live-slice.ts';
import {
  type LocalStripe,
  ORDER,
  openShop,
  PICTURED,
  paid,
  showPaymentPage,
  startLocalStripe,
} from './payment.fixture.tsx';

let local: LocalStripe;
beforeAll(async () => {
  local = await startLocalStripe();
}, 30_000);
afterAll(() => local.stop());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CONGRATS = 'Congrats! Your payment is completed.';
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const refusal = () => within(screen.getByRole('form')).getByRole('alert').textContent;

async function typeCard(number: string, expiry = '1240', cvc = '123') {
  const user = userEvent.setup();
  await user.type(await field('Card number'), number);
  await user.type(await field('Expiry date'), expiry);
  await user.type(await field('Security code'), cvc);
  return user;
}

async function payWith(number: string, expiry?: string, cvc?: string) {
  const user = await typeCard(number, expiry, cvc);
  await user.click(screen.getByRole('button', { name: 'PAY' }));
  return user;
}

describe('the payment page', () => {
  it('Y1 R18 shows customer, product, amount in taka, a card field and PAY', async () => {
    openShop(local);
    showPaymentPage();
    const summary = await screen.findByRole('region', { name: 'Your order', busy: false });
    for (const text of ['Rina Akter', 'Mesh Tower 500 × 2', '৳6,250.50', 'Included', '৳12,501'])
      within(summary).getByText(text);
    expect(await field('Card number')).toHaveProperty('autocomplete', 'cc-number');
    expect(await field('Expiry date')).toHaveProperty('autocomplete', 'cc-exp');
    expect(await field('Security code')).toHaveProperty('autocomplete', 'cc-csc');
    expect(screen.getAllByLabelText('Card number')).toHaveLength(1);
    const pay = screen.getByRole('button', { name: 'PAY' });
    expect(pay.parentElement?.textContent).toBe('৳12,501PAY');
    expect(document.title).toBe('Payment - Micro Center');
    screen.getByText('4242 4242 4242 4242');
  });

  it('U46 Y1 shows the picture of the item and leads to its order, under headings for the order and the card', async () => {
    openShop(local);
    showPaymentPage();
    const summary = await screen.findByRole('region', { name: 'Your order', busy: false });
    await waitFor(() => expect(summary.querySelector('img')?.getAttribute('src')).toBe(PICTURED.img1));
    const link = within(summary).getByRole('link', { name: `Order ${ORDER.number}` });
    expect(link.getAttribute('href')).toBe(`/dashboard/myorders/${ORDER._id}`);
    await field('Card number');
    within(summary).getByRole('heading', { level: 2, name: 'Your order' });
    screen.getByRole('heading', { level: 2, name: 'Card payment' });
    screen.getByRole('form', { name: 'Card payment' });
  });

  it('Y3 C20 C17 pays: congratulations and the transaction id, and the order has the money', async () => {
    const shop = openShop(local);
    const { router } = showPaymentPage();
    await payWith('4242424242424242');
    await screen.findByText(CONGRATS);
    expect(router.state.location.pathname).toBe(`/dashboard/myorders/${ORDER._id}`);
    expect(shop.intents).toHaveLength(1);
    screen.getByText(shop.intents[0] ?? '');
    expect(shop.order.paid).toBe(true);
    const intent = await local.call(`/v1/payment_intents/${shop.intents[0]}`);
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1_250_100, currency: 'bdt' });
    const charge = await local.call(`/v1/charges/${intent.latest_charge}`);
    expect(charge).toMatchObject({ billing_details: { name: 'Rina Akter', email: 'rina@micro-center.test' } });
  });

  it('Y2 says why a card was declined, in the provider’s words, and takes another one', async () => {
    const shop = openShop(local);
    showPaymentPage();
    const user = await payWith('4000000000009995');
    await expect.poll(refusal).toBe('Your card has insufficient funds.');
    expect(screen.queryByText(CONGRATS)).toBeNull();
    await user.clear(await field('Card number'));
    await user.type(await field('Card number'), '4242424242424242');
    expect(refusal()).toBe('');
    await user.click(screen.getByRole('button', { name: 'PAY' }));
    await screen.findByText(CONGRATS);
    expect(shop.intents).toHaveLength(1);
  });

  it.each([
    ['424242', undefined, undefined, 'Your card number is incomplete.'],
    ['4242424242424242', '12', undefined, "Your card's expiration date is incomplete."],
    ['4242424242424242', '1240', '1', "Your card's security code is incomplete."],
    ['4242424242424242', '1220', undefined, "Your card's expiration year is in the past."],
  ])('Y2 does not send %s %s %s', async (number, expiry, cvc, message) => {
    const shop = openShop(local);
    showPaymentPage();
    await payWith(number, expiry, cvc);
    await expect.poll(refusal).toBe(message);
    expect(shop.stripeCalls).toEqual([]);
  });

  it('Y2 says what is wrong while it is typed, and marks the field', async () => {
    openShop(local);
    showPaymentPage();
    const user = await typeCard('4242424242424241');
    expect(refusal()).toBe('Your card number is invalid.');
    expect((await field('Card number')).getAttribute('aria-invalid')).toBe('true');
    await user.type(await field('Card number'), '{Backspace}2');
    expect(refusal()).toBe('');
    expect((await field('Card number')).getAttribute('aria-invalid')).toBe('false');
  });

  it('Y2 takes test cards alone in demo mode', async () => {
    openShop(local);
    showPaymentPage();
    await payWith('4111111111111111');
    await expect.poll(refusal).toContain('used a non test (live) card');
  });

  it('Y3 asks for 3-D Secure in a dialog; Complete pays', async () => {
    const shop = openShop(local);
    showPaymentPage();
    const user = await payWith('4000000000003220');
    const dialog = await screen.findByRole('dialog', { name: '3-D Secure' });
    within(dialog).getByText(/৳12,501/);
    expect(document.activeElement?.textContent).toBe('Complete');
    await user.click(within(dialog).getByRole('button', { name: 'Complete' }));
    await screen.findByText(CONGRATS);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(shop.order.transactionId).toBe(shop.intents[0]);
  });

  it.each(['Fail', 'Escape'])('Y2 3-D Secure: %s says so, and another card pays', async (how) => {
    const shop = openShop(local);
    showPaymentPage();
    const user = await payWith('4000000000003220');
    const dialog = await screen.findByRole('dialog', { name: '3-D Secure' });
    if (how === 'Escape') await user.keyboard('{Escape}');
    else await user.click(within(dialog).getByRole('button', { name: 'Fail' }));
    await expect.poll(refusal).toContain('We are unable to authenticate your payment method.');
    expect(shop.order.paid).toBe(false);
    await user.clear(await field('Card number'));
    await user.type(await field('Card number'), '4242424242424242');
    await user.click(screen.getByRole('button', { name: 'PAY' }));
    await screen.findByText(CONGRATS);
  });
});

describe('when the shop and the provider disagree for a while', () => {
  it('PAY2 says that the payment was received when the shop cannot be told, and follows the order', async () => {
    const shop = openShop(local, { refuse: { call: 'PATCH', code: 'payment_unavailable' } });
    const { store } = showPaymentPage();
    await payWith('4242424242424242');
    await screen.findByText(/We received your payment. The order will show it by itself/);
    screen.getByText(CONGRATS);
    const transactionId = shop.intents[0] ?? '';
    shop.order = paid(shop.order, transactionId);
    push(store, 'order', { ...shop.order, version: 2 });
    await expect.poll(() => screen.queryByText(/We received your payment/)).toBeNull();
    screen.getByText(transactionId);
  });

  it('PAY2 shows a payment that the webhook settled, without any doing here', async () => {
    const shop = openShop(local);
    const { store, router } = showPaymentPage();
    await field('Card number');
    push(store, 'order', { ...paid(shop.order, 'pi_elsewhere'), version: 2 });
    await screen.findByText(CONGRATS);
    screen.getByText('pi_elsewhere');
    expect(screen.queryByRole('button', { name: 'PAY' })).toBeNull();
    expect(router.state.location.pathname).toBe(`/dashboard/myorders/${ORDER._id}`);
  });

  it('PAY4 says that a payment is given back which the order could not take', async () => {
    openShop(local, { refuse: { call: 'PATCH', code: 'order_cancelled' } });
    showPaymentPage();
    await payWith('4242424242424242');
    await screen.findByText('This payment will be refunded.');
    expect(screen.queryByText(CONGRATS)).toBeNull();
  });

  it('PAY2 takes an earlier attempt whose answer was lost as the payment that it is', async () => {
    const shop = openShop(local);
    showPaymentPage();
    const user = await payWith('4000000000000002');
    await expect.poll(refusal).toBe('Your card was declined.');
    await local.call(`/v1/payment_intents/${shop.intents[0]}/confirm`, 'payment_method=pm_card_visa');
    await user.click(screen.getByRole('button', { name: 'PAY' }));
    await screen.findByText(CONGRATS);
    expect(shop.order.transactionId).toBe(shop.intents[0]);
  });

  it.each(['amount_too_small', 'payment_unavailable', 'order_cancelled'] as const)(
    'says why no payment can be begun: %s',
    async (code) => {
      const shop = openShop(local, { refuse: { call: 'POST /create-payment-intent', code } });
      showPaymentPage();
      await payWith('4242424242424242');
      await expect.poll(refusal).toBe(PROBLEMS[code].title);
      expect(shop.stripeCalls).toEqual([]);
    },
  );

  it('Y5 what went wrong with the connection is not said any more once it is back', async () => {
    const shop = openShop(local);
    const reached = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      address.endsWith('/create-payment-intent')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : reached(address, init),
    );
    const { store } = showPaymentPage();
    act(() => void store.dispatch(wentStale()));
    const user = await payWith('4242424242424242');
    await expect.poll(refusal).toContain('The shop cannot be reached.');
    act(() => void store.dispatch(wentLive()));
    await expect.poll(refusal).toBe('');
    vi.stubGlobal('fetch', reached);
    await user.click(screen.getByRole('button', { name: 'PAY' }));
    await screen.findByText(CONGRATS);
    expect(shop.order.paid).toBe(true);
  });

  it('Y5 a declined card is still said when the connection comes back', async () => {
    openShop(local);
    const { store } = showPaymentPage();
    act(() => void store.dispatch(wentStale()));
    await payWith('4000000000009995');
    await expect.poll(refusal).toBe('Your card has insufficient funds.');
    act(() => void store.dispatch(wentLive()));
    expect(refusal()).toBe('Your card has insufficient funds.');
  });

  it('says that the provider cannot be reached', async () => {
    openShop(local);
    const withShop = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      address.includes('/demo-stripe/') ? Promise.reject(new TypeError('Failed to fetch')) : withShop(address, init),
    );
    showPaymentPage();
    await payWith('4242424242424242');
    await expect.poll(refusal).toContain('issues connecting to our payments provider');
  });
});

describe('orders that are not to be paid', () => {
  it.each([
    ['paid before', paid(ORDER, 'pi_before'), 'This order is paid.'],
    [
      'Y5 shipped before',
      { ...paid(ORDER, 'pi_before'), status: 'shipped' as const, shippedAt: '2030-01-01T12:00:00.000Z' },
      'This order is shipped.',
    ],
    [
      'cancelled',
      { ...ORDER, cancelledAt: '2030-01-01T12:00:00.000Z', cancelReason: 'expired' as const },
      'This order is cancelled.',
    ],
  ])('%s', async (_case, order, title) => {
    openShop(local, { order });
    showPaymentPage(order);
    await screen.findByText(title);
    expect(screen.queryByRole('button', { name: 'PAY' })).toBeNull();
    expect(screen.queryByText(CONGRATS)).toBeNull();
  });

  it.each([
    ['customer', 'You cancelled this order, so there is nothing to pay.'],
    ['admin', 'The shop cancelled this order, so there is nothing to pay.'],
    ['expired', 'It was not paid in time, so it was cancelled.'],
  ] as const)('E30 cancelled, with the reason %s', async (cancelReason, words) => {
    const order = { ...ORDER, cancelledAt: '2030-01-01T12:00:00.000Z', cancelReason };
    openShop(local, { order });
    showPaymentPage(order);
    await screen.findByText(words);
  });

  it('not there', async () => {
    openShop(local);
    showPaymentPage({ ...ORDER, _id: 'c'.repeat(24) });
    await screen.findByText('This order does not exist');
  });

  it('U17 Y5 not this shopper’s, which no retry would change', async () => {
    openShop(local, { refuse: { call: 'GET /orders/', code: 'forbidden' } });
    showPaymentPage();
    await screen.findByText('This order is not among yours');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(screen.queryByText('You are not allowed to do this.')).toBeNull();
  });
});

describe('the provider', () => {
  it('not configured is said', async () => {
    openShop(local, { stripe: { mode: 'live', publishableKey: '' } });
    showPaymentPage();
    await screen.findByText('Card payment is not set up.');
  });

  it('a script that does not load is said, and can be tried again', async () => {
    openShop(local, { stripe: { mode: 'live', publishableKey: 'pk_test_live0123456789' } });
    const append = vi.spyOn(document.head, 'appendChild').mockImplementation((node) => {
      queueMicrotask(() => node.dispatchEvent(new Event('error')));
      return node;
    });
    showPaymentPage();
    await screen.findByText('The card field could not be loaded.');
    expect(append.mock.calls.map(([node]) => (node as HTMLScriptElement).src)[0]).toMatch(
      /^https:\/\/js\.stripe\.com\//,
    );
    const before = append.mock.calls.length;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await expect.poll(() => append.mock.calls.length).toBeGreaterThan(before);
    append.mockRestore();
  });
});
