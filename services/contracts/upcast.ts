import { SCHEMA_VERSIONS, type StoredEvent } from './events.ts';
import { UnknownSchemaVersion, UnreadableEvent } from './unreadable-event.ts';

/** Turns the plain data of one schema version into that of the next. Pure: the same data gives the same data (PRJ2). */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** How events of old schema versions are read. */
export interface Schemas {
  /** the newest schema version by event type; 1 where a type is not listed */
  readonly versions: Readonly<Record<string, number>>;
  /** by event type: at index 0 from version 1 to 2, at index 1 from 2 to 3, and so on */
  readonly upcasters: Readonly<Record<string, readonly Upcaster[]>>;
}

export const SCHEMAS: Schemas = { versions: SCHEMA_VERSIONS, upcasters: {} };

export function newestVersion(schemas: Schemas, type: string): number {
  return schemas.versions[type] ?? 1;
}

/**
 * The event with its data, already plain, brought to the newest schema version of its type.
 * @throws UnknownSchemaVersion for data newer than this program
 */
export function upcast(event: StoredEvent, schemas: Schemas): StoredEvent {
  const newest = newestVersion(schemas, event.type);
  if (event.schemaversion > newest) {
    throw new UnknownSchemaVersion(event, `schema version ${event.schemaversion}, this program knows ${newest}.`);
  }
  let { data } = event;
  for (let version = event.schemaversion; version < newest; version++) {
    const step = schemas.upcasters[event.type]?.[version - 1];
    if (!step) throw new UnreadableEvent(event, `nothing leads from schema version ${version} to ${version + 1}.`);
    data = step(data);
  }
  return { ...event, schemaversion: newest, data };
}
