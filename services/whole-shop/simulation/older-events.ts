import type { StoredEvent } from '../../contracts/events.ts';
import type { EventLog } from '../../engine/log/event-log.ts';

/** Returns a log that stores events as version 0.1.0 of the shop did, as long as `isOlder` returns true. */
export function withOlderEvents(log: EventLog, isOlder: () => boolean): EventLog {
  return {
    ...log,
    append: (commit) => log.append(isOlder() ? { ...commit, events: commit.events.map(asVersion1) } : commit),
  };
}

/** Orders had no number in schema version 1 (upcast.ts). */
function asVersion1(event: StoredEvent): StoredEvent {
  if (event.type !== 'StockReduced' && event.type !== 'OrderPlaced') return event;
  const { number: _, ...draft } = event.data.draft as Record<string, unknown>;
  return { ...event, schemaversion: 1, data: { ...event.data, draft } };
}
