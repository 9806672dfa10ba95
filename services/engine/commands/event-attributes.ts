import type { EventAttributes } from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { CommandMeta } from './command.ts';

/** Who emits this shop's events (CloudEvents `source`). */
export const EVENT_SOURCE = '/micro-center';

/** CloudEvents attributes of one event; `schemaversion` is set to the type's newest when the event is sealed. */
export function attributesOf(
  meta: CommandMeta,
  stream: StreamName,
  streamversion: number,
  id: string,
): Omit<EventAttributes, 'type'> {
  const { cause, actor, correlationId, time } = meta;
  return {
    id,
    source: EVENT_SOURCE,
    subject: stream,
    time,
    streamversion,
    schemaversion: 1,
    cause,
    correlationid: correlationId,
    actor,
  };
}
