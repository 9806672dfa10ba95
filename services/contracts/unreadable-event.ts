import type { StoredEvent } from './events.ts';

/** An event that cannot be opened, whatever is tried: it stops its stream (PRJ4). Its message holds no personal data. */
export class UnreadableEvent extends Error {
  override readonly name: string = 'UnreadableEvent';
  readonly stream: string;
  readonly version: number;

  constructor(event: StoredEvent, reason: string, options?: ErrorOptions) {
    super(`Event ${event.streamversion} of ${event.subject} (${event.type}) is not readable: ${reason}`, options);
    this.stream = event.subject;
    this.version = event.streamversion;
  }
}

/** The event was written by a newer version of this program. */
export class UnknownSchemaVersion extends UnreadableEvent {
  override readonly name = 'UnknownSchemaVersion';
}
