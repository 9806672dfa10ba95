import type { Schedule } from '../../runtime/schedule.ts';
import { within } from '../../runtime/store-unavailable.ts';
import { createIntent } from './create-intent-flow.ts';
import { settleDispute } from './dispute-flow.ts';
import type { PaymentContext } from './payment-context-flow.ts';
import {
  type CreateIntentOutcome,
  type PaymentMeta,
  type Payments,
  PaymentUnavailable,
  type RecordedOutcome,
} from './payments.ts';
import { refund, settleRefunds } from './refund-flow.ts';
import { findOrder, settle, withdraw } from './settle-flow.ts';

type PaymentSettings = Omit<PaymentContext, 'processingTtlMs'> & {
  /** how long an order waits for a payment that Stripe is processing, in ms; 24 hours by default */
  readonly processingTtlMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
};

const DAY_MS = 86_400_000;

/** How long a caller waits for a payment step, in ms. A step that takes longer isn't cancelled and keeps running. */
const LONGEST_WAIT_MS = 7_500;

export function createStripePayments(settings: PaymentSettings): Payments {
  const { schedule, processingTtlMs = DAY_MS } = settings;
  const context = { ...settings, processingTtlMs };
  const making = new Map<string, Promise<CreateIntentOutcome>>();

  function createOnce(orderId: string, meta: PaymentMeta): Promise<CreateIntentOutcome> {
    // Stripe refuses the second of two concurrent calls with the same idempotency key, so concurrent callers share one
    // call.
    const running = making.get(orderId);
    if (running) return running;
    const started = createIntent(context, orderId, meta).finally(() => making.delete(orderId));
    making.set(orderId, started);
    return started;
  }

  async function settleTheirs(intentId: string, meta: PaymentMeta): Promise<RecordedOutcome> {
    const found = await findOrder(context, intentId);
    if (found.kind !== 'found') return found;
    // The webhook about the payment itself may have been lost, or may arrive later.
    await settle(context, intentId, meta, { orderId: found.orderId });
    await settleRefunds({ context, orderId: found.orderId, intentId, meta });
    return { kind: 'recorded' };
  }

  /** @throws PaymentUnavailable if the step takes too long */
  function inTime<T>(step: Promise<T>): Promise<T> {
    const late = () => new PaymentUnavailable(`Stripe did not respond within ${LONGEST_WAIT_MS} ms.`);
    return within(LONGEST_WAIT_MS, () => step, late, schedule);
  }

  return {
    createIntent: (orderId, meta) => inTime(createOnce(orderId, meta)),
    settle: (intentId, meta, known) => inTime(settle(context, intentId, meta, known)),
    settleRefunds: (intentId, meta) => inTime(settleTheirs(intentId, meta)),
    settleDispute: (disputeId, meta) => inTime(settleDispute(context, disputeId, meta)),
    refund: (orderId, intentId, meta) => inTime(refund({ context, orderId, intentId, meta })),
    withdraw: (orderId, intentId, meta) => inTime(withdraw(context, orderId, intentId, meta)),
  };
}
