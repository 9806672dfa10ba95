import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { Folded } from '../log/fold-stream.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { attributesOf, writableEvent } from './writable-event.ts';

/** A command that waits for its outcome. */
export interface WaitingCommand {
  readonly command: unknown;
  readonly meta: CommandMeta;
}

export interface SeenStream {
  readonly folded: Folded<unknown>;
  /** all events by then that the causes of a batch have yielded, in order */
  readonly recorded: readonly RecordedEvent[];
}

export interface DecidedBatch {
  readonly to: Folded<unknown>;
  readonly events: readonly RecordedEvent[];
  /** of each command, true once the events are durable; an Error for a command that alone has failed */
  readonly outcomes: readonly (Outcome<unknown> | Error)[];
}

/** Decides commands one after another, each on the state that those before it have left. */
export function decideBatch(
  { stream, decider, newId }: { stream: StreamName; decider: Decider<unknown, unknown>; newId: () => string },
  batch: readonly WaitingCommand[],
  { folded, recorded }: SeenStream,
): DecidedBatch {
  let { state, version } = folded;
  const events: RecordedEvent[] = [];
  const yielded = byCause(recorded);

  /** One command's part; where it throws, state and events are as they were. */
  function decideOne({ command, meta }: WaitingCommand): Outcome<unknown> {
    const prior = yielded.get(meta.cause) ?? [];
    const decision = decider.decide(command, state, { version, prior });
    if (decision.kind === 'refused') return decision;
    const fresh = decision.events.map((event, index) => {
      const attributes = attributesOf(meta, stream, version + index + 1, newId());
      return writableEvent({ ...attributes, ...event });
    });
    state = fresh.reduce((before, event) => decider.evolve(before, event), state);
    version += fresh.length;
    events.push(...fresh);
    if (fresh.length > 0) yielded.set(meta.cause, [...prior, ...fresh]);
    return { kind: 'done', state, version, events: fresh, prior };
  }

  const outcomes = batch.map((one) => {
    try {
      return decideOne(one);
    } catch (error) {
      // It fails alone: those beside it are other people's.
      return error as Error;
    }
  });
  return { to: { state, version }, events, outcomes };
}

function byCause(events: readonly RecordedEvent[]): Map<string, readonly RecordedEvent[]> {
  const found = new Map<string, readonly RecordedEvent[]>();
  for (const event of events) found.set(event.cause, [...(found.get(event.cause) ?? []), event]);
  return found;
}
