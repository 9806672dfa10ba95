import { liveEntry } from '../../live/live-document.ts';

/**
 * The layout of a token from services/identity/tracking-token.ts: 5 bytes for the version and the generation, then the
 * order's id, then a MAC of everything before it.
 */
const MAC_BYTES = 16;
const HEX_BEFORE_ID = 10;

/** Returns a token's bytes without its MAC, in hexadecimal, or '' if the text can't be a token. */
function namedBy(token: string): string {
  try {
    const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    return [...bytes.slice(0, -MAC_BYTES)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

/**
 * Returns the live entry for the order that a tracking link shows. A fragment makes the path unique, so that each link
 * has its own entry. The fragment isn't sent to the server.
 */
export function trackedBy(token: string) {
  const named = namedBy(token);
  return liveEntry('tracking', named.slice(HEX_BEFORE_ID), `/tracking#${named}`, { 'x-tracking-token': token });
}
