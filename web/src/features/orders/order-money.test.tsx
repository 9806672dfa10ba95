import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp } from '../../app/app.fixture.tsx';
import { orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { formatTime } from '../../ui/format.ts';
import { halfAnHourAfterPlacing, headline, ID, PLACED, push, show, steps } from './order-page.fixture.tsx';

beforeEach(halfAnHourAfterPlacing);
afterEach(closeApp);

const PROCESSING = 'Your payment is being processed';
const UNTIL = '2026-01-05T10:00:00.000Z';
const CONGRATS = 'Congrats! Your payment is completed.';
const payNow = () => screen.queryByRole('link', { name: 'PAY NOW' });

/** The value next to a term of the receipt, such as 'Payment'. */
const receipt = (term: string) =>
  within(screen.getByRole('region', { name: 'Norwester G7' })).queryByText(term)?.nextElementSibling?.textContent;

describe('a payment that takes time', () => {
  it('PAY7 the order page says until when the shop waits for the payment, and offers no second payment', async () => {
    show(orderOf());
    await headline('Waiting for payment');
    expect(payNow()).not.toBeNull();
    push(orderOf({ processingUntil: UNTIL, version: 3 }));
    await headline(PROCESSING);
    screen.getByText(new RegExp(`You do not need to do anything.*until ${formatTime(UNTIL)}`));
    expect(receipt('Payment')).toBe('Being processed');
    expect(payNow()).toBeNull();
    expect(screen.queryByText(/left to pay/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'CANCEL ORDER' }));
    await screen.findByText(/If your payment still goes through, you get it back/);
  });

  it('PAY7 once a payment that was being processed has failed, the order page says why, and offers to pay again', async () => {
    show(orderOf({ processingUntil: UNTIL, version: 3 }));
    await headline(PROCESSING);
    push(orderOf({ paymentFailure: 'insufficient_funds', version: 4 }));
    await headline('Waiting for payment');
    screen.getByRole('heading', { name: 'There is too little money on your card. Try another card.' });
    expect(payNow()).not.toBeNull();
    push(orderOf({ ...PAID, version: 5 }));
    await headline('Paid');
    expect(screen.queryByText(/too little money/)).toBeNull();
  });

  it('PAY7 right after the card form, the order page says that the payment is being processed, before the shop knows it', async () => {
    show(orderOf(), {}, { received: { transactionId: 'pi_3Nx', outcome: 'processing' } });
    await screen.findByRole('heading', { level: 2, name: PROCESSING });
    expect(screen.queryByText(CONGRATS)).toBeNull();
    expect(payNow()).toBeNull();
    push(orderOf({ processingUntil: UNTIL, version: 2 }));
    await headline(PROCESSING);
    expect(screen.queryByRole('heading', { level: 2, name: PROCESSING })).toBeNull();
    push(orderOf({ paymentFailure: 'other', version: 3 }));
    await screen.findByText('Your payment did not go through. Try again.');
    expect(payNow()).not.toBeNull();
  });

  it('PAY7 right after the card form, the order page congratulates the shopper once the payment is complete', async () => {
    show(orderOf(), {}, { received: { transactionId: 'pi_3Nx', outcome: 'processing' } });
    await screen.findByRole('heading', { level: 2, name: PROCESSING });
    push(orderOf(PAID));
    await screen.findByText(CONGRATS);
  });

  it('PAY7 an order that was cancelled meanwhile says that the payment comes back', async () => {
    const cancelled = { cancelledAt: '2026-01-01T10:31:00.000Z', cancelReason: 'customer', version: 4 } as const;
    show(orderOf({ processingUntil: UNTIL, ...cancelled }));
    await headline('Cancelled');
    screen.getByText('Nothing will be sent. If your payment still goes through, you get it back.');
  });
});

describe('money back', () => {
  it('PAY8 the order page shows money on its way back, and then that it has arrived, without a reload', async () => {
    show(orderOf(PAID));
    await headline('Paid');
    expect(receipt('Money back')).toBeUndefined();
    push(orderOf({ ...PAID, moneyBack: { returned: 0, returning: 500, left: 103_501 }, version: 4 }));
    await screen.findByText('We are packing it. Next, it leaves our shop. ৳500 is on its way back.');
    expect(receipt('Money back')).toBe('৳500 is on its way back');
    push(orderOf({ ...PAID, moneyBack: { returned: 500, returning: 0, left: 103_501 }, version: 5 }));
    await screen.findByText('We are packing it. Next, it leaves our shop. Refunded ৳500.');
    expect(receipt('Money back')).toBe('Refunded ৳500');
    expect(receipt('Payment')).toBe(`Paid ${formatTime(PAID.paidAt)}`);
  });

  it('PAY8 a shipped order with a refund says both', async () => {
    show(orderOf({ ...SHIPPED, moneyBack: { returned: 500, returning: 0, left: 103_501 } }));
    await headline('Shipped');
    screen.getByText('It has left our shop and is on its way to you. Refunded ৳500.');
  });

  it('PAY8 ORD14 the page of an order whose money went back promises no shipment', async () => {
    const moneyBack = { returned: 104_001, returning: 0, left: 0 };
    const refundedAt = '2026-01-01T11:00:00.000Z';
    show(orderOf({ ...PAID, moneyBack, refundedAt, heldBack: 'refunded' }));
    await headline('Refunded');
    screen.getByText('Nothing will be sent. Refunded ৳104,001.');
    expect(steps()).toHaveLength(2);
    expect(screen.queryByText(/Notify me|notification/)).toBeNull();
  });

  it('ORD14 the page of an order whose money the bank took back says that it is on hold', async () => {
    show(orderOf({ ...PAID, moneyBack: { returned: 0, returning: 0, left: 0 }, heldBack: 'disputed' }));
    await headline('On hold');
    screen.getByText('Your bank took back the payment, so we do not send it now.');
    expect(screen.queryByText(/We are packing it/)).toBeNull();
  });

  it('PAY9 ORD14 the page of an order whose dispute the bank decided for the customer promises no shipment', async () => {
    show(orderOf({ ...PAID, moneyBack: { returned: 0, returning: 0, left: 0 }, heldBack: 'lost' }));
    await headline('Not sent');
    screen.getByText('Your bank gave you back the payment, so nothing will be sent.');
    expect(steps()).toHaveLength(2);
  });

  it('PAY8 an order that was cancelled with a refund says how much comes back', async () => {
    const cancelled = { paid: false, cancelledAt: '2026-01-01T11:00:00.000Z', cancelReason: 'admin' } as const;
    show(orderOf({ ...PAID, ...cancelled, moneyBack: { returned: 0, returning: 104_001, left: 0 } }));
    await headline('Cancelled');
    screen.getByText('The shop cancelled it. Nothing will be sent. ৳104,001 is on its way back.');
  });
});

describe('the entries about money', () => {
  const at = PLACED.at;
  it.each<[Partial<TimelineEntry> & Pick<TimelineEntry, 'type'>, string]>([
    [{ type: 'payment_processing' }, 'Your payment is being processed'],
    [{ type: 'payment_failed', failure: 'expired_card' }, 'Payment failed: the card had expired'],
    [
      { type: 'refund_granted', amount: 500, granted: 'damaged' },
      'The shop gives money back (৳500): the item was damaged',
    ],
    [{ type: 'refund_granted', amount: 500, granted: 'other' }, 'The shop gives money back (৳500)'],
    [{ type: 'refund_pending', amount: 500 }, 'Refund on its way (৳500)'],
    [{ type: 'refund_made', amount: 500, elsewhere: true }, 'Refunded (৳500)'],
    [{ type: 'refund_undone', amount: 500 }, 'Refund failed (৳500): we will make sure that you get your money back'],
    [{ type: 'dispute_withdrawn', amount: 500 }, 'Your bank took back the payment (৳500)'],
    [{ type: 'dispute_reinstated', amount: 500 }, 'Your bank returned the payment to the shop (৳500)'],
    [{ type: 'dispute_changed', amount: 500 }, 'Your bank is checking the payment (৳500)'],
    [{ type: 'dispute_lost', amount: 500 }, 'Your bank decided for you, so the money stays with you (৳500)'],
    [{ type: 'dispute_ended', amount: 500 }, 'Your bank has finished checking the payment (৳500)'],
  ])('PAY7 PAY8 PAY9 the customer reads %o as “%s”', async (entry, text) => {
    show(orderOf(PAID), { [`GET /orders/${ID}/timeline`]: () => [PLACED, { at, version: 2, ...entry }] });
    const list = await screen.findByRole('list', { name: 'Everything that happened' });
    await waitFor(() =>
      expect(within(list).getAllByRole('listitem').at(-1)?.textContent).toBe(`${formatTime(at)}${text}`),
    );
  });
});
