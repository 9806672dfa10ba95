import { describe, expect, it } from 'vitest';
import { everyDocument } from '../../contracts/document-queries.ts';
import { ids, type StartReadModels, useReadModels } from './read-models.fixture.ts';
import type { ReadModels } from './read-models.ts';
import {
  freshId,
  sampleMail,
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
} from './sample-documents.fixture.ts';

/** Tests that every ReadModels adapter must pass, whatever its documents are queried for. */
export function readModelsContract(adapter: string, start: StartReadModels): void {
  describe(`ReadModels: ${adapter}`, () => {
    let models: ReadModels;
    const { reopen } = useReadModels(start, (opened) => {
      models = opened;
    });

    it('PRJ1 get() returns a document of each kind as it was saved, and null for an unknown id', async () => {
      const order = sampleOrder({
        owes: { intents: ['pi_1'], refunds: [{ intent: 'pi_2', amount: 5, reason: 'already_paid' }] },
      });
      const [product, user, review, mail] = [sampleProduct(), sampleUser(), sampleReview(), sampleMail(60)];
      await models.save([order, product, user, review, mail]);
      expect(await models.get('order', order.id)).toEqual(order);
      expect(await models.get('product', product.id)).toEqual(product);
      expect(await models.get('user', user.id)).toEqual(user);
      expect(await models.get('review', review.id)).toEqual(review);
      expect(await models.get('mail', mail.id)).toEqual(mail);
      expect(await models.get('order', product.id)).toBeNull();
      for (const id of ['', 'no id', "' OR 1=1 --", '$where', '💥']) expect(await models.get('order', id)).toBeNull();
    });

    it("PRJ3 get() returns a document's fields in the order in which they were saved, so that a rebuild yields identical bytes", async () => {
      const order = sampleOrder();
      await models.save([order]);
      expect(JSON.stringify(await models.get('order', order.id))).toBe(JSON.stringify(order));
    });

    it('PRJ1 getMany() returns each existing document once, even if its id is repeated, and skips unknown ids', async () => {
      const orders = [sampleOrder(), sampleOrder(), sampleOrder({ status: 'cancelled' })];
      await models.save(orders);
      const found = await models.getMany('order', [...ids(orders), freshId(), ...ids(orders)]);
      expect(ids(found).sort()).toEqual(ids(orders).sort());
      expect(await models.getMany('order', [])).toEqual([]);
    });

    it('PRJ1 a saved document is replaced only by a higher version, even if one save contains several versions', async () => {
      const third = sampleOrder({ version: 3, name: 'third' });
      const versions = (version: number) => ({ ...third, version, name: `version ${version}` });
      await models.save([third]);
      await models.save([versions(2)]);
      await models.save([versions(3)]);
      expect(await models.get('order', third.id)).toEqual(third);
      await models.save([versions(5), versions(4)]);
      expect(await models.get('order', third.id)).toEqual(versions(5));
      await models.save([versions(6), versions(7)]);
      expect(await models.get('order', third.id)).toEqual(versions(7));
    });

    it('PRJ1 concurrent saves leave each document at its highest version', async () => {
      const products = Array.from({ length: 5 }, () => sampleProduct());
      const saves = Array.from({ length: 40 }, (_, index) => (index * 17) % 40).map((version) =>
        models.save(products.map((product) => ({ ...product, version: version + 1, quantity: version + 1 }))),
      );
      await Promise.all(saves);
      for (const { id } of products)
        expect(await models.get('product', id)).toMatchObject({ version: 40, quantity: 40 });
    });

    it('PRJ1 a save that contains an outdated version of one document still saves the other documents', async () => {
      const [kept, fresh] = [sampleOrder({ version: 2 }), sampleOrder()];
      await models.save([kept]);
      await models.save([{ ...kept, version: 1 }, fresh]);
      expect(await models.get('order', kept.id)).toEqual(kept);
      expect(await models.get('order', fresh.id)).toEqual(fresh);
      await models.save([]);
    });

    it('PRJ6 save() returns the stored documents that are newer than the versions it was given', async () => {
      const [order, product] = [sampleOrder({ version: 5, status: 'cancelled' }), sampleProduct({ version: 2 })];
      expect(await models.save([order, product])).toEqual([]);
      const fresh = sampleOrder();
      expect(await models.save([{ ...order, version: 1, status: 'unpaid' }, fresh, product])).toEqual([order]);
      expect(await models.save([{ ...product, version: 3 }, { ...order, version: 6 }, fresh])).toEqual([]);
      expect(await models.save([])).toEqual([]);
    });

    it('PRJ1 read models still contain the saved documents after they are reopened', async () => {
      const order = sampleOrder();
      await models.save([order]);
      await reopen();
      expect(await models.get('order', order.id)).toEqual(order);
      expect(await models.find(everyDocument('order'))).toEqual([order]);
    });

    it('PRJ3 after clear(), the read models are empty and accept lower versions of the same documents', async () => {
      const documents = [sampleOrder({ version: 5 }), sampleProduct({ version: 5 }), sampleUser(), sampleReview()];
      await models.save(documents);
      await models.clear();
      for (const { kind } of documents) {
        const page = await models.page(everyDocument(kind), { limit: 10 });
        expect(page).toEqual({ items: [], next: null, version: expect.any(String) });
      }
      for (const { kind, id } of documents) expect(await models.get(kind, id)).toBeNull();
      const again = documents.map((document) => ({ ...document, version: 1 }));
      await models.save(again);
      for (const document of again) expect(await models.get(document.kind, document.id)).toEqual(document);
    });
  });
}
