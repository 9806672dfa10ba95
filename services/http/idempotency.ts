import { createHmac } from 'node:crypto';
import { idempotencyKeySchema } from '../contracts/http.ts';
import { invalidRequest } from './problem-details.ts';

/** The id of what a POST creates (CMD3): an HMAC, so that a repeat finds it and nobody else can aim at it. */
export function idOfCreation(
  secret: string,
  creation: { readonly userId: string; readonly route: string; readonly key: string },
): string {
  const { userId, route, key } = creation;
  return createHmac('sha256', secret)
    .update(JSON.stringify([userId, route, key]))
    .digest('hex')
    .slice(0, 32);
}

/** The request's Idempotency-Key, or a new id without one. @throws RequestRefused 422 where it is malformed */
export function idempotencyKeyOf(header: string | undefined, newId: () => string): string {
  if (header === undefined) return newId();
  const key = idempotencyKeySchema.safeParse(header);
  if (!key.success) throw invalidRequest(key.error, 'Idempotency-Key');
  return key.data;
}
