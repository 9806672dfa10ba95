import { randomBytes } from 'node:crypto';
import { BSON, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { orderPlacedSchema } from '../contracts/order/order-answers.ts';
import { LIGHT_ADMIN } from './light-shop.fixture.ts';
import { runToItsEnd } from './ready-process.fixture.ts';
import { addProduct, call, orderList, orderOf, type Person, productOf, signIn } from './shop-client.fixture.ts';
import { type ShopOnServers, startShopOnServers } from './shop-on-servers.fixture.ts';

const EMAIL = 'rokeya.begum@shop.test';
const NAME = 'Rokeya Begum';
const PHONE = '01655443322';
const ADDRESS = 'Flat 5C, Mirpur Road, Dhaka';
const PERSONAL = [EMAIL, NAME, PHONE, ADDRESS];
const PATIENCE = { timeout: 20_000, interval: 50 };

/** A database's documents, grouped by collection. */
type Copy = ReadonlyMap<string, BSON.Document[]>;

let shop: ShopOnServers;
let client: MongoClient;
let log: Db;
let keys: Db;
let admin: Person;
let productId: string;

beforeAll(async () => {
  const { mongoUrl } = inject('servers');
  const keysName = `keys_${randomBytes(6).toString('hex')}`;
  shop = await startShopOnServers(
    inject('servers'),
    { api: 1, projector: 1, live: 0 },
    { MONGODB_KEYS_URI: `${mongoUrl}/${keysName}` },
  );
  client = await MongoClient.connect(mongoUrl);
  log = client.db(shop.environment.MONGODB_URI.split('/').at(-1));
  keys = client.db(keysName);
  admin = await signIn(shop.url, LIGHT_ADMIN);
  productId = await addProduct(admin);
}, 120_000);
afterAll(async () => {
  await client.close();
  await shop.stop();
});

/** Returns the documents that `mongodump` would save from a database. */
async function copyOf(db: Db): Promise<Copy> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()] as const)),
  );
}

/** Restores a copy as `mongorestore --drop` would. */
async function putBack(db: Db, copy: Copy): Promise<void> {
  for (const name of (await copyOf(db)).keys()) await db.collection(name).deleteMany({});
  for (const [name, documents] of copy) if (documents.length > 0) await db.collection(name).insertMany(documents);
}

/** Lists the erased person's data found in the collections of both databases. */
async function hits(): Promise<string[]> {
  const copies = await Promise.all([copyOf(log), copyOf(keys)]);
  return copies.flatMap((copy) =>
    [...copy].flatMap(([name, documents]) => {
      const text = BSON.EJSON.stringify(documents);
      return PERSONAL.filter((personal) => text.includes(personal)).map((personal) => `${name}: ${personal}`);
    }),
  );
}

async function placed(person: Person): Promise<{ id: string; number: number }> {
  const order = { ...orderOf(person, productId), name: NAME, phone: PHONE, address: ADDRESS };
  const answer = await person.call('POST', '/orders', order);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { insertedId, number } = orderPlacedSchema.parse(answer.body);
  return { id: insertedId, number: Number(number.replace('MC-', '')) };
}

const erasures = async () => (await shop.everyEvent()).filter(({ type }) => type === 'ErasureCompleted').length;
const stock = async () => productOf(await call(shop.url, 'GET', `/products/${productId}`)).quantity;
const own = async (person: Person) => orderList(await person.call('GET', `/individual?email=${EMAIL}`));

it('LOG3 ERASE1 BACKUP1 ORD8 after older copies of the databases are restored, an erased person stays erased but can return as a new customer, and no order number is reused', {
  timeout: 180_000,
}, async () => {
  const person = await signIn(shop.url, EMAIL);
  await person.call('PUT', `/users/${EMAIL}`, { phone: PHONE, address: ADDRESS });
  const { id: unpaid } = await placed(person);
  await expect.poll(hits, PATIENCE).toContain(`orders: ${ADDRESS}`);
  // The `commits` collection contains no personal data. Neither does Kafka, because it carries the same events.
  expect((await hits()).filter((hit) => hit.startsWith('commits'))).toEqual([]);
  const [logBefore, keysBefore] = [await copyOf(log), await copyOf(keys)];

  expect((await person.call('DELETE', `/users/${EMAIL}`)).body).toMatchObject({ deletedCount: 1 });
  await expect.poll(erasures, PATIENCE).toBe(1);
  await expect.poll(hits, PATIENCE).toEqual([]);
  await expect.poll(stock, PATIENCE).toBe(100);
  const { number: lost } = await placed(admin);

  for (const role of ['api', 'projector'] as const) for (const one of shop.running[role]) await shop.kill(role, one);
  const erased = await keys.collection('keys').find({ key: null }).toArray();
  expect(erased).toHaveLength(1);
  await putBack(log, logBefore);
  await putBack(keys, keysBefore);
  for (const document of erased)
    await keys.collection('keys').replaceOne({ _id: document._id }, document, { upsert: true });
  process.stdout.write(await runToItsEnd('rebuild', [], shop.environment));
  expect(await hits()).toEqual([]);
  await shop.start('api');
  await shop.start('projector');

  await expect.poll(erasures, PATIENCE).toBe(1);
  await expect.poll(stock, PATIENCE).toBe(100);
  const order = { name: 'erased', email: 'erased', phone: 'erased', address: 'erased', cancelReason: 'customer' };
  expect((await admin.call('GET', `/orders/${unpaid}`)).body).toMatchObject(order);
  const back = await signIn(shop.url, EMAIL);
  expect(await own(back)).toEqual([]);
  const { id: bought, number } = await placed(back);
  // A restore skips 1,000 order numbers, because some of them may have been used since the backup.
  expect(number).toBeGreaterThan(lost + 1000);
  await expect.poll(() => own(back), PATIENCE).toMatchObject([{ _id: bought, name: NAME, address: ADDRESS }]);
});
