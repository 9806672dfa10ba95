import type { RecordedEvent, StoredEvent } from '../contracts/events.ts';
import type { StreamName } from '../contracts/ids.ts';
import type { EventLog } from './event-log.ts';
import type { Sealing } from './sealing.ts';

const PAGE = 1000;

/** A stream whose versions do not follow each other: nothing is decided on it (LOG2). */
export class HoleInStream extends Error {
  override readonly name = 'HoleInStream';
}

export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/** Reads a stream's events after `from.version` and folds them; @throws HoleInStream, UnreadableEvent. */
export async function foldStream<State>(
  source: { readonly log: EventLog; readonly sealing: Sealing },
  stream: StreamName,
  from: Folded<State>,
  evolve: (state: State, event: RecordedEvent) => State,
): Promise<Folded<State>> {
  let { state, version } = from;
  for (;;) {
    const page: StoredEvent[] = await source.log.readStream(stream, version, PAGE);
    for (const event of await source.sealing.openAll(page)) {
      if (event.streamversion !== version + 1) {
        throw new HoleInStream(`${stream}: version ${event.streamversion} follows ${version}.`);
      }
      state = evolve(state, event);
      version = event.streamversion;
    }
    if (page.length < PAGE) return { state, version };
  }
}
