import { type DocumentKind, parseStreamName } from '../../contracts/ids.ts';
import type { EventLog } from '../../engine/log/event-log.ts';

/**
 * Returns the ids of a person's orders or reviews. Reads them from the log, because documents may lag behind the log.
 */
export async function idsOfPerson(
  log: Pick<EventLog, 'streamsOf'>,
  kind: DocumentKind,
  userId: string,
): Promise<string[]> {
  const streams = (await log.streamsOf(userId)).map(parseStreamName);
  return streams.filter((stream) => stream.kind === kind).map(({ id }) => id);
}
