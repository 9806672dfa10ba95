import { createHmac } from 'node:crypto';

/**
 * Returns the user id of an e-mail address. `generation` is 1 for the address's first account, and increases by 1 each
 * time the account is closed and a new one is opened for the same address. The id is an HMAC, so that the log doesn't
 * contain the address (LOG3).
 */
export function userIdOf(email: string, secret: string, generation = 1): string {
  const address = email.trim().toLowerCase();
  // An address can't contain a line break, so each combination of address and generation yields a different string.
  const text = generation === 1 ? address : `${address}\n${generation}`;
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}
