import { createHmac } from 'node:crypto';
import { idempotencyKeySchema } from '../contracts/request-fields.ts';
import { invalidRequest } from './problem-details.ts';

/**
 * Returns the id of the resource that a POST creates (CMD3). The id is an HMAC of the user, the route and the key. A
 * retry of the request finds the same resource, and another user's request can't produce the same id.
 */
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

/**
 * Returns the request's Idempotency-Key, or a new id if the header is missing.
 * @throws RequestRefused 422 if the key is malformed
 */
export function idempotencyKeyOf(header: string | undefined, newId: () => string): string {
  if (header === undefined) return newId();
  const key = idempotencyKeySchema.safeParse(header);
  if (!key.success) throw invalidRequest(key.error, 'Idempotency-Key');
  return key.data;
}
