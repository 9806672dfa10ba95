import type { Decider } from '../../contracts/decider.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { Folded } from '../log/fold-stream.ts';
import type { CommandMeta, Outcome } from './command.ts';
import { attributesOf, writableEvent } from './writable-event.ts';

export interface WaitingCommand {
  readonly command: unknown;
  readonly meta: CommandMeta;
}

export interface SeenStream {
  readonly folded: Folded<unknown>;
  /** the stream's earlier events that have the same cause as a command in the batch, in order */
  readonly recorded: readonly RecordedEvent[];
}

export interface DecidedBatch {
  /** the stream's state once `events` are appended */
  readonly folded: Folded<unknown>;
  readonly events: readonly RecordedEvent[];
  /** One outcome or error per command, in order. The outcomes are valid only once `events` are appended. */
  readonly outcomes: readonly (Outcome<unknown> | Error)[];
}

export function decideBatch(
  { stream, decider, newId }: { stream: StreamName; decider: Decider<unknown, unknown>; newId: () => string },
  batch: readonly WaitingCommand[],
  { folded, recorded }: SeenStream,
): DecidedBatch {
  let { state, version } = folded;
  const events: RecordedEvent[] = [];
  const yielded = byCause(recorded);

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
      // Fails only this command, because the other commands in the batch may come from other people.
      return error as Error;
    }
  });
  return { folded: { state, version }, events, outcomes };
}

function byCause(events: readonly RecordedEvent[]): Map<string, readonly RecordedEvent[]> {
  const found = new Map<string, readonly RecordedEvent[]>();
  for (const event of events) found.set(event.cause, [...(found.get(event.cause) ?? []), event]);
  return found;
}
