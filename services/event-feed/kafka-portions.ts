import type { IncomingMessage, MessageBatch, TopicPartition } from './kafka-cluster.ts';
import { type FedEvent, fromMessage, UnreadableMessage } from './kafka-messages.ts';

/** Events after which a portion ends at the next whole commit: what is handled, closed and remembered at once. */
const PORTION_EVENTS = 256;

/** A part of a batch that holds whole commits. */
export interface FeedPortion {
  readonly events: readonly FedEvent[];
  /** offset of its last message */
  readonly lastOffset: number;
}

/**
 * Cuts a batch into portions. A message that is no event is told of and passed over: nothing says which stream or commit
 * it is of, and trying again would not change it. Should it have been an event of this shop, its commit misses it,
 * stays open, and is published anew from the log.
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

/** Names of the commits that came whole and of which every event is done. */
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
