import type { Schedule } from '../../runtime/schedule.ts';
import { within } from '../../runtime/store-unavailable.ts';
import { createIntent } from './create-intent.ts';
import type { PaymentContext } from './payment-context.ts';
import {
  type CreateIntentOutcome,
  type PaymentMeta,
  type Payments,
  PaymentUnavailable,
  type SettleRefundsOutcome,
} from './payments.ts';
import { refund, settleRefunds } from './refund.ts';
import { findOrder, settle, withdraw } from './settle.ts';
import { createUnrecordedMoneyNotes } from './unrecorded-money.ts';

type PaymentSettings = Omit<PaymentContext, 'unrecorded'> & { readonly schedule?: Schedule | undefined };

/** How long a caller waits for a payment step, in ms. A step that takes longer isn't cancelled and keeps running. */
const LONGEST_WAIT_MS = 7_500;

export function createStripePayments(settings: PaymentSettings): Payments {
  const { schedule } = settings;
  const context = { ...settings, unrecorded: createUnrecordedMoneyNotes(settings.logger) };
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

  async function settleTheirs(intentId: string, meta: PaymentMeta): Promise<SettleRefundsOutcome> {
    const found = await findOrder(context, intentId);
    if (found.kind !== 'found') return found;
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
    refund: (orderId, intentId, meta) => inTime(refund({ context, orderId, intentId, meta })),
    withdraw: (orderId, intentId, meta) => inTime(withdraw(context, orderId, intentId, meta)),
    unrecordedMoney: context.unrecorded.list,
  };
}
