import { createHmac } from 'node:crypto';
import { idempotencyKeySchema } from '../contracts/http.ts';
import { invalidRequest } from './problem-details.ts';

/**
 * The id of what a POST creates (CMD3): 32 hexadecimal digits of an HMAC of caller, route and key, so that the same
 * request finds what it made before, and nobody can aim at another's id.
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

/** The request's Idempotency-Key, or `fresh()` where none came. @throws RequestRefused 422 where it is not one */
export function idempotencyKeyOf(header: string | undefined, fresh: () => string): string {
  if (header === undefined) return fresh();
  const key = idempotencyKeySchema.safeParse(header);
  if (!key.success) throw invalidRequest(key.error, 'Idempotency-Key');
  return key.data;
}
