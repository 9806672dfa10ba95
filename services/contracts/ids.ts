import { z } from 'zod';

/** The kinds of stream that have a document each: the feed carries their events to the projector. */
export const DOCUMENT_KINDS = ['order', 'product', 'user', 'review'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * Every kind of stream. An allowance, what one customer holds unpaid, and the one stream of admins are read by commands
 * alone: nothing follows from their events.
 */
export const STREAM_KINDS = [...DOCUMENT_KINDS, 'allowance', 'admins'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** An id as made by this shop: 24 to 64 lower-case hexadecimal digits. */
export const idSchema = z.string().regex(/^[0-9a-f]{24,64}$/);

/** A stream's name: its kind, a hyphen, the entity's id. */
export type StreamName = `${StreamKind}-${string}`;

const STREAM_NAME = new RegExp(`^(${STREAM_KINDS.join('|')})-[0-9a-f]{24,64}$`);

export const streamNameSchema = z.custom<StreamName>((value) => typeof value === 'string' && STREAM_NAME.test(value), {
  message: 'A stream is named kind-id.',
});

export function streamName(kind: StreamKind, id: string): StreamName {
  return `${kind}-${id}`;
}

/** Enough digits for every version, so that the names of a stream's commits sort as their versions do. */
const VERSION_DIGITS = 12;

/** The name of the commit that begins at this version of a stream; it is in the log once (LOG2). */
export function commitName(stream: StreamName, firstVersion: number): string {
  return `${stream}:${String(firstVersion).padStart(VERSION_DIGITS, '0')}`;
}

/** The stream of a commit by the commit's name; null where that is no name of a commit. */
export function streamOfCommit(name: string): StreamName | null {
  const stream = streamNameSchema.safeParse(name.slice(0, -(VERSION_DIGITS + 1)));
  return stream.success && /^:\d+$/.test(name.slice(-(VERSION_DIGITS + 1))) ? stream.data : null;
}

/** Splits a stream's name into its kind and the entity's id. */
export function parseStreamName(stream: StreamName): { kind: StreamKind; id: string } {
  const hyphen = stream.indexOf('-');
  return { kind: stream.slice(0, hyphen) as StreamKind, id: stream.slice(hyphen + 1) };
}

/** The kind and id of a stream's document; null where the stream has none, and no part in the feed. */
export function documentOf(stream: StreamName): { kind: DocumentKind; id: string } | null {
  const { kind, id } = parseStreamName(stream);
  return kind === 'allowance' || kind === 'admins' ? null : { kind, id };
}
