import type { RecordedEvent } from '../../contracts/events.ts';
import type { Refusal } from '../../contracts/refusals.ts';

export interface CommandMeta {
  /** Why the command is sent, e.g. `place:<orderId>`. Two commands with the same cause on one stream are the same command. */
  readonly cause: string;
  /** a user id, or `system:<policy>` */
  readonly actor: string;
  readonly correlationId: string;
  /** ISO 8601 time at which the command was sent; its events get the same time */
  readonly time: string;
}

/**
 * A command's outcome: `events` are the events that this command added, and `prior` are the events that earlier
 * commands with the same cause had already added.
 */
export type Outcome<State> =
  | {
      readonly kind: 'done';
      readonly state: State;
      readonly version: number;
      readonly events: readonly RecordedEvent[];
      readonly prior: readonly RecordedEvent[];
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
