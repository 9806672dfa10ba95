import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  CONGRATS,
  field,
  local,
  ORDER,
  openShop,
  PICTURED,
  payWith,
  refusal,
  showPaymentPage,
  startedLocally,
  typeCard,
} from './payment.fixture.tsx';

startedLocally();

describe('the payment page', () => {
  it('Y1 R18 the payment page shows the customer, product, amount in taka, a card field and a PAY button', async () => {
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

  it('Y1 the payment page shows the item’s picture, a link to the order and a heading for each part', async () => {
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

  it('Y3 C20 C17 after the shopper pays, the payment is recorded and the order page shows congratulations and the transaction id', async () => {
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

  it('Y1 when the shopper corrects a digit inside the card number, the caret stays right after that digit', async () => {
    openShop(local);
    showPaymentPage();
    const user = userEvent.setup();
    const number = (await field('Card number')) as HTMLInputElement;
    await user.type(number, '4242424242');
    expect(number.value).toBe('4242 4242 42');
    await user.type(number, '7', { initialSelectionStart: 3, initialSelectionEnd: 4 });
    expect([number.value, number.selectionStart]).toEqual(['4247 4242 42', 4]);
    await user.type(number, '8', { initialSelectionStart: 4, initialSelectionEnd: 4 });
    expect([number.value, number.selectionStart]).toEqual(['4247 8424 242', 6]);
  });

  it('Y2 if the provider declines a card, the payment page shows the provider’s reason and accepts another card', async () => {
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
  ])(
    'Y2 an incomplete or expired card is not sent to the provider: number %s, expiry date %s, security code %s',
    async (number, expiry, cvc, message) => {
      const shop = openShop(local);
      showPaymentPage();
      await payWith(number, expiry, cvc);
      await expect.poll(refusal).toBe(message);
      expect(shop.stripeCalls).toEqual([]);
    },
  );

  it('Y2 while the shopper is typing, an invalid card number is reported and its field is marked as invalid', async () => {
    openShop(local);
    showPaymentPage();
    const user = await typeCard('4242424242424241');
    expect(refusal()).toBe('Your card number is invalid.');
    expect((await field('Card number')).getAttribute('aria-invalid')).toBe('true');
    await user.type(await field('Card number'), '{Backspace}2');
    expect(refusal()).toBe('');
    expect((await field('Card number')).getAttribute('aria-invalid')).toBe('false');
  });

  it('Y2 the payment page accepts only test cards in demo mode', async () => {
    openShop(local);
    showPaymentPage();
    await payWith('4111111111111111');
    await expect.poll(refusal).toContain('used a non test (live) card');
  });

  it('Y3 if a card requires 3-D Secure, the payment page opens a dialog, and clicking Complete finishes the payment', async () => {
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

  it.each(['Fail', 'Escape'])(
    'Y2 if the 3-D Secure dialog is closed with %s, the payment page says that 3-D Secure failed and accepts another card',
    async (how) => {
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
    },
  );
});
