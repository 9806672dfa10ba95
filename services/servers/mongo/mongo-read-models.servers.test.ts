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
import { shopDocuments } from '../../shop/documents.ts';
import { mailsToSend } from '../../shop/mail/mail-documents.ts';
import { orderList, ordersToExpire, ordersWithDueWork } from '../../shop/order/order-documents.ts';
import { userList } from '../../shop/people/user-documents.ts';
import { productList, productsNamed } from '../../shop/product/product-documents.ts';
import { reviewList } from '../../shop/review/review-documents.ts';
import { shopQueriesContract } from '../../shop/shop-queries.contract.ts';
import { freshMongoUri } from '../test-servers/mongo-database.fixture.ts';
import { startTcpProxy } from '../test-servers/tcp-proxy.fixture.ts';
import { type MongoDatabases, openMongo } from './mongo.ts';
import { createMongoReadModels } from './mongo-read-models.ts';

const { mongoUrl } = inject('servers');

const start = async () => {
  const uri = freshMongoUri(mongoUrl);
  const open = async () => {
    const mongo = await openMongo(uri);
    return { mongo, readModels: await createMongoReadModels({ db: mongo.shop, declarations: shopDocuments }) };
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
};

readModelsContract('MongoDB', start);
shopQueriesContract('MongoDB', start);

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
    return { db: mongo.shop, models: await createMongoReadModels({ db: mongo.shop, declarations: shopDocuments }) };
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
    const [products, request] = [productList({ sort: 'newest' }), { limit: 24 }];
    const product = sampleProduct();
    for (const version of [1, 2, 3]) {
      const kept = await one.models.page(products, request);
      await other.models.save([{ ...product, version }]);
      expect(await one.models.versionOf(products, request)).not.toBe(kept.version);
    }
    const page = await one.models.page(products, request);
    expect(page.items).toEqual([{ ...product, version: 3 }]);
    expect(await other.models.versionOf(products, request)).toBe(page.version);
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
    expect(await models.find(orderList({ sort: 'oldest', q: 'batch' }))).toHaveLength(8);
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
    const sort = 'newest';
    const answers: [AnyDocument, unknown][] = [
      [order, await models.get('order', order.id)],
      [order, (await models.getMany('order', [order.id]))[0]],
      [order, (await models.find(orderList({ sort })))[0]],
      [order, (await models.find(ordersToExpire(second(1))))[0]],
      [product, (await models.find(productsNamed(product.name)))[0]],
      [user, (await models.find(userList({ sort })))[0]],
      [review, (await models.find(reviewList({ sort })))[0]],
      [mail, (await models.find(mailsToSend(second(1))))[0]],
    ];
    expect(await models.findIds(ordersWithDueWork(order.createdAt))).toEqual([
      { id: order.id, version: order.version, key: order.createdAt },
    ]);
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
        'order_by_customer_createdAt_id',
        'order_by_status_createdAt_id',
        'order_by_listed_createdAt_id',
        'order_by_expires_id',
        'order_by_dueFrom_id_version',
        'order_by_paidAt_id_keptPoisha',
        'order_by_shipping_paidAt_id',
        'order_by_status_shippedAt',
        'order_by_endings',
        'order_by_declaration',
      ].sort(),
    );
    expect((await names('reviews')).sort()).toEqual([
      '_id_',
      'review_by_createdAt_id',
      'review_by_declaration',
      'review_by_name_createdAt_id',
    ]);
  });

  it('C13 a null character can be searched for like any other character', async () => {
    const { models } = await connect();
    const order = sampleOrder({ name: 'Far\0ida' });
    await models.save([order, sampleOrder({ createdAt: second(1) })]);
    expect(await models.find(orderList({ sort: 'oldest', q: 'R\0I' }))).toEqual([order]);
  });

  it('FIND1 documents saved by an older declaration are found by their new columns and texts once the read models are opened', async () => {
    const { models, db } = await connect();
    const orders = Array.from({ length: 250 }, (_, index) =>
      sampleOrder({ createdAt: second(index), address: `House ${index}, Sylhet` }),
    );
    await models.save(orders);
    const older = { 'computed.search': 'farida', 'computed.endings': ['farida'], 'computed.columns': {} };
    const half = { createdAt: { $lt: second(125) } };
    await db.collection('orders').updateMany(half, { $set: { ...older, 'computed.declared': 0 } });
    await db.collection('orders').updateMany({ createdAt: { $gte: second(125) } }, { $unset: { computed: '' } });
    const reopened = await connect();
    expect(await reopened.models.find(orderList({ sort: 'oldest', q: 'sylhet' }))).toEqual(orders);
  });

  it('FIND1 searches are refused once the search queue is full, but lists are still served', async () => {
    const { models } = await connect();
    await models.save([sampleProduct()]);
    const find = (q?: string) => models.find(productList({ sort: 'oldest', q }));
    const searches = Array.from({ length: 100 }, () => find('tower'));
    const lists = Array.from({ length: 100 }, () => find());
    const outcomes = await Promise.allSettled(searches);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(28);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManySearches);
    for (const list of await Promise.all(lists)) expect(list).toHaveLength(1);
  });
});
