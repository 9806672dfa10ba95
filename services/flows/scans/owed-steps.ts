import type { Logger } from 'pino';
import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { Clock } from '../../runtime/clock.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderState } from '../../shop/order/order.ts';
import { type OwedPayments, PaymentUnavailable } from '../payments/payments.ts';
import { createPace, type Waits } from './pace.ts';

/** An unpaid order's intent is asked for from this age on, and ever more seldom: Stripe's webhook usually says it first. */
const RECONCILING: Waits = { first: 30_000, longest: 600_000 };
/** What nobody but this shop can move on is tried at once, and after a failure soon again. */
const DOING: Waits = { first: 5_000, longest: 600_000 };
const FORGET_AFTER_MS = 3_600_000;
/** After so many calls that found Stripe unavailable it is left alone until the next run. */
const MAX_UNAVAILABLE = 5;

type StepKind = 'reconcile' | 'withdraw' | 'refund';
interface Step {
  readonly kind: StepKind;
  readonly intent: string;
  /** when the step may first be taken, ms since the epoch */
  readonly from: number;
}

export interface OwedStepsSettings {
  readonly handler: CommandHandler;
  readonly payments: OwedPayments;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What orders owe Stripe (PAY4, PAY5), each step in its own pace. Decided again on the folded stream. */
export interface OwedSteps {
  /** Forgets that Stripe was unavailable, and what was done long ago: to be called when a run begins. */
  beginRun(): void;
  /** Whether a step of this order is due, as far as its document knows. */
  isDue(order: OrderDocument): boolean;
  /** Takes the steps of one order that are due. Failures are logged and tried again later. */
  attend(orderId: string): Promise<void>;
  /** Asks for the open intent of an order about to expire, so that money that came in is not sent back. */
  reconcileBeforeExpiry(orderId: string): Promise<void>;
}

export function createOwedSteps({ handler, payments, clock, logger }: OwedStepsSettings): OwedSteps {
  const pace = createPace();
  let unavailable = 0;

  const keyOf = ({ kind, intent }: Step) => `${kind}:${intent}`;
  const due = (step: Step) => step.from <= clock() && pace.due(keyOf(step), clock());

  async function take(orderId: string, step: Step): Promise<void> {
    if (unavailable >= MAX_UNAVAILABLE) return;
    pace.tried(keyOf(step), clock(), step.kind === 'reconcile' ? RECONCILING : DOING);
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
    beginRun() {
      unavailable = 0;
      pace.forgetBefore(clock() - FORGET_AFTER_MS);
    },
    isDue: (order) => stepsOfDocument(order).some(due),
    async attend(orderId) {
      // One step may lead to the next, as a withdrawn intent that was paid leads to its refund.
      while (unavailable < MAX_UNAVAILABLE) {
        const step = (await stepsOf(orderId)).find(due);
        if (!step) return;
        await take(orderId, step);
      }
    },
    async reconcileBeforeExpiry(orderId) {
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
