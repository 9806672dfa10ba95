import { MongoBulkWriteError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { AnyDocument } from '../../contracts/documents.ts';
import { readModelsContract } from '../../engine/read-models/read-models.contract.ts';
import { TooManySearches } from '../../engine/read-models/read-models.ts';
import {
  sampleMail,
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
  second,
} from '../../engine/read-models/sample-documents.fixture.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { startTcpProxy } from '../test-servers/tcp-proxy.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoReadModels } from './mongo-read-models.ts';

const { mongoUrl } = inject('servers');

readModelsContract('MongoDB', async () => {
  const uri = freshMongoUri(mongoUrl);
  const open = async () => {
    const mongo = await openMongo(uri);
    return { mongo, readModels: await createMongoReadModels({ db: mongo.shop }) };
  };
  let current = await open();
  const close = () => current.mongo.close();
  return {
    readModels: current.readModels,
    async reopen() {
      await close();
      current = await open();
      return current.readModels;
    },
    async dispose() {
      await current.mongo.shop.dropDatabase();
      await close();
    },
  };
});

describe('MongoDB read models', () => {
  let uri: string;
  let mongos: MongoDatabases[];
  beforeEach(() => {
    uri = freshMongoUri(mongoUrl);
    mongos = [];
  });
  afterEach(async () => {
    await mongos[0]?.shop.dropDatabase();
    for (const mongo of mongos) await mongo.close();
  });

  async function connect(at = uri) {
    const mongo = await openMongo(at);
    mongos.push(mongo);
    return { db: mongo.shop, models: await createMongoReadModels({ db: mongo.shop }) };
  }

  it('X2 PRJ1 if two processes race to save the same new documents, the highest version of each document wins', async () => {
    const [one, other] = [await connect(), await connect()];
    const orders = Array.from({ length: 300 }, () => sampleOrder());
    const version = (number: number) => orders.map((order) => ({ ...order, version: number, name: `v${number}` }));
    await Promise.all([one.models.save(version(2)), other.models.save(version(3)), one.models.save(version(1))]);
    const saved = await other.models.getMany(
      'order',
      orders.map(({ id }) => id),
    );
    expect(saved).toHaveLength(orders.length);
    expect(saved.filter((order) => order.version !== 3 || order.name !== 'v3')).toEqual([]);
  });

  it('READ2 after one API instance saves a product, every instance reads a new version of the product list, even before any broadcast', async () => {
    const [one, other] = [await connect(), await connect()];
    const request = { sort: 'newest', limit: 24 } as const;
    const product = sampleProduct();
    for (const version of [1, 2, 3]) {
      const kept = await one.models.listProducts(request);
      await other.models.save([{ ...product, version }]);
      expect(await one.models.versionOf('product', request)).not.toBe(kept.version);
    }
    const page = await one.models.listProducts(request);
    expect(page.items).toEqual([{ ...product, version: 3 }]);
    expect(await other.models.versionOf('product', request)).toBe(page.version);
  });

  it('PRJ4 a document that cannot be saved does not prevent other documents in its batch from being saved', async () => {
    const { models } = await connect();
    const [good, bad] = [sampleOrder(), { ...sampleOrder(), 'null\u0000byte': 1 }];
    const saving = await Promise.allSettled([models.save([bad]), models.save([good])]);
    expect(saving.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await models.getMany('order', [good.id, bad.id])).toEqual([good]);
  });

  it('PRJ1 if some documents in a batch are older than their stored versions, the other documents are still saved', async () => {
    const { models } = await connect();
    const orders = Array.from({ length: 20 }, (_, index) => sampleOrder({ version: 1 + (index % 3) }));
    await models.save(orders);
    const batch = orders.map((order) => ({ ...order, version: 2, name: 'batch' }));
    await models.save([...batch, sampleOrder({ name: 'batch' })]);
    for (const { id, version } of orders) {
      expect(await models.get('order', id)).toMatchObject(
        version < 2 ? { version: 2, name: 'batch' } : { version, name: 'Farida Rahman' },
      );
    }
    expect((await models.listOrders({ sort: 'oldest', limit: 100, q: 'batch' })).items).toHaveLength(8);
  });

  it('PRJ1 save() throws if MongoDB refuses a document, even in a batch whose other documents are merely outdated', async () => {
    const { models } = await connect();
    const kept = sampleOrder({ version: 2 });
    await models.save([kept]);
    const refused = { ...sampleOrder(), $field: 1 };
    await expect(models.save([{ ...kept, version: 1 }, refused])).rejects.toThrow(MongoBulkWriteError);
  });

  it('PRJ1 save() throws if its connection breaks, and a retry succeeds', async () => {
    const direct = await connect();
    const proxy = await startTcpProxy(Number(new URL(mongoUrl).port));
    const { models } = await connect(uri.replace(new URL(mongoUrl).host, `127.0.0.1:${proxy.port}`));
    const order = sampleOrder();
    await models.save([order]);
    const later = { ...order, version: 2 };
    proxy.holdAnswers();
    const unanswered = models.save([later, sampleProduct()]).catch((error: unknown) => error);
    await expect.poll(() => direct.models.get('order', order.id)).toEqual(later);
    proxy.cut();
    expect(await unanswered).toMatchObject({ message: expect.stringMatching(/closed|ECONNRESET/) });
    await proxy.restore();
    const last = { ...order, version: 3 };
    await models.save([later, last]);
    expect(await direct.models.get('order', order.id)).toEqual(last);
    await proxy.close();
  });

  it('PRJ3 documents of every kind, read by id or from a list, are byte-for-byte identical to the saved ones', async () => {
    const { models } = await connect();
    const order = sampleOrder({ owes: { intents: ['pi_1'], refunds: [] }, expiresAt: second(1) });
    const [product, user, review] = [sampleProduct(), sampleUser(), sampleReview({ ratings: 4 })];
    const mail = sampleMail(1);
    await models.save([order, product, user, review, mail]);
    const page = { sort: 'newest', limit: 5 } as const;
    const answers: [AnyDocument, unknown][] = [
      [order, await models.get('order', order.id)],
      [order, (await models.getMany('order', [order.id]))[0]],
      [order, (await models.listOrders(page)).items[0]],
      [order, (await models.ordersToExpire(second(1), 1))[0]],
      [product, (await models.productsNamed(product.name))[0]],
      [user, (await models.listUsers(page)).items[0]],
      [review, (await models.listReviews(page)).items[0]],
      [mail, (await models.mailsToSend(second(1), 1))[0]],
    ];
    expect(await models.ordersWithDueWork(order.createdAt, '', 1)).toEqual([{ id: order.id, version: order.version }]);
    for (const [saved, answer] of answers) expect(JSON.stringify(answer)).toBe(JSON.stringify(saved));
  });

  it('LIST1 opening the read models repeatedly or concurrently creates only one index for each list', async () => {
    const opened = await Promise.all([connect(), connect()]);
    await connect();
    const db = opened[0].db;
    const names = async (collection: string) => (await db.collection(collection).indexes()).map(({ name }) => name);
    expect((await names('orders')).sort()).toEqual(
      [
        '_id_',
        'orders_listed',
        'orders_by_status',
        'orders_by_shipping',
        'orders_by_customer',
        'orders_by_expiry',
        'orders_by_payment',
        'orders_by_kept',
        'orders_by_money',
        'orders_owing',
        'orders_searched',
        'orders_by_text',
      ].sort(),
    );
    expect((await names('products')).sort()).toEqual([
      '_id_',
      'products_by_name',
      'products_by_price',
      'products_by_stock',
      'products_by_text',
      'products_listed',
      'products_searched',
    ]);
  });

  it('C13 a null character can be searched for like any other character', async () => {
    const { models } = await connect();
    const order = sampleOrder({ name: 'Far\0ida' });
    await models.save([order, sampleOrder({ createdAt: second(1) })]);
    expect((await models.listOrders({ sort: 'oldest', limit: 5, q: 'R\0I' })).items).toEqual([order]);
  });

  it('FIND1 documents saved by an older release can be searched once a newer release has opened the read models', async () => {
    const { models, db } = await connect();
    const orders = Array.from({ length: 250 }, (_, index) =>
      sampleOrder({ createdAt: second(index), name: `No ${index}.` }),
    );
    await models.save(orders);
    await db.collection('orders').updateMany({}, { $unset: { 'computed.endings': '' } });
    const reopened = await connect();
    const found = await reopened.models.listOrders({ sort: 'oldest', limit: 5, q: '249.' });
    expect(found.items).toEqual(orders.slice(249));
  });

  it("FIND1 documents saved by an older release can be found by words that the older release didn't index", async () => {
    const { models, db } = await connect();
    const orders = Array.from({ length: 250 }, (_, index) =>
      sampleOrder({ createdAt: second(index), address: `House ${index}, Sylhet` }),
    );
    await models.save(orders);
    const older = { 'computed.search': 'farida', 'computed.endings': ['farida'] };
    await db.collection('orders').updateMany({}, { $set: older, $unset: { 'computed.textVersion': '' } });
    const reopened = await connect();
    const found = await reopened.models.listOrders({ sort: 'oldest', limit: 500, q: 'sylhet' });
    expect(found.items).toEqual(orders);
    expect(await db.collection('orders').countDocuments({ 'computed.listed': true })).toBe(250);
  });

  it('FIND1 searches are refused once the search queue is full, but lists are still served', async () => {
    const { models } = await connect();
    await models.save([sampleProduct()]);
    const page = { sort: 'oldest', limit: 5 } as const;
    const searches = Array.from({ length: 100 }, () => models.listProducts({ ...page, q: 'tower' }));
    const lists = Array.from({ length: 100 }, () => models.listProducts(page));
    const outcomes = await Promise.allSettled(searches);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(28);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManySearches);
    for (const list of await Promise.all(lists)) expect(list.items).toHaveLength(1);
  });
});
