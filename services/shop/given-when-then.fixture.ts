import type { Decider } from '../contracts/decider.ts';
import type { DomainEvent, RecordedEvent } from '../contracts/events.ts';
import type { Refusal } from '../contracts/refusals.ts';

/** The outcome of a command on a stream with a given history: either new events or a refusal. */
export type Outcome = { readonly events: readonly DomainEvent[] } | { readonly refused: Refusal };

/** Returns the event as it is recorded at this version of a stream. */
export function recordedAt(version: number, event: DomainEvent, time = '2026-01-01T00:00:00.000Z'): RecordedEvent {
  const subject = `order-${'a'.repeat(32)}` as const;
  const attributes = { id: `${version}`, source: '/test', subject, cause: `${version}`, actor: 'system:test' };
  return { ...attributes, ...event, time, streamversion: version, schemaversion: 1, correlationid: 'test' };
}

/** Returns a stream's state after these events. */
export function stateAfter<State>(decider: Decider<State, never>, history: readonly DomainEvent[]): State {
  return history.reduce(
    (state, event, index) => decider.evolve(state, recordedAt(index + 1, event)),
    decider.initialState,
  );
}

/**
 * Returns a given/when test helper for a decider. `given` takes a stream's history, and `when` takes a command and
 * returns the outcome. If the command is a repeat, `prior` contains the events that the command yielded the first time.
 */
export function decisionsOf<State, Command>(decider: Decider<State, Command>) {
  return {
    given: (...history: DomainEvent[]) => ({
      when(command: Command, prior: readonly DomainEvent[] = []): Outcome {
        const decision = decider.decide(command, stateAfter(decider, history), { version: history.length, prior });
        return decision.kind === 'refused' ? { refused: decision.refusal } : { events: decision.events };
      },
    }),
  };
}
