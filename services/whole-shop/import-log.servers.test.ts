import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { DOCUMENT_KINDS, documentOf } from '../contracts/ids.ts';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { readWhole } from '../engine/log/event-log.contract.ts';
import type { EventLog } from '../engine/log/event-log.ts';
import { freshStream, sampleCommit } from '../engine/log/sample-events.fixture.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { readArchiveFile } from '../process/archive-file.ts';
import { systemClock } from '../runtime/clock.ts';
import { readConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { importIntoServers } from '../servers/import-into-servers.ts';
import { createMongoOutbox } from '../servers/mongo/mongo-outbox.ts';
import { openServersCore } from '../servers/servers-core.ts';
import { userList } from '../shop/people/user-documents.ts';
import { LIGHT_ADMIN, startLightShop } from './light-shop.fixture.ts';
import { runToItsEnd } from './ready-process.fixture.ts';
import { addProduct, orderList, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { startShopOnServers } from './shop-on-servers.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const ERASED = 'erased@shop.test';

const data = freshDataDir();
const archive = join(data.path, 'shop-log.ndjson');
let ordersOfRahim: string[];
/** product id -> name */
const names = new Map<string, string>();

/** Fills an embedded shop with data: places orders, cancels five, pays for one and ships it, posts a review, and erases a person. */
async function trade(): Promise<void> {
  const shop = await startLightShop(data.path);
  const place = async (buyer: Person, productId: string) => {
    const placed = await buyer.call('POST', '/orders', { ...orderOf(buyer, productId), product: names.get(productId) });
    return createdSchema.parse(placed.body).insertedId;
  };
  try {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const [rahim, gone] = [await signIn(shop.url, 'rahim@shop.test'), await signIn(shop.url, ERASED)];
    const products = [await addProduct(admin, { price: 999.99 }), await addProduct(admin, { name: 'Türm ৳ Two' })];
    products.forEach((id, n) => {
      names.set(id, ['Tower One', 'Türm ৳ Two'][n] ?? '');
    });
    ordersOfRahim = [];
    for (let n = 0; n < 30; n += 1) ordersOfRahim.push(await place(rahim, products[n % 2] ?? ''));
    for (const id of ordersOfRahim.splice(0, 5)) await rahim.call('DELETE', `/orders/${id}`);
    const paid = ordersOfRahim[1] ?? '';
    const intent = await rahim.call('POST', '/create-payment-intent', { orderId: paid, totalPrice: 999 });
    const id = (intent.body as { clientSecret?: string }).clientSecret?.split('_secret_')[0] ?? '';
    await shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    await rahim.call('PATCH', `/orders/${paid}`, { order: paid, transactionId: id });
    expect((await admin.call('PUT', `/orders/${paid}`)).body).toMatchObject({ modifiedCount: 1 });
    await rahim.call('POST', '/reviews', { name: 'Rahim', ratings: 4.5, description: 'Quiet “fans”.', username: 'R' });
    await place(gone, products[0] ?? '');
    const items = await shop.core.readModels.find(userList({ sort: 'oldest' }));
    await shop.core.sealing.erase(items.find(({ email }) => email === ERASED)?.id ?? '');
  } finally {
    await shop.stop();
  }
  // `erase` only deletes the person's key. Documents built earlier still contain the person's data until they are
  // rebuilt.
  const core = openEmbedded();
  await core.rebuild();
  await core.close();
}

const openEmbedded = () => openEmbeddedCore({ dataDir: data.path, clock: systemClock, logger: createLogger('silent') });

/** Returns all of a shop's documents as JSON, keyed by kind and id. */
async function documentsOf(source: { log: EventLog; readModels: ReadModels }): Promise<Map<string, string>> {
  const streams = [...new Set((await readWhole(source.log)).map(({ subject }) => subject))];
  const texts = new Map<string, string>();
  for (const kind of DOCUMENT_KINDS) {
    const ids = streams
      .filter((stream) => stream.startsWith(`${kind}-`))
      .map((stream) => stream.slice(kind.length + 1));
    for (const document of await source.readModels.getMany(kind, ids)) {
      texts.set(`${kind}-${document.id}`, JSON.stringify(document));
    }
  }
  expect(texts.size).toBe(streams.filter((stream) => documentOf(stream) !== null).length);
  return texts;
}

function environment(): Record<string, string> {
  return {
    MONGODB_URI: `${inject('servers').mongoUrl}/moved_${randomBytes(6).toString('hex')}`,
    KAFKA_BROKERS: inject('servers').kafkaBrokers.join(','),
    REDIS_URL: inject('servers').redisUrl,
    NAME_PREFIX: `moved-${randomBytes(6).toString('hex')}`,
    ACCESS_TOKEN_SECRET: randomBytes(32).toString('hex'),
    DEMO: '1',
    STRIPE_SIMULATOR_URL: 'http://127.0.0.1:9',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
    LOG_LEVEL: 'error',
  };
}

beforeAll(async () => {
  await trade();
  await runToItsEnd('export-log', [archive], { DATA_DIR: data.path });
});
afterAll(() => data.remove());

describe('moving an embedded shop to servers', () => {
  it('LOG3 an exported log archive is readable only by its owner, and contains no personal data in plain text', () => {
    expect(statSync(archive).mode & 0o077).toBe(0);
    const text = readFileSync(archive, 'utf8');
    for (const personal of ['rahim@shop.test', 'Dhanmondi', '01700000000']) expect(text).not.toContain(personal);
  });

  it('PRJ3 LOG2 MAIL2 importing a log archive yields the same events and byte-identical read models, leaves the outbox empty and sends no e-mail', async () => {
    const variables = environment();
    const printed = await runToItsEnd('import-log', [archive], variables);
    expect(printed).toMatch(/^imported \d+ events and \d+ keys; read models are made$/m);
    const config = readConfig(variables);
    if (!config.servers) throw new Error('The configuration names no servers.');
    const old = openEmbedded();
    const moved = await openServersCore({ config, logger: createLogger('silent') });
    try {
      const documents = await documentsOf(moved);
      expect(documents).toEqual(await documentsOf(old));
      expect([...documents.values()].some((text) => text.includes('Türm ৳ Two'))).toBe(true);
      const byId = async ({ log }: { log: EventLog }) =>
        new Map((await readWhole(log)).map((event) => [event.id, event] as const));
      expect(isDeepStrictEqual(await byId(moved), await byId(old))).toBe(true);
      const outbox = createMongoOutbox({ db: moved.mongo.shop, onUnreadable: () => {} });
      expect(await outbox.list(10)).toEqual([]);
      expect(moved.secrets.userId).toBe(JSON.parse(readFileSync(join(data.path, 'secrets.json'), 'utf8')).userId);
    } finally {
      await moved.close();
      await old.close();
    }
    await runToItsEnd('import-log', [archive], variables);
  });

  it('AUTH5 X3 customers of an imported shop can sign in as before, see their orders and place new orders', async () => {
    const servers = inject('servers');
    const shop = await startShopOnServers(servers, { api: 1, projector: 1, live: 0 }, {}, (variables) =>
      runToItsEnd('import-log', [archive], variables),
    );
    try {
      const rahim = await signIn(shop.url, 'rahim@shop.test');
      const own = async () => orderList(await rahim.call('GET', '/individual?email=rahim@shop.test'));
      expect((await own()).map(({ _id }) => _id).sort()).toEqual([...ordersOfRahim].sort());
      const { productId = '', product } = (await own())[0] ?? {};
      const answer = await rahim.call('POST', '/orders', { ...orderOf(rahim, productId), product });
      expect(answer.status).toBe(201);
      expect(await own()).toHaveLength(ordersOfRahim.length + 1);
    } finally {
      await shop.stop();
    }
  });

  it('importing a truncated log archive fails and stores no events', async () => {
    const cut = join(data.path, 'cut.ndjson');
    writeFileSync(cut, readFileSync(archive, 'utf8').split('\n').slice(0, -3).join('\n'));
    const variables = environment();
    await expect(runToItsEnd('import-log', [cut], variables)).rejects.toThrow('ended with 1');
    const config = readConfig(variables);
    if (!config.servers) throw new Error('The configuration names no servers.');
    const core = await openServersCore({ config, logger: createLogger('silent') });
    expect(await readWhole(core.log)).toEqual([]);
    await core.close();
  });
});

it('PRJ4 importing an archive with a stream that cannot be projected stores every event, but fails with an error that names the stream', async () => {
  const lines = readFileSync(archive, 'utf8').trimEnd().split('\n');
  const end = JSON.parse(lines.pop() ?? '').end;
  const [event] = sampleCommit(freshStream(), 0).events;
  const poisoned = join(data.path, 'poisoned.ndjson');
  const counts = { ...end, events: end.events + 1 };
  writeFileSync(poisoned, `${[...lines, JSON.stringify({ event }), JSON.stringify({ end: counts })].join('\n')}\n`);
  const variables = environment();
  await expect(runToItsEnd('import-log', [poisoned], variables)).rejects.toThrow('ended with 1');
  const config = readConfig(variables);
  if (!config.servers) throw new Error('The configuration names no servers.');
  const again = importIntoServers({ config, logger: createLogger('silent'), lines: () => readArchiveFile(poisoned) });
  await expect(again).rejects.toThrow(`cannot be projected: ${event?.subject} (`);
  const core = await openServersCore({ config, logger: createLogger('silent') });
  expect(await readWhole(core.log)).toHaveLength(counts.events);
  const outbox = createMongoOutbox({ db: core.mongo.shop, onUnreadable: () => {} });
  expect(await outbox.list(10)).toHaveLength(1);
  await core.close();
});
