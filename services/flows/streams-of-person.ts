import { type DocumentKind, parseStreamName } from '../contracts/ids.ts';
import type { EventLog } from '../engine/log/event-log.ts';

/** The ids of a person's orders or reviews, read from the log, since documents may lag behind it. */
export async function idsOfPerson(
  log: Pick<EventLog, 'streamsOf'>,
  kind: DocumentKind,
  person: string,
): Promise<string[]> {
  const streams = (await log.streamsOf(person)).map(parseStreamName);
  return streams.filter((stream) => stream.kind === kind).map(({ id }) => id);
}
