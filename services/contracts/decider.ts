import type { DomainEvent, RecordedEvent } from './events.ts';
import type { StreamKind } from './ids.ts';
import type { Refusal } from './refusals.ts';

/** The events to append (none if there's nothing to do), or a refusal. */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly DomainEvent[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface DecisionContext {
  readonly version: number;
  /** the earlier events of this stream that have the same `cause` as the current command (CMD3), in order */
  readonly prior: readonly DomainEvent[];
}

/**
 * How a decider's state is stored in snapshots. With a snapshot, a long stream doesn't have to be folded from its first
 * event. The state must not contain personal data.
 */
export interface Snapshotting<State> {
  /** Increment this with every change to `evolve` or to the state's shape. Snapshots with a different `fold` are ignored. */
  readonly fold: number;
  parse(kept: unknown): State | null;
}

export interface Decider<State, Command> {
  readonly kind: StreamKind;
  readonly initialState: State;
  /** set if `evolve` needs no personal data; personal fields are then left sealed, and `evolve` gets ERASED as their value */
  readonly opening?: 'bare';
  /** how snapshots store the state; absent if streams of this kind stay short (LOG7) */
  readonly snapshot?: Snapshotting<State>;
  decide(command: Command, state: State, context: DecisionContext): Decision;
  evolve(state: State, event: RecordedEvent): State;
}

export const NOTHING_TO_DO: Decision = { kind: 'accepted', events: [] };

/**
 * A command that records the erasure of a stream's personal data. From then on, the data reads as erased even in a
 * process that still has the decryption key cached (ERASE1).
 */
export interface ErasePersonalData {
  readonly type: 'ErasePersonalData';
}

export function accept(...events: DomainEvent[]): Decision {
  return { kind: 'accepted', events };
}

export function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}

/** Use this in the default branch of a switch over a closed union, so that a missing case is a compile-time error. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
