import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTrackingToken, trackingKey, trackingToken } from './tracking-token.ts';

const secret = 'i'.repeat(64);
const key = trackingKey(secret);
const link = { orderId: '0123456789abcdef0123456789abcdef', generation: 7 };
const token = trackingToken(link, key);

describe('tracking token', () => {
  it('TRACK1 a token consists of the version, the generation, the order id and a truncated HMAC of all three, encoded in base64url', () => {
    const derived = Buffer.from(hkdfSync('sha256', secret, '', 'micro-center tracking token', 32));
    const signed = Buffer.from(`0100000007${link.orderId}`, 'hex');
    const mac = createHmac('sha256', derived).update(signed).digest().subarray(0, 16);
    expect(token).toBe(Buffer.concat([signed, mac]).toString('base64url'));
    expect(token).toMatch(/^[\w-]{50}$/);
  });

  it('TRACK1 a token decodes to its order id and generation, and the same order id and generation always give the same token', () => {
    const hex = fc.uint8Array({ minLength: 12, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(hex, fc.integer({ min: 1, max: 2 ** 32 - 1 }), (orderId, generation) => {
        const made = trackingToken({ orderId, generation }, key);
        expect(trackingToken({ orderId, generation }, trackingKey(secret))).toBe(made);
        expect(readTrackingToken(made, key)).toEqual({ orderId, generation });
      }),
    );
  });

  it('TRACK1 a token with any single bit flipped is refused', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
      expect(readTrackingToken(changed.toString('base64url'), key), `bit ${bit}`).toBeNull();
    }
  });

  it('TRACK1 a token is refused if it is truncated, extended, encoded differently or signed with another key', () => {
    for (let length = 0; length < token.length; length += 1) {
      expect(readTrackingToken(token.slice(0, length), key), `${length} characters`).toBeNull();
    }
    // Only 2 bits of the last character are part of the token. Other characters with the same 2 bits would decode to
    // the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const ends = [...alphabet].map((last) => `${token.slice(0, -1)}${last}`);
    expect(ends.filter((end) => readTrackingToken(end, key))).toEqual([token]);
    for (const other of [
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${token.slice(0, 9)}.${token.slice(9)}`,
    ]) {
      expect(readTrackingToken(other, key), other).toBeNull();
    }
    expect(readTrackingToken(token, trackingKey('j'.repeat(64)))).toBeNull();
    expect(readTrackingToken(trackingToken(link, Buffer.from(secret)), key)).toBeNull();
  });

  it('HTTP1 TRACK1 readTrackingToken() refuses arbitrary text without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readTrackingToken(text, key) === null));
    expect(readTrackingToken('A'.repeat(100_000), key)).toBeNull();
  });
});
