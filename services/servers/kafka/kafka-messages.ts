import { z } from 'zod';
import { type StoredEvent, storedEventSchema } from '../../contracts/events.ts';
import type { NamedCommit } from '../../engine/feed/outbox.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import type { IncomingMessage, OutgoingMessage } from './kafka-cluster.ts';

/**
 * An event as read from the feed. `commit` is the name of its commit in the log, and `commitSize` is the number of
 * events in that commit.
 */
export interface FedEvent {
  readonly event: StoredEvent;
  readonly commit: string;
  readonly commitSize: number;
}

/** Thrown for a message that isn't one of this shop's events. The error text contains nothing from the message. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/**
 * Returns one message per event, in CloudEvents binary mode. Each message's key is its stream's name, which keeps each
 * stream in order.
 */
export function toMessages({ name, events }: NamedCommit): OutgoingMessage[] {
  return events.map((event) => ({
    key: event.subject,
    value: JSON.stringify(event.data),
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: event.source,
      ce_type: event.type,
      ce_subject: event.subject,
      ce_time: event.time,
      ce_streamversion: String(event.streamversion),
      ce_schemaversion: String(event.schemaversion),
      ce_cause: event.cause,
      ce_correlationid: event.correlationid,
      ce_actor: event.actor,
      ce_commit: name,
      ce_commitsize: String(events.length),
    },
  }));
}

const text = z.instanceof(Buffer).transform((bytes) => bytes.toString('utf8'));
const wholeNumber = text.pipe(z.string().regex(/^\d{1,15}$/)).transform(Number);

const headersSchema = z.object({
  ce_specversion: text.pipe(z.literal('1.0')),
  ce_id: text,
  ce_source: text,
  ce_type: text,
  ce_subject: text,
  ce_time: text,
  ce_streamversion: wholeNumber,
  ce_schemaversion: wholeNumber,
  ce_cause: text,
  ce_correlationid: text,
  ce_actor: text,
  ce_commit: text.pipe(z.string().min(1)),
  ce_commitsize: wholeNumber.pipe(z.number().positive()),
});

/** @throws UnreadableMessage */
export function fromMessage(message: IncomingMessage): FedEvent {
  const headers = headersSchema.safeParse(message.headers);
  if (!headers.success) throw new UnreadableMessage(`its headers are not an event's: ${issuesOf(headers.error)}`);
  const { ce_commit: commit, ce_commitsize: commitSize, ce_specversion: _, ...attributes } = headers.data;
  const data = parseJson(message.value?.toString('utf8') ?? '');
  if (data === undefined) throw new UnreadableMessage('its value is not JSON');
  const event = storedEventSchema.safeParse({
    ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.slice('ce_'.length), value])),
    data,
  });
  if (!event.success) throw new UnreadableMessage(`it is not an event: ${issuesOf(event.error)}`);
  return { event: event.data, commit, commitSize };
}

/**
 * Describes the validation errors. The description can be logged, because zod's messages don't contain the rejected
 * values.
 */
function issuesOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
