import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/*
 * A shop as version 0.1.0 left it: 12 products (one changed, one removed), 30 customers with profiles and reviews, 1,000 orders
 * that nothing expires: 200 paid and shipped, 200 paid, 300 cancelled (100 of them with an intent begun), 300 unpaid. The
 * price of one product was set to less than a poisha, which that version appended and could never read again.
 */
const KEPT = new URL('./version-0.1.0/', import.meta.url);

export const KEPT_ORDERS = { shipped: 200, paid: 200, unpaid: 300, cancelled: 300 };
/** The product that version 0.1.0 could no longer read; its price was 1,000 taka before. */
export const POISONED_PRODUCT = '6d16e37c1403cc74ee32e6719910aff8';
/** The same of the shop that it ran on servers. */
export const KEPT_SERVERS_POISONED_PRODUCT = 'f2f6ba03bb4e9443ca9a94a1745bfecc';
/** Takes part in orders; `buyer0` was made an admin by the shop's own admin, `buyer1` too and no longer. */
export const keptBuyer = (number: number) => `buyer${number}@shop.test`;

/** Puts the data directory that version 0.1.0 left into an empty one. */
export function layKeptDataDir(directory: string): void {
  for (const name of ['shop.sqlite', 'keys.sqlite', 'stripe.sqlite']) {
    writeFileSync(join(directory, name), gunzipSync(readFileSync(new URL(`${name}.gz`, KEPT))), { mode: 0o600 });
  }
  writeFileSync(join(directory, 'secrets.json'), readFileSync(new URL('secrets.json', KEPT)), { mode: 0o600 });
}

/** Writes the log that version 0.1.0 exported to a file. */
export function layKeptArchive(file: string): void {
  writeFileSync(file, gunzipSync(readFileSync(new URL('shop-log.ndjson.gz', KEPT))), { mode: 0o600 });
}

/** The lines of what version 0.1.0 kept in MongoDB: `{ database, collection, document }` in Extended JSON. */
export function keptServersLines(): string[] {
  return gunzipSync(readFileSync(new URL('servers.ndjson.gz', KEPT)))
    .toString()
    .trimEnd()
    .split('\n');
}
