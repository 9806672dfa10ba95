import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { CONGRATS, local, ORDER, openShop, paid, showPaymentPage, startedLocally } from './payment.fixture.tsx';

startedLocally();

describe('an order that cannot be paid for', () => {
  it.each([
    ['a paid order', paid(ORDER, 'pi_before'), 'This order is paid.'],
    [
      'Y5 a shipped order',
      { ...paid(ORDER, 'pi_before'), status: 'shipped' as const, shippedAt: '2030-01-01T12:00:00.000Z' },
      'This order is shipped.',
    ],
    [
      'a cancelled order',
      { ...ORDER, cancelledAt: '2030-01-01T12:00:00.000Z', cancelReason: 'expired' as const },
      'This order is cancelled.',
    ],
  ])('%s shows its status instead of a PAY button on the payment page', async (_case, order, title) => {
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
  ] as const)('Y5 the payment page says why the order was cancelled: %s', async (cancelReason, words) => {
    const order = { ...ORDER, cancelledAt: '2030-01-01T12:00:00.000Z', cancelReason };
    openShop(local, { order });
    showPaymentPage(order);
    await screen.findByText(words);
  });

  it('the payment page says that an unknown order does not exist', async () => {
    openShop(local);
    showPaymentPage({ ...ORDER, _id: 'c'.repeat(24) });
    await screen.findByText('This order does not exist');
  });

  it("Y5 for someone else's order, the payment page says that the order is not the shopper's and offers no Retry", async () => {
    openShop(local, { refuse: { call: 'GET /orders/', code: 'forbidden' } });
    showPaymentPage();
    await screen.findByText('This order is not among yours');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(screen.queryByText('You are not allowed to do this.')).toBeNull();
  });
});

describe('the payment provider', () => {
  it('if card payment is not set up, the payment page says so', async () => {
    openShop(local, { stripe: { mode: 'live', publishableKey: '' } });
    showPaymentPage();
    await screen.findByText('Card payment is not set up.');
  });

  it("if Stripe's script cannot be loaded, the payment page says so and offers a retry", async () => {
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
