import { randomBytes } from 'node:crypto';
import type { StoredEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import type { Commit } from './event-log.ts';

export function freshId(): string {
  return randomBytes(12).toString('hex');
}

export function freshStream(): StreamName {
  return streamName('order', freshId());
}

/** Returns an event of `stream` that has the given version and contains no personal data. */
export function sampleEvent(stream: StreamName, version: number, changes: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: freshId(),
    source: '/micro-center',
    type: 'PaymentStarted',
    subject: stream,
    time: new Date(Date.UTC(2026, 0, 1) + version).toISOString(),
    streamversion: version,
    schemaversion: 1,
    cause: `intent:${version}`,
    correlationid: freshId(),
    actor: 'system:sample',
    data: { intent: `pi_${version}`, attempt: version, amount: 100 * version },
    ...changes,
  };
}

/** Returns a commit of `count` events that follow `expectedVersion`. */
export function sampleCommit(
  stream: StreamName,
  expectedVersion: number,
  count = 1,
  changes: Partial<StoredEvent> = {},
): Commit {
  const events = Array.from({ length: count }, (_, index) => sampleEvent(stream, expectedVersion + index + 1, changes));
  return { id: freshId(), stream, expectedVersion, events };
}
