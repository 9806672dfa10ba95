import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, rateLimitFault, StripeFault, serverFault } from './errors.ts';
import type { Faults } from './faults.ts';
import type { IdempotencyKeys, KeyedCall } from './idempotency.ts';
import type { Call, Simulation } from './simulation.ts';

export interface Serving {
  simulation: Simulation;
  idempotency: IdempotencyKeys;
  wakeSender: () => void;
}

/** `replayOf` is the id of the first request with the same idempotency key, or null if this is the first. */
export interface OnceAnswer extends Answer {
  replayOf: string | null;
}

/**
 * Runs a call. If the call's idempotency key has been used before, returns the first call's response instead, even if
 * that response was a refusal.
 * @throws 409 while the first call is in progress
 */
export async function answerOnce(
  { simulation, idempotency, wakeSender }: Serving,
  keyed: KeyedCall | undefined,
  answerNow: () => Answer,
): Promise<OnceAnswer> {
  const { commit, faults } = simulation;
  const first = keyed && idempotency.recall(keyed);
  if (first) return { ...first, replayOf: first.requestId };
  const letGo = keyed && idempotency.hold(keyed);
  try {
    if (faults.apiDelayMs > 0) await wait(faults.apiDelayMs);
    return await commit((): OnceAnswer => {
      const answer = takeOne(faults, 'apiFailures') ? serverFault().toAnswer() : answerNow();
      if (keyed) idempotency.remember(keyed, answer);
      return { ...answer, replayOf: null };
    });
  } finally {
    letGo?.();
    wakeSender();
  }
}

/** Answers a GET. `id` is the id in its path, or empty if it asks for a list or for the balance. */
export function answerRead({ faults }: Simulation, id: string, answerNow: () => Answer): Answer {
  if (id === '') {
    if (takeOne(faults, 'rateLimits')) return rateLimitFault().toAnswer();
    if (takeOne(faults, 'listFailures')) return serverFault().toAnswer();
  }
  return answerNow();
}

/**
 * Returns a refusal instead of throwing it, so that the call's writes are still committed. For example, if a card is
 * declined, the failed charge is stored.
 */
export function answerOf(call: Call, work: () => object): Answer {
  const { status, body } = attempt(work);
  return { status, body: call.publishable ? withoutShopFields(body) : body };
}

function attempt(work: () => object): Answer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof StripeFault) return error.toAnswer();
    throw error;
  }
}

const SHOP_FIELDS = ['metadata', 'latest_charge', 'amount_received', 'customer'];

/** Removes the fields of payment intents that browsers must not see. */
function withoutShopFields(body: object): object {
  return JSON.parse(JSON.stringify(body), (_name, value) => {
    if (value?.object !== 'payment_intent') return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !SHOP_FIELDS.includes(name)));
  });
}

/** Returns false if the fault's counter is 0. Otherwise, decrements the counter and returns true. */
export function takeOne(faults: Faults, knob: 'apiFailures' | 'lostAnswers' | 'listFailures' | 'rateLimits'): boolean {
  if (faults[knob] === 0) return false;
  faults[knob] -= 1;
  return true;
}
