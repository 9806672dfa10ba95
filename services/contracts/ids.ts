import { z } from 'zod';

/** The kinds of stream that have a document and appear on the feed. */
export const DOCUMENT_KINDS = ['order', 'product', 'user', 'review', 'mail', 'balance'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * Every kind of stream. Allowances, admins, order numbers and readers have no document. There is only one stream of
 * admins, one of order numbers, and one for what was read from Stripe.
 */
export const STREAM_KINDS = [...DOCUMENT_KINDS, 'allowance', 'admins', 'numbers', 'reader'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

export const idSchema = z.string().regex(/^[0-9a-f]{24,64}$/);

export type StreamName = `${StreamKind}-${string}`;

const STREAM_NAME = new RegExp(`^(${STREAM_KINDS.join('|')})-[0-9a-f]{24,64}$`);

export const streamNameSchema = z.custom<StreamName>((value) => typeof value === 'string' && STREAM_NAME.test(value), {
  message: 'A stream is named kind-id.',
});

export function streamName(kind: StreamKind, id: string): StreamName {
  return `${kind}-${id}`;
}

/** Returns the name of a person's own stream. The person's encryption key is created for its first event (LOG5). */
export function personStream(person: string): StreamName {
  return streamName('user', person);
}

/** Versions are zero-padded to this width, so that the names of a stream's commits sort by version. */
const VERSION_DIGITS = 12;

/** Returns the name of the commit whose first event has this version. The name is unique in the log (LOG2). */
export function commitName(stream: StreamName, firstVersion: number): string {
  return `${stream}:${String(firstVersion).padStart(VERSION_DIGITS, '0')}`;
}

/** Returns the name of the stream that a commit belongs to, or null if the commit's name is malformed. */
export function streamOfCommit(name: string): StreamName | null {
  const stream = streamNameSchema.safeParse(name.slice(0, -(VERSION_DIGITS + 1)));
  return stream.success && /^:\d+$/.test(name.slice(-(VERSION_DIGITS + 1))) ? stream.data : null;
}

export function parseStreamName(stream: StreamName): { kind: StreamKind; id: string } {
  const hyphen = stream.indexOf('-');
  return { kind: stream.slice(0, hyphen) as StreamKind, id: stream.slice(hyphen + 1) };
}

/** Returns the kind and id of a stream's document, or null if the stream has no document and so isn't on the feed. */
export function documentOf(stream: StreamName): { kind: DocumentKind; id: string } | null {
  const { kind, id } = parseStreamName(stream);
  return isDocumentKind(kind) ? { kind, id } : null;
}

function isDocumentKind(kind: StreamKind): kind is DocumentKind {
  return (DOCUMENT_KINDS as readonly StreamKind[]).includes(kind);
}
