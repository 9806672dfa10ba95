import { createIntent } from './create-intent.ts';
import type { PaymentContext } from './payment-context.ts';
import type { CreateIntentOutcome, OwedPayments, Payments } from './payments.ts';
import { refund, settleRefunds } from './refund.ts';
import { findOrder, settle } from './settle.ts';
import { withdraw } from './withdraw.ts';

/** Card payments at Stripe, or at the local one: it depends on the client alone. */
export function createStripePayments(context: PaymentContext): Payments & OwedPayments {
  const making = new Map<string, Promise<CreateIntentOutcome>>();

  return {
    createIntent(orderId, meta) {
      // Side by side, two calls for one order would meet at Stripe under one key, and the second would be told to wait.
      const running = making.get(orderId);
      if (running) return running;
      const started = createIntent(context, orderId, meta).finally(() => making.delete(orderId));
      making.set(orderId, started);
      return started;
    },
    settle: (intentId, meta) => settle(context, intentId, meta),
    async settleRefunds(intentId, meta) {
      const ours = await findOrder(context, intentId);
      if (ours === null) return { kind: 'not_ours' };
      await settleRefunds(context, ours.orderId, intentId, meta);
      return { kind: 'recorded' };
    },
    refund: (orderId, intentId, meta) => refund(context, orderId, intentId, meta),
    withdraw: (orderId, intentId, meta) => withdraw(context, orderId, intentId, meta),
  };
}
