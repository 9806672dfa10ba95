import type { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
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

  const kept = (version: number) => keptDocument(sampleOrder({ id: 'a'.repeat(24), version }));

  it('PRJ1 a first save that is beaten by another insert with a lower version replaces that version', async () => {
    // Simulates an upsert that fails because another process inserts the document after the upsert has searched for it.
    vi.spyOn(orders, 'bulkWrite').mockImplementationOnce(async () => {
      await orders.insertOne(kept(1));
      return orders.bulkWrite([{ insertOne: { document: kept(2) } }], { ordered: false });
    });
    await saveNewer(orders, [kept(2)]);
    expect(await orders.find().toArray()).toEqual([kept(2)]);
  });

  it('PRJ1 only the highest version of a document in a batch is sent, because the writes of a batch run in no particular order', async () => {
    const bulkWrite = vi.spyOn(orders, 'bulkWrite');
    await saveNewer(orders, [kept(2), kept(4), kept(3)]);
    expect(bulkWrite.mock.calls.map(([operations]) => operations.length)).toEqual([1]);
    expect(await orders.find().toArray()).toEqual([kept(4)]);
  });

  it("PRJ6 for each older version in a batch, the document's highest version is returned, so that no older version is pushed", async () => {
    const answers = await saveNewer(orders, [kept(2), kept(4), kept(3)]);
    expect(answers.map((newer) => newer?.version ?? null)).toEqual([4, null, 4]);
  });
});
