import { timingSafeEqual } from 'node:crypto';
import { missingKey, secretKeyRequired, wrongKey } from './errors.ts';

export interface ApiKeys {
  secretKey: string;
  publishableKey: string;
}

/**
 * `Bearer <key>`, or Basic with the key as user name. Throws 401 without a valid key, 403 where a publishable key is not
 * enough.
 */
export function credentialOf(
  header: string | undefined,
  access: 'secret' | 'browser',
  keys: ApiKeys,
): 'secret' | 'publishable' {
  const key = keyIn(header);
  if (key === '') throw missingKey();
  if (same(key, keys.secretKey)) return 'secret';
  if (!same(key, keys.publishableKey)) throw wrongKey(key);
  if (access === 'secret') throw secretKeyRequired();
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
