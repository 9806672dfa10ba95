import type { NamedCommit } from '../../engine/feed/outbox.ts';
import type { IncomingMessage, MessageBatch, TopicPartition } from './kafka-cluster.ts';
import { type FedEvent, fromMessage, UnreadableMessage } from './kafka-messages.ts';

/** Once a portion of a batch contains this many events, the next commit starts a new portion. */
const PORTION_EVENTS = 256;

/** A part of a batch. If a batch contains several events of a commit, they are all in the same portion. */
export interface FeedPortion {
  readonly events: readonly FedEvent[];
  readonly lastOffset: number;
}

/**
 * Splits a batch into portions. Unreadable messages are reported and skipped. If a skipped message contained an event,
 * that event's commit stays open and is published again.
 */
export function* portionsOf(
  batch: Pick<MessageBatch, 'topic' | 'partition' | 'messages'>,
  onUnreadable: (error: UnreadableMessage) => void,
): Generator<FeedPortion> {
  let events: FedEvent[] = [];
  let lastOffset: number | null = null;
  for (const message of batch.messages) {
    const fed = readOrTell(batch, message, onUnreadable);
    if (fed && lastOffset !== null && events.length >= PORTION_EVENTS && fed.commit !== events.at(-1)?.commit) {
      yield { events, lastOffset };
      events = [];
    }
    if (fed) events.push(fed);
    lastOffset = message.offset;
  }
  if (lastOffset !== null) yield { events, lastOffset };
}

function readOrTell(
  { topic, partition }: TopicPartition,
  message: IncomingMessage,
  onUnreadable: (error: UnreadableMessage) => void,
): FedEvent | null {
  try {
    return fromMessage(message);
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    const place = `Message ${message.offset} of partition ${partition} of ${topic}`;
    onUnreadable(new UnreadableMessage(`${place} is passed over: ${error.message}.`));
    return null;
  }
}

/**
 * Reported for an event that Kafka delivers but the log doesn't contain. This can happen after the log has been
 * restored from a backup.
 */
export class NotInLog extends Error {
  override readonly name = 'NotInLog';
}

export function namesOf({ events }: FeedPortion): string[] {
  return [...new Set(events.map(({ commit }) => commit))];
}

/**
 * Replaces each event with the log's copy, because the log is the source of truth and a message is only a hint (PRJ1).
 * An event that isn't in the log is reported and left out, and its commit isn't closed.
 */
export function asInLog(
  portion: FeedPortion,
  commits: readonly NamedCommit[],
  onForeign: (error: NotInLog) => void,
): FeedPortion {
  const held = new Map(commits.map(({ name, events }) => [name, new Map(events.map((event) => [event.id, event]))]));
  const events = portion.events.flatMap(({ commit, event: { id, subject, streamversion } }): FedEvent[] => {
    const inLog = held.get(commit);
    const event = inLog?.get(id);
    if (inLog && event) return [{ event, commit, commitSize: inLog.size }];
    onForeign(
      new NotInLog(`Event ${id} of ${subject} at version ${streamversion} is passed over: the log has no such event.`),
    );
    return [];
  });
  return { ...portion, events };
}

/** Returns the names of the commits whose events have all been received and handled. */
export function closableCommits(events: readonly FedEvent[], notDone: ReadonlySet<string>): string[] {
  const done = new Map<string, Set<string>>();
  for (const { commit, event } of events) {
    if (notDone.has(event.id)) continue;
    const ids = done.get(commit) ?? new Set();
    done.set(commit, ids.add(event.id));
  }
  const sizes = new Map(events.map(({ commit, commitSize }) => [commit, commitSize]));
  return [...done].filter(([commit, ids]) => ids.size === sizes.get(commit)).map(([commit]) => commit);
}
