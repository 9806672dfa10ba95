import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { push } from '../../app/app.fixture.tsx';
import {
  CONGRATS,
  field,
  local,
  ORDER,
  openShop,
  payWith,
  refusal,
  showPaymentPage,
  startedLocally,
} from './payment.fixture.tsx';

startedLocally();

const PROCESSING = 'Your payment is being processed';
const UNTIL = '2030-01-05T10:00:00.000Z';
const payButton = () => screen.queryByRole('button', { name: 'PAY' });

it('PAY7 while a payment is being processed, the payment page offers no second one', async () => {
  openShop(local);
  const { store } = showPaymentPage();
  await field('Card number');
  push(store, 'order', { ...ORDER, processingUntil: UNTIL, version: 2 });
  await screen.findByRole('heading', { name: `${PROCESSING}` });
  expect(payButton()).toBeNull();
  expect(screen.queryByText('Pay by')).toBeNull();
  push(store, 'order', { ...ORDER, paymentFailure: 'declined', version: 3 });
  await field('Card number');
  await expect.poll(refusal).toBe('Your card was declined. Try another card.');
  push(store, 'order', { ...ORDER, paid: true, transactionId: 'pi_later', paidAt: UNTIL, version: 4 });
  await screen.findByText(CONGRATS);
});

it('PAY7 if the provider says that a payment is being processed, the shop is told, and the order page says so', async () => {
  const shop = openShop(local);
  const shopFetch = globalThis.fetch;
  const patched: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address);
    if (init.method === 'PATCH') {
      patched.push(String(init.body));
      return new Response(
        JSON.stringify({ type: 'about:blank', title: '', status: 409, code: 'payment_not_complete' }),
        { status: 409 },
      );
    }
    const answer = await shopFetch(address, init);
    if (!/^\/demo-stripe\/.*\/confirm$/.test(pathname)) return answer;
    return new Response(JSON.stringify({ ...(await answer.json()), status: 'processing' }), { status: 200 });
  });
  const { router } = showPaymentPage();
  await payWith('4242424242424242');
  await screen.findByRole('heading', { name: PROCESSING });
  expect(screen.queryByText(CONGRATS)).toBeNull();
  expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
  expect(router.state.location.pathname).toBe(`/dashboard/myorders/${ORDER._id}`);
  expect(patched).toEqual([JSON.stringify({ order: ORDER._id, transactionId: shop.intents[0] })]);
});
