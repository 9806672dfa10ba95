import { timingSafeEqual } from 'node:crypto';
import { invalidRequest } from './errors.ts';

export interface ApiKeys {
  secretKey: string;
  publishableKey: string;
}

/**
 * Returns which of the two API keys the Authorization header contains, either as a Bearer token or as the user name in
 * Basic authentication.
 * @throws 401 if the key is missing or invalid, 403 if it's the publishable key but the call requires the secret one
 */
export function credentialOf(
  header: string | undefined,
  access: 'secret' | 'browser',
  keys: ApiKeys,
): 'secret' | 'publishable' {
  const key = keyIn(header);
  if (key === '') {
    const message =
      'You did not provide an API key. You need to provide your API key in the Authorization header, ' +
      "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
    throw invalidRequest(message, {}, 401);
  }
  if (same(key, keys.secretKey)) return 'secret';
  if (!same(key, keys.publishableKey)) throw invalidRequest(`Invalid API Key provided: ${redacted(key)}`, {}, 401);
  if (access === 'secret') {
    const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.';
    throw invalidRequest(message, { code: 'secret_key_required' }, 403);
  }
  return 'publishable';
}

function keyIn(header = ''): string {
  const [scheme = '', value = ''] = header.split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0] ?? '';
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the key with everything masked except its prefix and last four characters. A short key is masked completely. */
export function redacted(key: string): string {
  const kind = /^(sk|pk|rk)_(test|live)_/.exec(key)?.[0] ?? '';
  return key.length > 12 ? `${kind}****${key.slice(-4)}` : '****';
}
