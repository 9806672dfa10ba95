import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { streamName } from '../contracts/ids.ts';
import { orderPlacedSchema } from '../contracts/order/order-answers.ts';
import { restoreBackup } from '../embedded/backup/restore-backup.ts';
import { takeBackup } from '../embedded/backup/take-backup.ts';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { createSqliteKeyVault } from '../embedded/sqlite/sqlite-key-vault.ts';
import { userIdOf } from '../identity/user-id.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { checkInvariants } from './check-invariants.fixture.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { addProduct, call, orderList, orderOf, type Person, productOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const SHOPPER = 'nasrin.sultana@shop.test';
const PHONE = '01711223344';
const STOCK = 1_000_000;
const OFFERED_PER_SECOND = 200;
const MOST_ORDERS = 2_000;

const run = promisify(execFile);
const RUN = fileURLToPath(new URL('../main/run.mjs', import.meta.url));

/** Runs a command as `npm run` does, and returns its standard output. Rejects if the command fails. */
async function command(name: 'backup' | 'restore', dataDir: string, directory: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const { stdout } = await run(process.execPath, ['--enable-source-maps', RUN, name, directory], { env });
  return stdout;
}

/** Restores a backup in this process, which is ten times as fast as running the command. */
const restore = (dataDir: string, directory: string) =>
  restoreBackup({ directory, dataDir, clock: systemClock, logger: createLogger('error') });

/** Places an order and returns its id, or null if the shop didn't acknowledge it, for example on an overloaded machine. */
async function place(person: Person, productId: string): Promise<string | null> {
  const order = { ...orderOf(person, productId), phone: PHONE };
  const answer = await person.call('POST', '/orders', order).catch(() => null);
  return answer?.status === 201 ? createdSchema.parse(answer.body).insertedId : null;
}

/** Places an order and cancels it immediately. */
async function placeAndCancel(person: Person, productId: string): Promise<null> {
  const id = await place(person, productId);
  if (id) await person.call('DELETE', `/orders/${id}`).catch(() => null);
  return null;
}

/**
 * Places orders at a steady rate until `end` settles or MOST_ORDERS have been sent, and cancels one in five. Returns
 * the number of orders sent, and the ids of those that were acknowledged and not cancelled.
 */
async function placeUntil(end: Promise<unknown>, person: Person, productId: string) {
  const sent: Promise<string | null>[] = [];
  let ended = false;
  void end.finally(() => {
    ended = true;
  });
  const began = performance.now();
  while (!ended && sent.length < MOST_ORDERS) {
    const due = ((performance.now() - began) / 1000) * OFFERED_PER_SECOND;
    while (sent.length < due) sent.push((sent.length % 5 === 0 ? placeAndCancel : place)(person, productId));
    await new Promise((resolve) => setTimeout(resolve, 1000 / OFFERED_PER_SECOND));
  }
  const acknowledged = (await Promise.all(sent)).filter((id) => id !== null);
  return { offered: sent.length, acknowledged };
}

async function erasureCompleted(shop: LightShop, person: string): Promise<boolean> {
  const events = await shop.core.log.readStream(streamName('user', person), 0, 100);
  return events.some(({ type }) => type === 'ErasureCompleted');
}

function filesWith(directory: string, text: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => {
    const file = join(directory, name);
    return statSync(file).isFile() && readFileSync(file).includes(text);
  });
}

describe('backup and restore', () => {
  const data = freshDataDir();
  const backups = freshDataDir();
  let shop: LightShop;
  let shopper: Person;
  let productId: string;
  const others: ReturnType<typeof freshDataDir>[] = [];

  beforeAll(async () => {
    shop = await startLightShop(data.path);
    productId = await addProduct(await signIn(shop.url, LIGHT_ADMIN), { quantity: STOCK });
    shopper = await signIn(shop.url, SHOPPER);
  });
  afterEach(() => {
    for (const other of others.splice(0)) other.remove();
  });
  afterAll(async () => {
    await shop.stop();
    data.remove();
    backups.remove();
  });

  function elsewhere(): string {
    const other = freshDataDir();
    others.push(other);
    return other.path;
  }

  async function backUp(name: string): Promise<string> {
    const directory = join(backups.path, name);
    await takeBackup({ dataDir: data.path, directory, clock: systemClock });
    return directory;
  }

  it('BACKUP1 a backup taken at 200 orders/s contains every order acknowledged before it started, and passes all invariant checks once restored', {
    timeout: 300_000,
  }, async () => {
    const directory = join(backups.path, 'under-load');
    const warm = await placeUntil(new Promise((resolve) => setTimeout(resolve, 1_000)), shopper, productId);
    const begun = systemClock();
    const backup = command('backup', data.path, directory);
    const during = await placeUntil(backup, shopper, productId);
    const tookMs = systemClock() - begun;
    await backup;
    console.info(
      `the backup took ${tookMs} ms: ${during.offered} orders offered, ${during.acknowledged.length} acknowledged`,
    );

    const target = elsewhere();
    expect(await command('restore', target, directory)).toMatch(/events/);
    const restored = await startLightShop(target);
    try {
      const owner = await signIn(restored.url, SHOPPER);
      const kept = new Set<string>();
      for (let path: string | null = '/individual?email=nasrin.sultana@shop.test'; path; ) {
        const page = await owner.call('GET', path);
        for (const order of orderList(page)) kept.add(order._id);
        path = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
      }
      expect(warm.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      // If an order was being cancelled during the backup, its stock is returned once the restored shop runs.
      const stock = async () => productOf(await call(restored.url, 'GET', `/products/${productId}`)).quantity;
      await expect.poll(stock, { timeout: 20_000 }).toBe(STOCK - kept.size);
      const { faults, types } = await checkInvariants(restored.core, [userIdOf(LIGHT_ADMIN, restored.secrets.userId)]);
      expect(faults).toEqual([]);
      expect(types.StockReturned).toBeGreaterThan(0);
      console.info(`the restored shop is sound: ${JSON.stringify(types)}`);
      expect(await restored.core.rebuild()).toBeGreaterThanOrEqual(2 * kept.size);
    } finally {
      await restored.stop();
    }
  });

  it('BACKUP1 LOG3 a backup contains no e-mail address, postal address or phone number in plain text, and only its owner can read it', async () => {
    await place(shopper, productId);
    const directory = await backUp('sealed');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toEqual(expect.arrayContaining(['shop.sqlite', 'keys.sqlite', 'secrets.json', 'stripe.sqlite']));
    for (const name of files) {
      const file = join(directory, name);
      expect(statSync(file).mode & 0o777, name).toBe(0o600);
      for (const secret of [SHOPPER, PHONE, 'Dhanmondi']) expect(readFileSync(file).includes(secret), name).toBe(false);
    }
  });

  it('BACKUP1 ERASE1 ORD8 after a restore, no order number is reused and people erased since the backup stay erased, even if only the replaced key database records the erasure', async () => {
    const email = 'parveen@shop.test';
    const parveen = await signIn(shop.url, email);
    await place(parveen, productId);
    const directory = await backUp('before-erasure');
    expect((await parveen.call('DELETE', `/users/${email}`)).status).toBe(200);
    const person = userIdOf(email, shop.secrets.userId);
    const lost = await numberOfNext(await signIn(shop.url, SHOPPER));
    await expect.poll(() => erasureCompleted(shop, person), { timeout: 20_000 }).toBe(true);
    for (const lostList of [false, true]) {
      const target = elsewhere();
      if (lostList) {
        // Simulates a backup that has lost its list of erased people. The keys in the target directory still record the
        // erasure.
        for (const name of readdirSync(data.path).filter((one) => one.startsWith('keys.sqlite'))) {
          writeFileSync(join(target, name), readFileSync(join(data.path, name)));
        }
        rmSync(join(directory, 'erased.json'));
      }
      expect(await restore(target, directory)).toMatchObject({ erased: 1 });
      const restored = await startLightShop(target);
      try {
        await expect.poll(() => erasureCompleted(restored, person), { timeout: 20_000 }).toBe(true);
        await expect.poll(() => filesWith(target, email), { timeout: 20_000 }).toEqual([]);
        const back = await signIn(restored.url, email);
        expect(orderList(await back.call('GET', `/individual?email=${email}`))).toEqual([]);
        // A restore skips 1,000 order numbers, because some of them may have been used since the backup.
        expect(await numberOfNext(back)).toBeGreaterThan(lost + 1000);
      } finally {
        await restored.stop();
      }
    }
  });

  /** Places an order and returns its order number without the prefix `MC-`. */
  async function numberOfNext(person: Person): Promise<number> {
    const { body } = await person.call('POST', '/orders', orderOf(person, productId));
    return Number(orderPlacedSchema.parse(body).number.replace('MC-', ''));
  }

  it('BACKUP1 a restore moves existing files aside instead of overwriting them, and refuses a damaged backup or a data directory that is in use', async () => {
    const directory = await backUp('sound');
    await expect(backUp('sound')).rejects.toThrow(/is not empty/);
    await expect(restore(data.path, directory)).rejects.toThrow(/in use by another running shop/);
    await expect(restore(elsewhere(), elsewhere())).rejects.toThrow(/holds no whole backup/);
    const empty = { dataDir: elsewhere(), directory: join(backups.path, 'none'), clock: systemClock };
    await expect(takeBackup(empty)).rejects.toThrow(/shop.sqlite is missing/);

    const target = elsewhere();
    expect(await restore(target, directory)).toMatchObject({ replaced: null });
    const { replaced } = await restore(target, directory);
    expect(readdirSync(replaced ?? '').sort()).toEqual(['keys.sqlite', 'secrets.json', 'shop.sqlite', 'stripe.sqlite']);
    expect(existsSync(join(target, 'restoring'))).toBe(false);

    appendFileSync(join(directory, 'keys.sqlite'), 'x');
    const refused = await command('restore', target, directory).catch(({ stderr }: { stderr: string }) => stderr);
    expect(refused).toMatch(/^\S+keys.sqlite is not as the backup left it: it is damaged\.\n$/);
    rmSync(join(directory, 'keys.sqlite'));
    await expect(restore(target, directory)).rejects.toThrow(/keys.sqlite is missing/);
  });

  it('ERASE1 BACKUP1 the files that a restore moves aside contain no personal data in plain text, and no keys of people erased before or after the restore', async () => {
    const [earlier, later] = [await signIn(shop.url, 'anika@shop.test'), await signIn(shop.url, 'bashir@shop.test')];
    for (const person of [earlier, later]) await place(person, productId);
    const directory = await backUp('to-be-replaced');
    const target = elsewhere();
    await restore(target, directory);
    expect(filesWith(target, PHONE)).not.toEqual([]);
    expect((await earlier.call('DELETE', '/users/anika@shop.test')).status).toBe(200);
    const personOf = (email: string) => userIdOf(email, shop.secrets.userId);
    await expect.poll(() => erasureCompleted(shop, personOf('anika@shop.test')), { timeout: 20_000 }).toBe(true);

    const replaced = (await restore(target, directory)).replaced ?? '';
    for (const text of [PHONE, SHOPPER, 'Dhanmondi']) expect(filesWith(replaced, text)).toEqual([]);
    expect(readdirSync(replaced).sort()).toEqual(['keys.sqlite', 'secrets.json', 'shop.sqlite', 'stripe.sqlite']);
    const keyOf = async (email: string) => {
      const vault = createSqliteKeyVault({ file: join(replaced, 'keys.sqlite') });
      return vault.find(personOf(email)).finally(() => vault.close());
    };
    const restored = await startLightShop(target);
    try {
      expect(await keyOf('anika@shop.test')).toBe(null);
      const key = await keyOf('bashir@shop.test');
      expect(key).toEqual(expect.any(Buffer));
      const back = await signIn(restored.url, 'bashir@shop.test');
      expect((await back.call('DELETE', '/users/bashir@shop.test')).status).toBe(200);
      await expect.poll(() => keyOf('bashir@shop.test'), { timeout: 20_000 }).toBe(null);
      expect(readFileSync(join(replaced, 'keys.sqlite')).includes(key as Buffer)).toBe(false);
    } finally {
      await restored.stop();
    }
  });

  it('BACKUP1 ERASE1 after a restore that fails halfway, the log and the keys still match, and erased people stay erased', async () => {
    const email = 'champa@shop.test';
    const champa = await signIn(shop.url, email);
    await place(champa, productId);
    const directory = await backUp('halfway');
    const target = elsewhere();
    await restore(target, directory);
    const person = userIdOf(email, shop.secrets.userId);
    expect((await champa.call('DELETE', `/users/${email}`)).status).toBe(200);
    await expect.poll(() => erasureCompleted(shop, person), { timeout: 20_000 }).toBe(true);
    // The target directory has no record of the erasure yet. A directory in place of `identity.json`, the last file to
    // be replaced, makes the restore fail.
    mkdirSync(join(target, 'identity.json'));
    await expect(restore(target, directory)).rejects.toThrow();

    const core = openEmbeddedCore({ dataDir: target, clock: systemClock, logger: createLogger('error') });
    try {
      expect(await core.vault.find(person)).toBe(null);
      expect(await core.vault.find(userIdOf(SHOPPER, shop.secrets.userId))).toEqual(expect.any(Buffer));
      expect((await core.readModels.get('user', person))?.email).not.toBe(email);
      expect((await core.log.readStream(streamName('user', person), 0, 100)).map(({ type }) => type)).toContain(
        'AccountClosed',
      );
    } finally {
      await core.close();
    }
  });
});
