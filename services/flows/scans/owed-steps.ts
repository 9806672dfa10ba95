import type { Logger } from 'pino';
import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { BackOffLimits } from '../../runtime/schedule.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderState } from '../../shop/order/order.ts';
import { type OwedPayments, PaymentUnavailable } from '../payments/payments.ts';
import { createBackoff } from './backoff.ts';

/** Stripe's webhook usually comes first, so an open intent is asked about from this age on. */
const RECONCILING: BackOffLimits = { first: 30_000, longest: 600_000 };
/** Steps that only this shop can take are tried at once. */
const DOING: BackOffLimits = { first: 5_000, longest: 600_000 };
const FORGET_AFTER_MS = 3_600_000;
/** After so many failed calls Stripe is left alone until the next run. */
const MAX_UNAVAILABLE = 5;

type StepKind = 'reconcile' | 'withdraw' | 'refund';
interface Step {
  readonly kind: StepKind;
  readonly intent: string;
  readonly from: number;
}

export interface OwedStepsSettings {
  readonly handler: CommandHandler;
  readonly payments: OwedPayments;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Takes the steps at Stripe that orders still need (PAY4, PAY5), as their streams say, each with its own back-off. */
export function createOwedSteps({ handler, payments, clock, logger }: OwedStepsSettings) {
  const backoff = createBackoff();
  let unavailable = 0;

  const keyOf = ({ kind, intent }: Step) => `${kind}:${intent}`;
  const due = (step: Step) => step.from <= clock() && backoff.due(keyOf(step), clock());

  async function take(orderId: string, step: Step): Promise<void> {
    if (unavailable >= MAX_UNAVAILABLE) return;
    backoff.tried(keyOf(step), clock(), step.kind === 'reconcile' ? RECONCILING : DOING);
    try {
      await perform(payments, orderId, step);
    } catch (error) {
      if (error instanceof PaymentUnavailable) unavailable += 1;
      logger.warn({ err: error, orderId, intent: step.intent, step: step.kind }, 'a step at Stripe failed');
    }
  }

  async function stepsOf(orderId: string): Promise<Step[]> {
    const { state } = await handler.load(orderDecider, orderId);
    return stepsOfState(state);
  }

  return {
    beginRun(): void {
      unavailable = 0;
      backoff.forgetBefore(clock() - FORGET_AFTER_MS);
    },
    isDue: (order: OrderDocument): boolean => stepsOfDocument(order).some(due),
    /** Takes the due steps of an order. Failures are logged and tried again later. */
    async takeDue(orderId: string): Promise<void> {
      // One step may lead to another: a withdrawn intent that was paid, to its refund.
      while (unavailable < MAX_UNAVAILABLE) {
        const step = (await stepsOf(orderId)).find(due);
        if (!step) return;
        await take(orderId, step);
      }
    },
    /** Asks about an open intent, so that a payment is not refunded. */
    async reconcileBeforeExpiry(orderId: string): Promise<void> {
      for (const step of await stepsOf(orderId)) if (step.kind === 'reconcile') await take(orderId, step);
    },
  };
}

function perform(payments: OwedPayments, orderId: string, { kind, intent }: Step): Promise<unknown> {
  const meta = { actor: `system:${kind}-payment`, correlationId: `${kind}:${intent}` };
  switch (kind) {
    case 'reconcile':
      return payments.settle(intent, meta);
    case 'withdraw':
      return payments.withdraw(orderId, intent, meta);
    case 'refund':
      return payments.refund(orderId, intent, meta);
  }
}

/** An open intent may still pay an unpaid order; any other order no longer waits for it. */
function openStep(unpaid: boolean, intent: string, placedAt: string): Step {
  return unpaid
    ? { kind: 'reconcile', intent, from: Date.parse(placedAt) + RECONCILING.first }
    : { kind: 'withdraw', intent, from: 0 };
}

function stepsOfDocument({ owes, status, createdAt }: OrderDocument): Step[] {
  return [
    ...owes.intents.map((intent) => openStep(status === 'unpaid', intent, createdAt)),
    ...owes.refunds.map(({ intent }): Step => ({ kind: 'refund', intent, from: 0 })),
  ];
}

function stepsOfState(state: OrderState): Step[] {
  if (state.status === 'absent') return [];
  return state.intents.flatMap(({ intent, status }): Step[] => {
    if (status === 'open') return [openStep(state.status === 'unpaid', intent, state.draft.placedAt)];
    return status === 'refund_due' ? [{ kind: 'refund', intent, from: 0 }] : [];
  });
}
