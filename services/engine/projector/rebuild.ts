import type { EventLog } from '../log/event-log.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Projector } from './project.ts';

const PAGE = 512;

/**
 * Rebuilds every read model from the log (PRJ3). Nothing else may project meanwhile. Returns the number of events read.
 * @throws Error naming the streams that cannot be projected
 */
export async function rebuildReadModels(source: {
  readonly log: EventLog;
  readonly readModels: ReadModels;
  readonly projector: Projector;
}): Promise<number> {
  await source.readModels.clear();
  let position: string | null = null;
  let read = 0;
  for (;;) {
    const page = await source.log.readAll(position, PAGE);
    if (page.events.length === 0) break;
    await source.projector.project(page.events);
    position = page.position;
    read += page.events.length;
  }
  const stopped = source.projector.stoppedStreams();
  if (stopped.length > 0) {
    throw new Error(
      `These streams cannot be projected: ${stopped.map((one) => `${one.stream} (${one.error})`).join('; ')}`,
    );
  }
  return read;
}
