import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import type { PaymentFailure } from '@micro-center/services/contracts/payment/payment-failures.ts';
import { formatTaka, formatTime } from '../../ui/format.ts';

/** Whether the order waits for a payment that Stripe is still processing. The customer can't pay a second time then. */
export const isProcessing = (order: OrderView): order is OrderView & { processingUntil: string } =>
  !order.paid && order.cancelledAt === null && order.processingUntil !== undefined;

export const PROCESSING = 'Your payment is being processed';

/** Says until when the order waits for the payment, and that the customer needs to do nothing. */
export const processingText = ({ processingUntil }: { processingUntil: string }): string =>
  `You do not need to do anything. We keep your order until ${formatTime(processingUntil)} while your bank sends the payment.`;

/** Why an attempt to pay failed, and what the shopper can do. `short` fits into one line of a row in My orders. */
const FAILURES: Record<PaymentFailure, { text: string; short: string }> = {
  declined: { text: 'Your card was declined. Try another card.', short: 'Card declined. Try another card.' },
  insufficient_funds: {
    text: 'There is too little money on your card. Try another card.',
    short: 'Too little money. Try another card.',
  },
  expired_card: { text: 'Your card has expired. Try another card.', short: 'Card expired. Try another card.' },
  wrong_card_details: {
    text: 'Some card details were not right. Check them and try again.',
    short: 'Wrong card details. Try again.',
  },
  not_authenticated: {
    text: 'Your bank did not confirm the payment. Try again.',
    short: 'Not confirmed by your bank. Try again.',
  },
  other: { text: 'Your payment did not go through. Try again.', short: 'Payment failed. Try again.' },
};

/**
 * Says why the latest attempt to pay for an unpaid order failed, and what to do. Returns null if no attempt failed, or if
 * a later one is being processed.
 */
export function failureOf(order: OrderView): { text: string; short: string } | null {
  const { paid, cancelledAt, paymentFailure } = order;
  if (paid || cancelledAt !== null || paymentFailure === undefined || isProcessing(order)) return null;
  return FAILURES[paymentFailure];
}

/** Completes 'Payment failed: ...' in a list of what happened. */
export const FAILURE_CLAUSES: Record<PaymentFailure, string> = {
  declined: 'the card was declined',
  insufficient_funds: 'there was too little money on the card',
  expired_card: 'the card had expired',
  wrong_card_details: 'some card details were not right',
  not_authenticated: 'the bank did not confirm it',
  other: 'it did not go through',
};

/**
 * Says how much of the order's payment was returned, and how much is on its way back, e.g. 'Refunded ৳500'. Returns an
 * empty array if no refund was granted.
 */
export function moneyBackTexts({ moneyBack }: Pick<OrderView, 'moneyBack'>): string[] {
  const { returned = 0, returning = 0 } = moneyBack ?? {};
  return [
    ...(returned > 0 ? [`Refunded ${formatTaka(returned)}`] : []),
    ...(returning > 0 ? [`${formatTaka(returning)} is on its way back`] : []),
  ];
}
