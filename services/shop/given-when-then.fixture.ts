import type { Decider } from '../contracts/decider.ts';
import type { DomainEvent } from '../contracts/events.ts';
import type { Refusal } from '../contracts/refusals.ts';

/** The outcome of a command on a stream with a given history: either new events or a refusal. */
export type Outcome = { readonly events: readonly DomainEvent[] } | { readonly refused: Refusal };

/**
 * Returns a given/when test helper for a decider. `given` takes a stream's history, and `when` takes a command and
 * returns the outcome. If the command is a repeat, `prior` contains the events that the command yielded the first time.
 */
export function decisionsOf<State, Command>(decider: Decider<State, Command>) {
  return {
    given: (...history: DomainEvent[]) => ({
      when(command: Command, prior: readonly DomainEvent[] = []): Outcome {
        const state = history.reduce<State>((before, event) => decider.evolve(before, event), decider.initialState);
        const decision = decider.decide(command, state, { version: history.length, prior });
        return decision.kind === 'refused' ? { refused: decision.refusal } : { events: decision.events };
      },
    }),
  };
}
