import type { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { orders as declared } from '../../shop/order/order-documents.ts';
import { openFreshMongo } from '../test-servers/mongo-database.fixture.ts';
import type { MongoDatabases } from './mongo.ts';
import { saveNewer } from './mongo-guarded-save.ts';
import { type KeptDocument, keptDocument } from './mongo-kept-document.ts';

const { mongoUrl } = inject('servers');

describe('guarded save', () => {
  let mongo: MongoDatabases;
  let orders: Collection<KeptDocument>;
  beforeEach(async () => {
    mongo = await openFreshMongo(mongoUrl);
    orders = mongo.shop.collection<KeptDocument>('orders');
  });
  afterEach(async () => {
    await mongo.shop.dropDatabase();
    await mongo.close();
  });

  const kept = (version: number) => keptDocument(declared, sampleOrder({ id: 'a'.repeat(24), version }));

  it('PRJ1 if another process inserts a lower version of a new document during its first save, the save replaces that version', async () => {
    // Simulates how an upsert fails if another insert happens between its search for the document and its own insert.
    vi.spyOn(orders, 'bulkWrite').mockImplementationOnce(async () => {
      await orders.insertOne(kept(1));
      return orders.bulkWrite([{ insertOne: { document: kept(2) } }], { ordered: false });
    });
    await saveNewer(orders, [kept(2)]);
    expect(await orders.find().toArray()).toEqual([kept(2)]);
  });

  it('PRJ1 for each document in a batch, only the highest version is sent to MongoDB, because the writes of a batch may run in any order', async () => {
    const bulkWrite = vi.spyOn(orders, 'bulkWrite');
    await saveNewer(orders, [kept(2), kept(4), kept(3)]);
    expect(bulkWrite.mock.calls.map(([operations]) => operations.length)).toEqual([1]);
    expect(await orders.find().toArray()).toEqual([kept(4)]);
  });

  it('PRJ6 for each older version of a document in a batch, the save returns the highest version, so that no older version is pushed', async () => {
    const answers = await saveNewer(orders, [kept(2), kept(4), kept(3)]);
    expect(answers.map((newer) => newer?.version ?? null)).toEqual([4, null, 4]);
  });
});
