import {
  type EventAttributes,
  eventAttributesSchema,
  eventDataSchemas,
  type RecordedEvent,
} from '../../contracts/events.ts';
import type { StreamName } from '../../contracts/ids.ts';
import type { CommandMeta } from './command.ts';

export const EVENT_SOURCE = '/micro-center';

/** `schemaversion` is a placeholder. Sealing sets it to the event type's newest schema version. */
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

/**
 * Thrown if a command produced an event that doesn't match the event type's schema. Such an event could never be read
 * back, so none of the command's events are appended (LOG4).
 */
export class UnwritableEvent extends Error {
  override readonly name = 'UnwritableEvent';

  constructor(event: RecordedEvent, options: ErrorOptions) {
    super(`${event.type} for ${event.subject} does not pass its schema.`, options);
  }
}

/** Returns the event as it will be read from the log. @throws UnwritableEvent */
export function writableEvent(event: RecordedEvent): RecordedEvent {
  const attributes = eventAttributesSchema.safeParse(event);
  const data = eventDataSchemas[event.type].safeParse(event.data);
  if (!attributes.success) throw new UnwritableEvent(event, { cause: attributes.error });
  if (!data.success) throw new UnwritableEvent(event, { cause: data.error });
  return { ...event, data: data.data } as RecordedEvent;
}
