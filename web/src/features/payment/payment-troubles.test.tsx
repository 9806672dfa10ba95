import { PROBLEMS } from '@micro-center/services/contracts/problems.ts';
import { act, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { push } from '../../app/app.fixture.tsx';
import { wentLive, wentStale } from '../../live/live-slice.ts';
import {
  CONGRATS,
  field,
  local,
  ORDER,
  openShop,
  paid,
  payWith,
  refusal,
  showPaymentPage,
  startedLocally,
} from './payment.fixture.tsx';

startedLocally();

describe('while the shop and the payment provider disagree about a payment', () => {
  it('PAY2 the shopper is told that the payment was received even if the shop cannot record it yet', async () => {
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

  it('PAY2 when a webhook records the payment, the shopper is taken to the order page, which shows congratulations', async () => {
    const shop = openShop(local);
    const { store, router } = showPaymentPage();
    await field('Card number');
    push(store, 'order', { ...paid(shop.order, 'pi_elsewhere'), version: 2 });
    await screen.findByText(CONGRATS);
    screen.getByText('pi_elsewhere');
    expect(screen.queryByRole('button', { name: 'PAY' })).toBeNull();
    expect(router.state.location.pathname).toBe(`/dashboard/myorders/${ORDER._id}`);
  });

  it('PAY4 if the order is cancelled before the payment is recorded, the payment page says that the payment will be refunded', async () => {
    openShop(local, { refuse: { call: 'PATCH', code: 'order_cancelled' } });
    showPaymentPage();
    await payWith('4242424242424242');
    await screen.findByText('This payment will be refunded.');
    expect(screen.queryByText(CONGRATS)).toBeNull();
  });

  it('PAY2 if an earlier payment succeeded but its response was lost, clicking PAY again records that payment', async () => {
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
    'the payment page says why a payment cannot be started: %s',
    async (code) => {
      const shop = openShop(local, { refuse: { call: 'POST /create-payment-intent', code } });
      showPaymentPage();
      await payWith('4242424242424242');
      await expect.poll(refusal).toBe(PROBLEMS[code].title);
      expect(shop.stripeCalls).toEqual([]);
    },
  );

  it('Y5 the message that the shop cannot be reached disappears once the connection is back', async () => {
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

  it('Y5 the message about a declined card stays when the connection comes back', async () => {
    openShop(local);
    const { store } = showPaymentPage();
    act(() => void store.dispatch(wentStale()));
    await payWith('4000000000009995');
    await expect.poll(refusal).toBe('Your card has insufficient funds.');
    act(() => void store.dispatch(wentLive()));
    expect(refusal()).toBe('Your card has insufficient funds.');
  });

  it('if the payment provider cannot be reached, the payment page says so', async () => {
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
