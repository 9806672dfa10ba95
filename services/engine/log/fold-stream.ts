import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { EventLog } from './event-log.ts';
import type { Sealing } from './sealing.ts';

const PAGE = 1000;
/** The number of events folded per turn of the event loop, so that a long stream delays other work by a few ms at most. */
const SLICE = 100;

/** Thrown if there is a gap in a stream's versions. No command on that stream can then be decided (LOG2). */
export class HoleInStream extends Error {
  override readonly name = 'HoleInStream';
}

export interface Folded<State> {
  readonly state: State;
  readonly version: number;
}

/**
 * Folds the stream's events after `from.version` onto `from.state`. If `opening` is 'bare', personal data isn't opened
 * (see Sealing.openBare). @throws HoleInStream, UnreadableEvent
 */
export async function foldStream<State>(
  source: { readonly log: Pick<EventLog, 'readStream'>; readonly sealing: Pick<Sealing, 'openAll' | 'openBare'> },
  stream: StreamName,
  from: Folded<State>,
  evolve: (state: State, event: RecordedEvent, stored: StoredEvent) => State,
  opening: 'whole' | 'bare' = 'whole',
): Promise<Folded<State>> {
  const { log, sealing } = source;
  let { state, version } = from;
  for (;;) {
    const page: StoredEvent[] = await log.readStream(stream, version, PAGE);
    for (let begin = 0; begin < page.length; begin += SLICE) {
      if (begin > 0) await new Promise(setImmediate);
      const slice = page.slice(begin, begin + SLICE);
      const opened = opening === 'bare' ? slice.map(sealing.openBare) : await sealing.openAll(slice);
      for (const [index, event] of opened.entries()) {
        if (event.streamversion !== version + 1) {
          throw new HoleInStream(`${stream}: version ${event.streamversion} follows ${version}.`);
        }
        state = evolve(state, event, slice[index] as StoredEvent);
        version = event.streamversion;
      }
    }
    if (page.length < PAGE) return { state, version };
    await new Promise(setImmediate);
  }
}
