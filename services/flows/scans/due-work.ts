import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { VersionedId } from '../../engine/read-models/read-models.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type BackOffLimits, exponentialBackOff } from '../../runtime/schedule.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import type { OrderState } from '../../shop/order/order.ts';
import { type Payments, PaymentUnavailable } from '../payments/payments.ts';

/** How old an unpaid order is, in ms, when Stripe is first asked about its open intent. The webhook usually arrives before that. */
export const ASKED_AFTER_MS = 30_000;
const RECONCILING: BackOffLimits = { first: ASKED_AFTER_MS, longest: 600_000 };
/** Retry delays of the steps that only this shop can take. The first attempt is immediate. */
const DOING: BackOffLimits = { first: 5_000, longest: 600_000 };
/** The most orders, and the most steps, that are remembered. An evicted order is read again, and an evicted step loses its back-off. */
const MOST_REMEMBERED = 100_000;
/** After this many calls that found Stripe unavailable, Stripe isn't called again until the next round. */
const MAX_UNAVAILABLE = 5;

type StepKind = 'reconcile' | 'withdraw' | 'refund';
interface Step {
  readonly kind: StepKind;
  readonly intent: string;
  /** the earliest time of the first attempt, in ms since the epoch */
  readonly from: number;
}

export interface FailedRefund {
  readonly orderId: string;
  readonly intent: string;
  readonly failures: number;
}

/** The due work of an order, as of this version of its stream. */
interface OwedNow {
  readonly version: number;
  /** the time at which the first step is due, in ms since the epoch */
  readonly dueAt: number;
  readonly failedRefunds: readonly FailedRefund[];
}

export interface DueWorkSettings {
  readonly handler: CommandHandler;
  readonly payments: Pick<Payments, 'settle' | 'withdraw' | 'refund'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Takes the steps at Stripe that orders need according to their streams (PAY4, PAY5). Each step has its own back-off. */
export function createDueWork({ handler, payments, clock, logger }: DueWorkSettings) {
  const tried = new LRUCache<string, { readonly times: number; readonly nextAt: number }>({ max: MOST_REMEMBERED });
  const owed = new LRUCache<string, OwedNow>({ max: MOST_REMEMBERED });
  let unavailable = 0;

  const keyOf = ({ kind, intent }: Step) => `${kind}:${intent}`;
  const nextTryOf = (step: Step) => Math.max(step.from, tried.get(keyOf(step))?.nextAt ?? 0);

  function noteTry(step: Step): void {
    const times = (tried.get(keyOf(step))?.times ?? 0) + 1;
    const pauseAfter = exponentialBackOff(step.kind === 'reconcile' ? RECONCILING : DOING, 0);
    tried.set(keyOf(step), { times, nextAt: clock() + pauseAfter(times) });
  }

  async function take(orderId: string, step: Step): Promise<void> {
    if (unavailable >= MAX_UNAVAILABLE) return;
    noteTry(step);
    try {
      await perform(payments, orderId, step);
    } catch (error) {
      if (error instanceof PaymentUnavailable) unavailable += 1;
      logger.warn({ err: error, orderId, intent: step.intent, step: step.kind }, 'a step at Stripe failed');
    }
  }

  /** Reads from an order's stream which steps it needs, and remembers when the first of them is due. */
  async function look(orderId: string): Promise<Step[]> {
    const { state, version } = await handler.load(orderDecider, orderId);
    const steps = stepsOf(state);
    const failedRefunds = failedRefundsOf(orderId, state);
    if (steps.length === 0) owed.delete(orderId);
    else owed.set(orderId, { version, dueAt: Math.min(...steps.map(nextTryOf)), failedRefunds });
    return steps;
  }

  return {
    beginRound(): void {
      unavailable = 0;
    },
    /** Returns false only if it's known that no step of the order is due yet. */
    isDue({ id, version }: VersionedId): boolean {
      const known = owed.get(id);
      return known === undefined || known.version < version || known.dueAt <= clock();
    },
    /** Returns the refunds of an order that had failed and were still due when the order's stream was last read. */
    failedRefunds: (orderId: string): readonly FailedRefund[] => owed.get(orderId)?.failedRefunds ?? [],
    /** Takes the due steps of an order. Failed steps are logged and retried later. */
    async takeDue(orderId: string): Promise<void> {
      // One step may lead to another. For example, if an intent to withdraw turns out to be paid, its refund is due.
      for (;;) {
        const step = (await look(orderId)).find((one) => nextTryOf(one) <= clock());
        if (!step || unavailable >= MAX_UNAVAILABLE) return;
        await take(orderId, step);
      }
    },
    /**
     * Asks Stripe about an open intent right away, regardless of its back-off, so that a payment made just before the expiry
     * counts. If Stripe doesn't respond, the order expires anyway and such a payment is refunded.
     */
    async reconcileBeforeExpiry(orderId: string): Promise<void> {
      for (const step of await look(orderId)) if (step.kind === 'reconcile') await take(orderId, step);
    },
  };
}

function perform(payments: DueWorkSettings['payments'], orderId: string, { kind, intent }: Step): Promise<unknown> {
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

/** An open intent may still pay an unpaid order. Any other order has no use for the intent, so the step withdraws it. */
function openStep(unpaid: boolean, intent: string, placedAt: string): Step {
  return unpaid
    ? { kind: 'reconcile', intent, from: Date.parse(placedAt) + RECONCILING.first }
    : { kind: 'withdraw', intent, from: 0 };
}

function stepsOf(state: OrderState): Step[] {
  if (state.status === 'absent') return [];
  return state.intents.flatMap(({ intent, status }): Step[] => {
    if (status === 'open') return [openStep(state.status === 'unpaid', intent, state.draft.placedAt)];
    return status === 'refund_due' ? [{ kind: 'refund', intent, from: 0 }] : [];
  });
}

function failedRefundsOf(orderId: string, state: OrderState): FailedRefund[] {
  if (state.status === 'absent') return [];
  return state.intents
    .filter(({ status, failedRefunds }) => status === 'refund_due' && failedRefunds.length > 0)
    .map(({ intent, failedRefunds }) => ({ orderId, intent, failures: failedRefunds.length }));
}
