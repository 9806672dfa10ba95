import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../runtime/sqlite.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { startReadyProcess } from './ready-process.fixture.ts';
import { addProduct, call, caughtUp, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const EMAIL = 'nasima.khatun@shop.test';
const PHONE = '01899887766';
const ORDERS = 60;
const FILES = ['shop.sqlite', 'keys.sqlite'];
const readinessSchema = z.object({ checks: z.object({ projectionWaitingEvents: z.number() }) });

/**
 * Opens a database file and keeps a read transaction open until the connection is closed, as a backup does while
 * copying.
 */
function readOn(file: string) {
  const reader = new Database(file, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM sqlite_schema').get();
  return reader;
}

function filesWith(directory: string, texts: readonly string[]): string[] {
  return readdirSync(directory).filter((name) => {
    const file = join(directory, name);
    if (!statSync(file).isFile()) return false;
    const content = readFileSync(file);
    return texts.some((text) => content.includes(text));
  });
}

it('ERASE1 BACKUP1 an erasure during a backup does not cause orders to fail, and completes once the backup has finished', async () => {
  const data = freshDataDir();
  const shop = await startReadyProcess('light-shop-process', [data.path]);
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const product = await addProduct(admin, { quantity: 1_000 });
  const [buyer, leaver] = [await signIn(shop.url, 'rumi@shop.test'), await signIn(shop.url, EMAIL)];
  await leaver.call('POST', '/orders', { ...orderOf(leaver, product), phone: PHONE });
  const readers = FILES.map((name) => readOn(join(data.path, name)));
  const waiting = async () => {
    const { body } = await call(shop.url, 'GET', '/readyz');
    return readinessSchema.parse(body).checks.projectionWaitingEvents;
  };

  expect((await leaver.call('DELETE', `/users/${EMAIL}`)).status).toBe(200);
  const statuses: number[] = [];
  // Some orders are placed before the erasure first attempts to wipe the files, and others between its attempts.
  while (statuses.length < ORDERS || (await waiting()) === 0) {
    expect(statuses.length, 'the wipe that the readers block was never seen waiting').toBeLessThan(50 * ORDERS);
    statuses.push((await buyer.call('POST', '/orders', orderOf(buyer, product))).status);
  }
  expect(statuses.filter((status) => status !== 201)).toEqual([]);

  for (const reader of readers) reader.close();
  await caughtUp(shop.url);
  expect(filesWith(data.path, [EMAIL, PHONE])).toEqual([]);
  await shop.stop();
  data.remove();
});
