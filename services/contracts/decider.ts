import type { DomainEvent } from './events.ts';
import type { StreamKind } from './ids.ts';
import type { Refusal } from './refusals.ts';

/** Events to append, none where nothing is left to do; or a refusal. */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly DomainEvent[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface DecisionContext {
  readonly version: number;
  /** events of this stream that the same cause has yielded before (CMD3), in order */
  readonly prior: readonly DomainEvent[];
}

/** How a state is kept, so that a long stream is not folded from its first event. The state holds no personal data. */
export interface Snapshotting<State> {
  /** Raise it with every change of `evolve` or of the state's shape: snapshots of other folds are ignored. */
  readonly fold: number;
  parse(kept: unknown): State | null;
}

export interface Decider<State, Command> {
  readonly kind: StreamKind;
  readonly initialState: State;
  /** `evolve` uses no personal data, so events are folded unopened, with ERASED in each personal field */
  readonly opening?: 'bare';
  /** absent where streams stay short (LOG7) */
  readonly snapshot?: Snapshotting<State>;
  decide(command: Command, state: State, context: DecisionContext): Decision;
  evolve(state: State, event: DomainEvent): State;
}

export const NOTHING_TO_DO: Decision = { kind: 'accepted', events: [] };

/** Records on a stream that its personal data is gone, even where a process still holds the key (ERASE1). */
export interface ErasePersonalData {
  readonly type: 'ErasePersonalData';
}

export function accept(...events: DomainEvent[]): Decision {
  return { kind: 'accepted', events };
}

export function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}

/** Ends a switch over a closed union: a forgotten member does not compile. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
