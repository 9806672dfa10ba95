import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem } from '../../app/app.fixture.tsx';
import { deleted, orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { formatTime } from '../../ui/format.ts';
import { setServerClock } from '../../ui/server-clock.ts';
import { halfAnHourAfterPlacing, headline, ID, PLACED, push, show, steps } from './order-page.fixture.tsx';

beforeEach(halfAnHourAfterPlacing);
afterEach(closeApp);

describe("an order's page", () => {
  it('O4 the order page shows the order’s progress, quantity, address, total in ৳, number and next step', async () => {
    show(orderOf({ address: 'বাড়ি ৭, ধানমন্ডি, ঢাকা' }));
    await headline('Waiting for payment');
    screen.getByText(`Pay ৳104,001 by ${formatTime('2026-01-02T10:00:00.000Z')}, and we start packing.`);
    expect(steps()).toEqual([`Placed${formatTime(PLACED.at)}`, 'PaidNot yet', 'ShippedNot yet']);
    screen.getByText('Quantity 2');
    screen.getByText('বাড়ি ৭, ধানমন্ডি, ঢাকা');
    expect(screen.getAllByText('৳104,001').length).toBeGreaterThan(0);
    screen.getByText('Order MC-1042');
    expect(document.title).toBe('Order MC-1042 - Micro Center');
    await screen.findByText('Order placed');
  });

  it('O4 ORD6 the order page shows the correct time left to pay even if the device’s clock is two days fast', async () => {
    const shopTime = new Date(Date.now()).toUTCString();
    vi.setSystemTime(Date.now() + 48 * 3_600_000);
    show(orderOf(), {
      'GET /orders/:id': () => new Response(JSON.stringify(orderOf()), { headers: { date: shopTime } }),
    });
    await screen.findByRole('link', { name: 'PAY NOW' });
    screen.getByText(/^23 h \d+ min left to pay$/);
    vi.setSystemTime(Date.now() - 48 * 3_600_000);
    setServerClock(shopTime, Date.now(), Date.now());
  });

  it('O4 an unpaid order’s page offers PAY NOW and CANCEL ORDER, and shows the time left to pay', async () => {
    show(orderOf());
    const pay = await screen.findByRole('link', { name: 'PAY NOW' });
    expect(pay.getAttribute('href')).toBe(`/dashboard/payment/${ID}`);
    screen.getByText('23 h 30 min left to pay');
    screen.getByRole('button', { name: 'CANCEL ORDER' });
  });

  it('O4 the order page no longer offers PAY NOW after the payment deadline', async () => {
    show(orderOf({ expiresAt: '2026-01-01T10:29:59.000Z' }));
    await screen.findByText(/The time to pay is over/);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
  });

  it('O3 O4 after the customer confirms the cancellation of an order, the order page stays open and says "Cancelled"', async () => {
    const gone = orderOf({ cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer', version: 2 });
    let order = orderOf();
    const { calls } = show(order, {
      'GET /orders/:id': () => order,
      'DELETE /orders/:id': () => {
        order = gone;
        return deleted;
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'CANCEL ORDER' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Order' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await headline('Cancelled');
    screen.getByText('Nothing will be sent. You paid nothing.');
    expect(steps().at(-1)).toBe(`Cancelled${formatTime('2026-01-01T10:31:00.000Z')}`);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([`DELETE /orders/${ID}`]);
  });

  it('O3 R19 cancelling an order with the keyboard moves the focus to the page’s heading, which then says "Cancelled"', async () => {
    const gone = orderOf({ cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer', version: 2 });
    let order = orderOf();
    show(order, {
      'GET /orders/:id': () => order,
      'DELETE /orders/:id': () => {
        order = gone;
        return deleted;
      },
    });
    const user = userEvent.setup();
    (await screen.findByRole('button', { name: 'CANCEL ORDER' })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Order' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep order' })));
    await user.tab();
    await user.keyboard('{Enter}');
    const heading = await headline('Cancelled');
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('O4 X3 the order page shows a pushed payment and shipment, and links to the review form once the order has shipped', async () => {
    show(orderOf());
    await headline('Waiting for payment');
    push(orderOf(PAID));
    await headline('Paid');
    await screen.findByText('We are packing it. Next, it leaves our shop.');
    expect(screen.queryByRole('button', { name: 'CANCEL ORDER' })).toBeNull();
    push(orderOf(SHIPPED));
    await headline('Shipped');
    expect(steps()[2]).toBe(`Shipped${formatTime(SHIPPED.shippedAt)}`);
    const review = screen.getByRole('link', { name: 'Write a review' });
    expect(review.getAttribute('href')).toBe('/dashboard/addreview?item=Norwester%20G7');
    expect(screen.queryByRole('button', { name: /Change address/ })).toBeNull();
  });

  it('O4 if an admin cancelled an order, the order page says that the shop cancelled it', async () => {
    show(orderOf({ cancelledAt: '2026-01-02T10:00:00.000Z', cancelReason: 'admin' }));
    await headline('Cancelled');
    screen.getByText('The shop cancelled it. Nothing will be sent. You paid nothing.');
  });

  it('O4 the page of an expired order says that the order was not paid in time', async () => {
    show(orderOf({ cancelledAt: '2026-01-02T10:00:00.000Z', cancelReason: 'expired' }));
    await headline('Expired');
    screen.getByText(/It was not paid in time/);
  });

  it('O4 a customer who opens someone else’s order sees an error message and a link to "My orders"', async () => {
    show(orderOf(), { 'GET /orders/:id': () => problem('forbidden') });
    await screen.findByText('This order is not among yours');
    screen.getByRole('link', { name: 'My orders' });
  });

  it('O4 R24 the order page’s only h1 keeps the focus while the order is loading, when loading fails and after a retry', async () => {
    let answer: (order: unknown) => void = () => {};
    const answers = [
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      () => orderOf(),
    ];
    show(orderOf(), { 'GET /orders/:id': () => answers.shift()?.() });
    const heading = await headline('Order');
    screen.getByRole('status', { name: 'Loading the order' });
    heading.tabIndex = -1;
    heading.focus();
    await waitFor(() => expect(answers).toHaveLength(1));
    answer(problem('internal'));
    await screen.findByRole('heading', { level: 2, name: 'The order could not be loaded' });
    expect(screen.getAllByRole('heading', { level: 1 })).toEqual([heading]);
    const retry = screen.getByRole('button', { name: 'Retry' });
    act(() => retry.click());
    expect(await headline('Waiting for payment')).toBe(heading);
    expect(document.activeElement).toBe(heading);
  });

  it('Y3 Y4 right after a payment, the order page confirms the payment and shows the transaction id', async () => {
    show(orderOf(PAID), {}, { received: { transactionId: 'pi_3Nx', outcome: 'recorded' } });
    await screen.findByRole('heading', { name: 'Congrats! Your payment is completed.' });
    expect(screen.getAllByText('pi_3Nx').length).toBeGreaterThan(0);
  });

  it('Y3 O4 the order page shows each transaction id only once, even if several timeline entries contain that id', async () => {
    const at = '2026-01-01T10:20:00.000Z';
    show(orderOf(PAID), {
      [`GET /orders/${ID}/timeline`]: () => [
        PLACED,
        { type: 'payment_started', at, version: 2, transactionId: 'pi_3Nx' },
        { type: 'paid', at, version: 3, transactionId: 'pi_3Nx', amount: 104_001 },
        { type: 'refund_due', at, version: 4, transactionId: 'pi_twice', amount: 104_001, reason: 'already_paid' },
        { type: 'refunded', at, version: 5, transactionId: 'pi_twice', amount: 104_001 },
      ],
    });
    await screen.findByText('pi_twice');
    screen.getByText('pi_3Nx');
  });

  it('O4 the order page shows the next step, the item and the delivery before the history, and itemizes the total', async () => {
    show(orderOf({ product: 'কেসিং' }));
    const history = await screen.findByRole('heading', { name: 'What happened' });
    const before = [
      screen.getByRole('link', { name: 'PAY NOW' }),
      screen.getByRole('heading', { name: 'কেসিং' }),
      screen.getByRole('heading', { name: 'Delivery' }),
    ];
    for (const part of before) {
      expect(part.compareDocumentPosition(history)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    }
    screen.getByText('2 × ৳52,000.50');
    screen.getByText('Included');
    expect(screen.getByText('কেসিং').lang).toBe('bn');
  });

  it('Y4 PAY2 the order page does not offer PAY NOW if a payment was received but is not recorded yet', async () => {
    show(orderOf(), {}, { received: { transactionId: 'pi_3Nx', outcome: 'late' } });
    await screen.findByText(/We received your payment/);
    expect(screen.queryByRole('link', { name: 'PAY NOW' })).toBeNull();
  });
});

describe('the shop’s shipping promise', () => {
  it.each([
    [{ orders: 40, inTime: 38 }, 'Paid orders shipped within a day 9 times out of 10 this month.'],
    [null, null],
  ])('O6 for the figures %j, the order page shows the shipping promise %j', async (answer, words) => {
    const { calls } = show(orderOf(), { 'GET /promise': () => answer });
    await headline('Waiting for payment');
    await waitFor(() => expect(calls).toContain('GET /promise'));
    if (words) await screen.findByText(words);
    else expect(screen.queryByText(/within a day/)).toBeNull();
  });
});
