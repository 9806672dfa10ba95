import { ReadableError } from '../../runtime/readable-error.ts';
import { type EventLog, pagesOf } from '../log/event-log.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Projector } from './project.ts';

const PAGE = 512;
const MOST_NAMED = 20;

/**
 * Thrown if some streams couldn't be projected. Their documents are then missing or out of date. Each entry in
 * `streams` is a stream's name followed by the reason for the failure.
 */
export class IncompleteReadModels extends ReadableError {
  override readonly name = 'IncompleteReadModels';

  constructor(streams: readonly string[]) {
    const more = streams.length > MOST_NAMED ? `; and ${streams.length - MOST_NAMED} more` : '';
    super(`These streams cannot be projected: ${streams.slice(0, MOST_NAMED).join('; ')}${more}`);
  }
}

/**
 * Rebuilds every read model from the log (PRJ3), and returns the number of events read. No other projector may run at
 * the same time.
 * @throws IncompleteReadModels
 */
export async function rebuildReadModels(source: {
  readonly log: EventLog;
  readonly readModels: ReadModels;
  readonly projector: Projector;
}): Promise<number> {
  await source.readModels.clear();
  let read = 0;
  for await (const events of pagesOf(source.log, PAGE)) {
    await source.projector.project(events);
    read += events.length;
  }
  const stopped = source.projector.stoppedStreams();
  if (stopped.length > 0) throw new IncompleteReadModels(stopped.map(({ stream, error }) => `${stream} (${error})`));
  return read;
}
