import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The contents of a tracking token. `generation` distinguishes an order's successive links (TRACK2). */
export interface TrackingLink {
  readonly orderId: string;
  readonly generation: number;
}

const VERSION = 1;
const GENERATION_AT = 1;
const ID_AT = 5;
const MAC_BYTES = 16;

/** Returns the key that signs tracking tokens, derived from a secret that all of the shop's processes share. */
export function trackingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'micro-center tracking token', 32));
}

/**
 * Returns a tracking link's token: the base64url encoding of a version byte, the generation (4 bytes), the order's id,
 * and the first 16 bytes of an HMAC-SHA256 of the preceding bytes. The same link always gets the same token, so tokens
 * don't have to be stored.
 */
export function trackingToken({ orderId, generation }: TrackingLink, key: Buffer): string {
  const head = Buffer.alloc(ID_AT);
  head.writeUInt8(VERSION);
  head.writeUInt32BE(generation, GENERATION_AT);
  const signed = Buffer.concat([head, Buffer.from(orderId, 'hex')]);
  return Buffer.concat([signed, macOf(signed, key)]).toString('base64url');
}

/** Returns the contents of a token, or null if it wasn't signed with this key. */
export function readTrackingToken(token: string, key: Buffer): TrackingLink | null {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding skips characters that aren't base64url, so without this check many strings would be accepted as the same
  // token.
  if (bytes.length <= ID_AT + MAC_BYTES || bytes.toString('base64url') !== token) return null;
  const signed = bytes.subarray(0, -MAC_BYTES);
  const genuine = timingSafeEqual(macOf(signed, key), bytes.subarray(-MAC_BYTES));
  if (!genuine || signed.readUInt8() !== VERSION) return null;
  return { orderId: signed.toString('hex', ID_AT), generation: signed.readUInt32BE(GENERATION_AT) };
}

function macOf(signed: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, MAC_BYTES);
}
