import type { DomainEvent } from './events.ts';
import type { StreamKind } from './ids.ts';
import type { Refusal } from './refusals.ts';

/** What a command leads to: events to append (none: it was done before), or one refusal. */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly DomainEvent[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What a decision may know beside the state. */
export interface DecisionContext {
  /** the stream's version, 0 where it does not exist */
  readonly version: number;
  /** events of this stream that the command's cause has yielded already (CMD3), in order */
  readonly prior: readonly DomainEvent[];
}

/** What a state needs to be kept, so that a stream need not be folded from its first event. It holds no personal data. */
export interface Snapshotting<State> {
  /** To be raised with every change of `evolve` or of the state's shape: states of other folds are ignored. */
  readonly fold: number;
  /** The state that was kept as JSON; null where it is none. */
  parse(kept: unknown): State | null;
}

/** The pure rules of one kind of stream. `evolve` takes any event of the log and ignores those of other kinds. */
export interface Decider<State, Command> {
  readonly kind: StreamKind;
  readonly initialState: State;
  /** `evolve` uses no personal data, so events are folded without opening it: each of its fields reads as ERASED */
  readonly opening?: 'bare';
  /** how the state may be kept beside the log (LOG7); absent where streams stay short */
  readonly snapshot?: Snapshotting<State>;
  decide(command: Command, state: State, context: DecisionContext): Decision;
  evolve(state: State, event: DomainEvent): State;
}

export const NOTHING_TO_DO: Decision = { kind: 'accepted', events: [] };

/** Says on a stream that holds a person's data that the key of it is gone (ERASE1); yielded once by each cause. */
export interface ErasePersonalData {
  readonly type: 'ErasePersonalData';
}

export function erasePersonalData({ prior }: DecisionContext): Decision {
  return prior.length > 0 ? NOTHING_TO_DO : accept({ type: 'PersonalDataErased', data: {} });
}

export function accept(...events: DomainEvent[]): Decision {
  return { kind: 'accepted', events };
}

export function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}

/** Ends a switch over a closed union: a member that was forgotten does not compile. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
