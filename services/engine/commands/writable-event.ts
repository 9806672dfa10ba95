import { eventAttributesSchema, eventDataSchemas, type RecordedEvent } from '../../contracts/events.ts';

/** A decided event that nobody could read again: nothing of its command is appended (LOG4). */
export class UnwritableEvent extends Error {
  override readonly name = 'UnwritableEvent';

  constructor(event: RecordedEvent, options: ErrorOptions) {
    super(`${event.type} for ${event.subject} does not pass its schema.`, options);
  }
}

/** The event exactly as it will be read from the log. @throws UnwritableEvent */
export function writableEvent(event: RecordedEvent): RecordedEvent {
  const attributes = eventAttributesSchema.safeParse(event);
  const data = eventDataSchemas[event.type].safeParse(event.data);
  if (!attributes.success) throw new UnwritableEvent(event, { cause: attributes.error });
  if (!data.success) throw new UnwritableEvent(event, { cause: data.error });
  return { ...event, data: data.data } as RecordedEvent;
}
