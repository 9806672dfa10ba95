import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id as Stripe's look: the prefix, e.g. `pi_`, and 24 random letters and digits. */
export function randomObjectId(prefix: string): string {
  return prefix + Array.from(randomBytes(24), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
