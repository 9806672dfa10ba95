import type { Logger } from 'pino';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { VersionedId } from '../../engine/read-models/read-models.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createLruCache } from '../../runtime/lru-cache.ts';
import { type BackOffLimits, exponentialBackOff } from '../../runtime/schedule.ts';
import { orderDecider } from '../order/decide-order.ts';
import { failuresOf, isOnItsWayBack, owedGrants } from '../order/money-of-order.ts';
import type { OrderState } from '../order/order.ts';
import { PaymentProviderFailed, type Payments, PaymentUnavailable } from './payments.ts';

/**
 * How long the shop waits, in ms, before it first asks Stripe about an unpaid order's open payment intent. The wait
 * begins when the order is placed. Stripe's webhook usually arrives before the wait is over.
 */
export const ASKED_AFTER_MS = 30_000;
const RECONCILING: BackOffLimits = { first: ASKED_AFTER_MS, longest: 600_000 };
/**
 * Retry delays for making refunds and cancelling payment intents, which only this shop can do. The first attempt is
 * immediate.
 */
const DOING: BackOffLimits = { first: 5_000, longest: 600_000 };
/**
 * The maximum size of each of the two caches: orders with due work, and steps that were attempted. If an order is
 * evicted, its stream is read again. If a step is evicted, its back-off starts over.
 */
const MOST_REMEMBERED = 100_000;
/**
 * How many steps may fail in one round because Stripe is unavailable. After that, no steps are attempted until the next
 * round.
 */
const MAX_UNAVAILABLE = 5;

type StepKind = 'reconcile' | 'withdraw' | 'refund';
interface Step {
  readonly kind: StepKind;
  readonly intent: string;
  /** the earliest time at which the step may be attempted, in ms since the epoch */
  readonly from: number;
}

/** A refund that is owed and that Stripe hasn't made. */
export interface FailedRefund {
  readonly orderId: string;
  readonly intent: string;
  /** how many refunds of this money have failed */
  readonly failures: number;
  /** why Stripe refused to make the last one, in its own words; absent if it didn't refuse */
  readonly refusal?: string;
}

/** The attempts at a step so far. */
interface Tried {
  readonly times: number;
  readonly nextAt: number;
  /** Stripe's words, if it refused the last attempt */
  readonly refusal?: string;
}

/** The work that an order needs, as of `version` of its stream. */
interface OwedNow {
  readonly version: number;
  /** when the earliest step is due, in ms since the epoch; Infinity if only a person can take the next one */
  readonly dueAt: number;
  readonly failedRefunds: readonly FailedRefund[];
}

export interface DueWorkSettings {
  readonly handler: CommandHandler;
  readonly payments: Pick<Payments, 'settle' | 'withdraw' | 'refund'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Makes the Stripe calls that orders still need: reconciling and cancelling payment intents, and making refunds (PAY4,
 * PAY5). These steps are derived from the order's stream, and each step has its own back-off.
 */
export function createDueWork({ handler, payments, clock, logger }: DueWorkSettings) {
  const tried = createLruCache<string, Tried>(MOST_REMEMBERED);
  const owed = createLruCache<string, OwedNow>(MOST_REMEMBERED);
  let unavailable = 0;

  const keyOf = ({ kind, intent }: Step) => `${kind}:${intent}`;
  const nextTryOf = (step: Step) => Math.max(step.from, tried.get(keyOf(step))?.nextAt ?? 0);

  function noteTry(step: Step): void {
    const times = (tried.get(keyOf(step))?.times ?? 0) + 1;
    const pauseAfter = exponentialBackOff(step.kind === 'reconcile' ? RECONCILING : DOING, 0);
    tried.set(keyOf(step), { times, nextAt: clock() + pauseAfter(times) });
  }

  function noteRefusal(step: Step, refusal: string): void {
    const before = tried.get(keyOf(step));
    if (before) tried.set(keyOf(step), { ...before, refusal });
  }

  async function take(orderId: string, step: Step): Promise<void> {
    if (unavailable >= MAX_UNAVAILABLE) return;
    noteTry(step);
    try {
      await perform(payments, orderId, step);
    } catch (error) {
      if (error instanceof PaymentUnavailable) unavailable += 1;
      else if (error instanceof PaymentProviderFailed) noteRefusal(step, error.message);
      logger.warn({ err: error, orderId, intent: step.intent, step: step.kind }, 'a payment step failed; will retry');
    }
  }

  /** Adds the refunds that Stripe refused to make when they were last attempted. */
  function withRefusals(orderId: string, failed: readonly FailedRefund[], steps: readonly Step[]): FailedRefund[] {
    const refused = steps.flatMap((step) => {
      const refusal = step.kind === 'refund' ? tried.get(keyOf(step))?.refusal : undefined;
      return refusal === undefined ? [] : [{ orderId, intent: step.intent, failures: 0, refusal }];
    });
    const others = refused.filter(({ intent }) => !failed.some((one) => one.intent === intent));
    const told = failed.map((one) => ({ ...refused.find(({ intent }) => intent === one.intent), ...one }));
    return [...told, ...others];
  }

  /** Determines from an order's stream which steps the order needs, and remembers when the earliest one is due. */
  async function look(orderId: string): Promise<Step[]> {
    const { state, version } = await handler.load(orderDecider, orderId);
    const steps = stepsOf(state);
    const failedRefunds = withRefusals(orderId, failedRefundsOf(orderId, state), steps);
    if (steps.length + failedRefunds.length === 0) owed.delete(orderId);
    else owed.set(orderId, { version, dueAt: Math.min(...steps.map(nextTryOf)), failedRefunds });
    return steps;
  }

  return {
    beginRound(): void {
      unavailable = 0;
    },
    /** Returns false only if it's certain that none of the order's steps is due yet. */
    isDue({ id, version }: VersionedId): boolean {
      const known = owed.get(id);
      return known === undefined || known.version < version || known.dueAt <= clock();
    },
    /** Returns an order's refunds that were owed, and that had failed or been refused, when its stream was last read. */
    failedRefunds: (orderId: string): readonly FailedRefund[] => owed.get(orderId)?.failedRefunds ?? [],
    /** Performs an order's due steps. Failures are logged, and failed steps are retried later. */
    async takeDue(orderId: string): Promise<void> {
      // One step may make another one due. For example, cancelling a payment intent may reveal that it was paid, and
      // its refund is then due.
      for (;;) {
        const step = (await look(orderId)).find((one) => nextTryOf(one) <= clock());
        if (!step || unavailable >= MAX_UNAVAILABLE) return;
        await take(orderId, step);
      }
    },
    /**
     * Asks Stripe about an order's open payment intent right away, regardless of the back-off, so that a payment made
     * just before the order expires still counts. If Stripe doesn't respond, the order expires anyway, and any such
     * payment is refunded later.
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

/**
 * Returns the step for an open payment intent. If the order is unpaid, the customer may still pay with the intent, so
 * Stripe is asked for the intent's status. Otherwise, the intent is no longer needed and is cancelled.
 */
function openStep(unpaid: boolean, intent: string, placedAt: string): Step {
  return unpaid
    ? { kind: 'reconcile', intent, from: Date.parse(placedAt) + RECONCILING.first }
    : { kind: 'withdraw', intent, from: 0 };
}

function stepsOf(state: OrderState): Step[] {
  if (state.status === 'absent') return [];
  const isReturning = isOnItsWayBack(state);
  return state.intents.flatMap(({ intent, status }): Step[] => {
    if (status === 'paid' && isReturning) return [{ kind: 'refund', intent, from: 0 }];
    if (status === 'open') return [openStep(state.status === 'unpaid', intent, state.createdAt)];
    return status === 'refund_due' ? [{ kind: 'refund', intent, from: 0 }] : [];
  });
}

function failedRefundsOf(orderId: string, state: OrderState): FailedRefund[] {
  if (state.status === 'absent') return [];
  const due = state.intents
    .filter(({ status, failedRefunds }) => status === 'refund_due' && failedRefunds.length > 0)
    .map(({ intent, failedRefunds }) => ({ orderId, intent, failures: failedRefunds.length }));
  const granted = owedGrants(state).flatMap((one) => {
    const failures = failuresOf(state, one);
    return failures > 0 ? [{ orderId, intent: one.intent, failures }] : [];
  });
  return [...due, ...granted];
}
