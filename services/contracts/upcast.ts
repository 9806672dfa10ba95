import { SCHEMA_VERSIONS, type StoredEvent } from './events.ts';

/**
 * Thrown for an event that this program can't read and that no retry would make readable. Projection of the event's
 * stream stops at that event (PRJ4). The error message contains no personal data.
 */
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

export class UnknownSchemaVersion extends UnreadableEvent {
  override readonly name = 'UnknownSchemaVersion';
}

/** Converts an event's decrypted data from one schema version to the next. Upcasters are pure (PRJ2). */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;

export interface Schemas {
  /** each event type's newest schema version; 1 for a type that isn't listed */
  readonly versions: Readonly<Record<string, number>>;
  /** each event type's upcasters; the upcaster at index 0 converts version 1 to version 2, and so on */
  readonly upcasters: Readonly<Record<string, readonly Upcaster[]>>;
}

export const SCHEMAS: Schemas = {
  versions: SCHEMA_VERSIONS,
  upcasters: { StripeRead: [(data) => ({ ...data, until: null, problem: null })] },
};

export function newestVersion(schemas: Schemas, type: string): number {
  return schemas.versions[type] ?? 1;
}

/** Converts an event's decrypted data to the newest schema version of its type. @throws UnreadableEvent */
export function upcast(event: StoredEvent, schemas: Schemas): StoredEvent {
  const newest = newestVersion(schemas, event.type);
  if (event.schemaversion > newest) {
    throw new UnknownSchemaVersion(event, `schema version ${event.schemaversion}, this program knows ${newest}.`);
  }
  let { data } = event;
  for (let version = event.schemaversion; version < newest; version++) {
    const step = schemas.upcasters[event.type]?.[version - 1];
    if (!step) throw new UnreadableEvent(event, `no upcaster from schema version ${version} to ${version + 1}.`);
    data = step(data);
  }
  return { ...event, schemaversion: newest, data };
}
