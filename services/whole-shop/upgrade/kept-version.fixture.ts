import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/*
 * The data of a shop that ran version 0.1.0: 12 products (one changed, one removed), 30 customers with profiles and
 * reviews, and 1,000 orders that don't expire. Of these orders, 200 are paid and shipped, 200 are paid, 300 are
 * cancelled (100 of them after a payment was started) and 300 are unpaid. One event set the price of a product below
 * one poisha. Version 0.1.0 could append that event, but could never read it again.
 */
const KEPT = new URL('./version-0.1.0/', import.meta.url);

export const KEPT_ORDERS = { shipped: 200, paid: 200, unpaid: 300, cancelled: 300 };
/**
 * The id of the product whose price was changed from 1,000 taka to less than one poisha. After this change, version
 * 0.1.0 could no longer read the product.
 */
export const POISONED_PRODUCT = '6d16e37c1403cc74ee32e6719910aff8';
/**
 * The equivalent of `POISONED_PRODUCT` in the data that version 0.1.0 stored in MongoDB: the id of a product that
 * version 0.1.0 could no longer read after a price change.
 */
export const KEPT_SERVERS_POISONED_PRODUCT = 'f2f6ba03bb4e9443ca9a94a1745bfecc';
/**
 * Returns the e-mail address of the customer with this number. The shop's own admin made customers 0 and 1 admins, and
 * later revoked customer 1's admin role.
 */
export const keptBuyer = (number: number) => `buyer${number}@shop.test`;

/** Copies the data directory of the shop that ran version 0.1.0 into an empty directory. */
export function layKeptDataDir(directory: string): void {
  for (const name of ['shop.sqlite', 'keys.sqlite', 'stripe.sqlite']) {
    writeFileSync(join(directory, name), gunzipSync(readFileSync(new URL(`${name}.gz`, KEPT))), { mode: 0o600 });
  }
  writeFileSync(join(directory, 'secrets.json'), readFileSync(new URL('secrets.json', KEPT)), { mode: 0o600 });
}

/** Writes to `file` the log archive that version 0.1.0 exported. */
export function layKeptArchive(file: string): void {
  writeFileSync(file, gunzipSync(readFileSync(new URL('shop-log.ndjson.gz', KEPT))), { mode: 0o600 });
}

/** Returns the documents that version 0.1.0 stored in MongoDB, one `{ database, collection, document }` in Extended JSON per line. */
export function keptServersLines(): string[] {
  return gunzipSync(readFileSync(new URL('servers.ndjson.gz', KEPT)))
    .toString()
    .trimEnd()
    .split('\n');
}
