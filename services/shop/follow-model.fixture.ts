import fc from 'fast-check';
import { expect } from 'vitest';
import type { Decider } from '../contracts/decider.ts';
import type { DomainEvent } from '../contracts/events.ts';
import type { StreamKind } from '../contracts/ids.ts';
import type { RefusalCode } from '../contracts/refusals.ts';
import { recordedAt } from './given-when-then.fixture.ts';

/**
 * Lists, for each refusal code, the deciders that may return it. A decider's model test fails unless the decider
 * returns each of its refusal codes at least once, and no other codes.
 */
const REFUSED_BY: Readonly<Record<RefusalCode, readonly StreamKind[]>> = {
  not_found: ['order', 'product', 'user', 'review'],
  idempotency_key_reused: ['order', 'product', 'review', 'allowance'],
  stale_version: ['product', 'order'],
  price_changed: ['product'],
  quantity_out_of_range: ['product'],
  total_too_large: ['product'],
  too_many_unpaid_orders: ['allowance'],
  orders_too_fast: ['allowance'],
  reviews_too_fast: ['allowance'],
  changes_too_fast: ['allowance'],
  order_not_paid: ['order'],
  order_paid: ['order'],
  order_cancelled: ['order'],
  order_shipped: ['order'],
  order_changed: ['order'],
  order_not_shipped: ['order'],
  shipment_final: ['order'],
  reason_required: ['order'],
  order_refunded: ['order'],
  order_disputed: ['order'],
  order_erased: ['order'],
  refund_too_large: ['order'],
  refund_incomplete: ['order'],
  refund_pending: ['order'],
  payment_superseded: ['order'],
  other_account: ['user'],
  account_closed: ['user'],
  last_admin: ['user'],
};

/** The outcome of a command: the types of its events, or the code of its refusal. */
export type Expected = readonly DomainEvent['type'][] | RefusalCode;

/** What a model needs to know about a command but can't derive from earlier commands. */
export interface StepContext {
  readonly version: number;
  /** `repeated` is true if an earlier command with the same `cause` yielded events */
  readonly cause: string;
  readonly repeated: boolean;
}

/** A second, much simpler implementation of one stream's rules. */
export interface Model<Command, Seen> {
  /** Applies the command to the model and returns the expected outcome. */
  step(command: Command, context: StepContext): Expected;
  seen(): Seen;
}

/**
 * Runs random commands through a decider and its model, and compares their outcomes and states after each command. A
 * command with the same cause as an earlier one is a repeat. The decider must return each of its refusal codes at least
 * once, so that no rule goes untested.
 */
export function expectToFollow<State, Command, Seen>(
  decider: Decider<State, Command>,
  {
    commands,
    causeOf,
    model,
    seenOf,
    runs = 400,
  }: {
    readonly commands: fc.Arbitrary<Command>;
    readonly causeOf: (command: Command, index: number) => string;
    readonly model: () => Model<Command, Seen>;
    readonly seenOf: (state: State) => Seen;
    /** the number of command sequences to try; a decider with rare refusals needs more */
    readonly runs?: number;
  },
): void {
  const refused = new Set<string>();
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 100, size: 'max' }), (sequence) => {
      const plain = model();
      const yielded = new Map<string, readonly DomainEvent[]>();
      let [state, version] = [decider.initialState, 0];
      for (const [index, command] of sequence.entries()) {
        const cause = causeOf(command, index);
        const prior = yielded.get(cause) ?? [];
        const decision = decider.decide(command, state, { version, prior });
        const expected = plain.step(command, { version, cause, repeated: prior.length > 0 });
        expect(decision.kind === 'refused' ? decision.refusal.code : decision.events.map(({ type }) => type)).toEqual(
          expected,
        );
        if (decision.kind === 'refused') {
          refused.add(decision.refusal.code);
          continue;
        }
        for (const event of decision.events) {
          version += 1;
          state = decider.evolve(state, recordedAt(version, event));
        }
        yielded.set(cause, [...prior, ...decision.events]);
        expect(seenOf(state)).toEqual(plain.seen());
      }
    }),
    { numRuns: runs },
  );
  const known = Object.entries(REFUSED_BY).filter(([, by]) => by.includes(decider.kind));
  expect([...refused].sort()).toEqual(known.map(([code]) => code).sort());
}
