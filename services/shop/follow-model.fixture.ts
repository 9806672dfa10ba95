import fc from 'fast-check';
import { expect } from 'vitest';
import type { Decider } from '../contracts/decider.ts';
import type { DomainEvent } from '../contracts/events.ts';
import type { StreamKind } from '../contracts/ids.ts';
import type { RefusalCode } from '../contracts/refusals.ts';

/** Which deciders give each refusal: a run of a model that meets fewer, or others, fails. */
const REFUSED_BY: Readonly<Record<RefusalCode, readonly StreamKind[]>> = {
  not_found: ['order', 'product', 'user', 'review'],
  idempotency_key_reused: ['order', 'product', 'review', 'allowance'],
  stale_version: ['product'],
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
  payment_superseded: ['order'],
  other_account: ['user'],
  account_closed: ['user'],
  last_admin: ['user'],
};

/** What a command leads to: the types of its events, or the code of its refusal. */
export type Expected = readonly DomainEvent['type'][] | RefusalCode;

/** What a model may know beside what it has seen. */
export interface StepContext {
  readonly version: number;
  /** the command's cause, and whether it has yielded events before */
  readonly cause: string;
  readonly repeated: boolean;
}

/** The rules of one stream written down a second time, as plainly as they can be said. */
export interface Model<Command, Seen> {
  /** What the command leads to; the model has moved on then. */
  step(command: Command, context: StepContext): Expected;
  seen(): Seen;
}

/**
 * Runs commands in any order and often twice, through a decider and its model, and compares each step. All that the decider
 * can refuse has to come up, so that each rule is really compared.
 */
export function expectToFollow<State, Command, Seen>(
  decider: Decider<State, Command>,
  {
    commands,
    causeOf,
    model,
    seenOf,
  }: {
    readonly commands: fc.Arbitrary<Command>;
    readonly causeOf: (command: Command, index: number) => string;
    readonly model: () => Model<Command, Seen>;
    readonly seenOf: (state: State) => Seen;
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
        state = decision.events.reduce((before, event) => decider.evolve(before, event), state);
        version += decision.events.length;
        yielded.set(cause, [...prior, ...decision.events]);
        expect(seenOf(state)).toEqual(plain.seen());
      }
    }),
    { numRuns: 400 },
  );
  const known = Object.entries(REFUSED_BY).filter(([, by]) => by.includes(decider.kind));
  expect([...refused].sort()).toEqual(known.map(([code]) => code).sort());
}
