import { liveEntry } from '../../live/live-document.ts';

/** A token as services/identity/tracking-token.ts makes it: what is signed begins with 5 bytes before the order's id. */
const MAC_BYTES = 16;
const HEX_BEFORE_ID = 10;

/** What a token names without its signature, in hexadecimal; '' in a text that is no token. */
function namedBy(token: string): string {
  try {
    const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    return [...bytes.slice(0, -MAC_BYTES)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

/** The order of a tracking link. Each link has an entry of its own, by a fragment that no server is sent. */
export function trackedBy(token: string) {
  const named = namedBy(token);
  return liveEntry('tracking', named.slice(HEX_BEFORE_ID), `/tracking#${named}`, { 'x-tracking-token': token });
}
