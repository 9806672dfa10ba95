import { describe, expect, it } from 'vitest';
import type { ProductView } from '../../contracts/product/product-view.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { addProduct, orderOf } from '../../whole-shop/shop-client.fixture.ts';

const open = testShops();
const CASING = {
  name: 'Tower One',
  img1: '/products/tower-one.svg',
  processor: '8 cores',
  gpu: 'two',
  rated: 'Gold',
  price: 1250.5,
  quantity: 10,
  minorder: 2,
  description: 'Quiet work',
};

describe('adding products', () => {
  it('C10 an admin can add a product, and its price is stored in poisha (CMD6)', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const answer = await admin.call('POST', '/products', CASING);
    const { insertedId } = answer.body as { insertedId: string };
    expect(answer).toMatchObject({ status: 201, body: { acknowledged: true, insertedId, version: 1 } });
    expect(answer.headers.get('location')).toBe(`/products/${insertedId}`);
    expect(await shop.events('product', insertedId)).toMatchObject([
      { type: 'ProductAdded', actor: shop.userId(admin.email), data: { ...CASING, price: 125_050, img2: '' } },
    ]);
  });

  it('LOG4 a product price below one poisha gets a 422, and an existing product stays unchanged and readable', async () => {
    const shop = await open();
    const { admin, productId } = await stockedShop(shop);
    const before = await shop.eventCount();
    expect(await admin.call('PUT', `/products/${productId}`, { price: 1e-9 })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ path: 'price' }] },
    });
    expect(await admin.call('POST', '/products', { ...CASING, price: 1e-9 })).toMatchObject({ status: 422 });
    expect(await shop.eventCount()).toBe(before);
    expect(await admin.call('GET', `/products/${productId}`)).toMatchObject({ status: 200, body: { price: 1000 } });
  });

  it('CMD3 a retry with the same Idempotency-Key adds no second product, even after the first was changed, and a different body with that key gets a 422', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const headers = { 'idempotency-key': 'k-1' };
    const first = await admin.call('POST', '/products', CASING, headers);
    const { insertedId } = first.body as { insertedId: string };
    await admin.call('PUT', `/products/${insertedId}`, { name: 'Tower Two' });
    const again = await admin.call('POST', '/products', CASING, headers);
    expect(again).toMatchObject({ status: 201, body: first.body as object });
    const other = await admin.call('POST', '/products', { ...CASING, price: 9 }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await shop.history('product', insertedId)).toEqual(['ProductAdded', 'ProductChanged']);
  });

  it('CMD3 a request without an Idempotency-Key, or with a key that only another caller has used, adds another product', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    await admin.call('PUT', `/users/admin/${shopper.email}`);
    const headers = { 'idempotency-key': 'k-1' };
    const answers = [
      await admin.call('POST', '/products', CASING),
      await admin.call('POST', '/products', CASING),
      await admin.call('POST', '/products', CASING, headers),
      await shopper.call('POST', '/products', CASING, headers),
    ];
    expect(new Set(answers.map(({ body }) => (body as { insertedId: string }).insertedId)).size).toBe(4);
  });

  it('CMD6 a product whose price has more than two decimals gets a 422 and is not added', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const before = await shop.eventCount();
    const answer = await admin.call('POST', '/products', { ...CASING, price: 10.005 });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request', errors: [{ path: 'price' }] } });
    expect(await shop.eventCount()).toBe(before);
  });
});

describe('reading products', () => {
  it('C8 GET /products/:id returns one product with its price in taka', async () => {
    const shop = await open();
    const id = await addProduct(await shop.admin(), CASING);
    const answer = await shop.call('GET', `/products/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { _id: id, ...CASING, img2: '', version: 1 } });
  });

  it('K3 C7 products are listed as an array, oldest first by default and newest first on request', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      ids.push(await addProduct(admin, { name }));
      shop.advance(10);
    }
    const idsOf = async (path: string) => ((await shop.call('GET', path)).body as ProductView[]).map(({ _id }) => _id);
    expect(await idsOf('/products')).toEqual(ids);
    expect(await idsOf('/products?sort=newest')).toEqual([...ids].reverse());
  });

  it('C7 products can be listed page by page in order of name, even if the names have the maximum length', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const names = ['ক', 'খ', 'গ'].map((letter) => letter.repeat(200));
    for (const name of names) await addProduct(admin, { name });
    const found: string[] = [];
    for (let path: string | undefined = '/products?order=name&limit=1'; path; ) {
      const page = await shop.call('GET', path);
      expect(page.status).toBe(200);
      found.push(...(page.body as ProductView[]).map(({ name }) => name));
      path = page.headers.get('link')?.match(/^<(\/products\?[^>]*)>; rel="next"$/)?.[1];
    }
    expect(found).toEqual(names);
  });

  it('C7 the Link header of a page of products points to the next page and keeps the filters', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const ids: string[] = [];
    for (const name of ['Tower A', 'Cube', 'Tower B', 'Tower C']) {
      const id = await addProduct(admin, { name });
      if (name.startsWith('Tower')) ids.push(id);
      shop.advance(10);
    }
    const seen: string[] = [];
    let path: string | undefined = '/products?q=tower&limit=2';
    while (path) {
      const page = await shop.call('GET', path);
      seen.push(...(page.body as ProductView[]).map(({ _id }) => _id));
      path = page.headers.get('link')?.match(/^<(\/products\?[^>]*)>; rel="next"$/)?.[1];
    }
    expect(seen).toEqual(ids);
  });

  it('C7 a page limit above 1000 is accepted and treated as 1000, but a cursor from another list gets a 422', async () => {
    const shop = await open();
    const admin = await shop.admin();
    for (const name of ['A', 'B']) await addProduct(admin, { name });
    expect((await shop.call('GET', '/products?limit=5000')).body).toHaveLength(2);
    const link = (await shop.call('GET', '/products?limit=1')).headers.get('link');
    const cursor = /cursor=([^&>]+)/.exec(link ?? '')?.[1];
    for (const path of [`/reviews?cursor=${cursor}`, `/products?sort=newest&cursor=${cursor}`, '/products?cursor=x']) {
      expect(await shop.call('GET', path)).toMatchObject({
        status: 422,
        body: { code: 'invalid_request', errors: [{ path: 'cursor' }] },
      });
    }
  });

  it('C19 GET /product returns the products with exactly the given name, except removed products', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const [kept, removed] = [await addProduct(admin), await addProduct(admin)];
    await addProduct(admin, { name: 'Tower One Plus' });
    await admin.call('DELETE', `/products/${removed}`);
    expect((await shop.call('GET', '/product?name=Tower%20One')).body).toMatchObject([{ _id: kept }]);
    expect((await shop.call('GET', '/product?name=Nothing')).body).toEqual([]);
  });

  it('READ1 K2 every read after an order shows the reduced stock', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop, { quantity: 50 });
    for (let left = 49; left > 40; left -= 1) {
      await place();
      expect((await shop.call('GET', `/products/${productId}`)).body).toMatchObject({ quantity: left });
      expect((await shop.call('GET', '/products')).body).toMatchObject([{ quantity: left }]);
    }
    expect((await shopper.call('GET', `/individual?email=${shopper.email}`)).body).toHaveLength(9);
  });
});

describe('reading changes that the projector has not saved yet', () => {
  it("READ1 GET /products/:id includes events that aren't projected yet, and GET /products waits until they are projected", async () => {
    const shop = await open();
    const { productId, place } = await stockedShop(shop, { quantity: 50 });
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await place();
    expect((await shop.call('GET', `/products/${productId}`)).body).toMatchObject({ quantity: 49 });
    expect(await shop.core.readModels.get('product', productId)).toMatchObject({ quantity: 50 });
    const list = shop.call('GET', '/products');
    await shop.call('GET', '/healthz');
    release();
    expect((await list).body).toMatchObject([{ quantity: 49 }]);
  });

  it('READ1 a list request waits for the projector for at most a second', async () => {
    const shop = await open();
    const { place } = await stockedShop(shop, { quantity: 50 });
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await place();
    expect((await shop.call('GET', '/products')).body).toMatchObject([{ quantity: 50 }]);
    release();
  });
});

describe('changing products', () => {
  it('C9 updating a product changes only the given fields, and repeating the update changes nothing', async () => {
    const shop = await open();
    const { admin, productId } = await stockedShop(shop);
    const path = `/products/${productId}`;
    const changes = { name: 'Tower Two', price: 999.99 };
    expect((await admin.call('PUT', path, changes)).body).toEqual({
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 1,
      version: 2,
    });
    expect((await admin.call('PUT', path, changes)).body).toMatchObject({ modifiedCount: 0, version: 2 });
    const [, changed] = await shop.events('product', productId);
    expect(changed).toMatchObject({ type: 'ProductChanged', data: { changes: { name: 'Tower Two', price: 99_999 } } });
  });

  it('C9 changing the quantity requires the version that the admin saw, and appends a StockAdjusted event', async () => {
    const shop = await open();
    const { admin, productId, place } = await stockedShop(shop, { quantity: 10 });
    const path = `/products/${productId}`;
    expect((await admin.call('PUT', path, { quantity: 12 })).status).toBe(422);
    await place(3);
    expect(await admin.call('PUT', path, { quantity: 12, version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'stale_version', detail: 'The version is 2 now.' },
    });
    expect((await admin.call('PUT', path, { quantity: 12, version: 2 })).body).toMatchObject({ modifiedCount: 1 });
    expect((await shop.events('product', productId)).at(-1)).toMatchObject({ type: 'StockAdjusted', data: { by: 5 } });
    expect((await shop.call('GET', path)).body).toMatchObject({ quantity: 12 });
  });

  it("K2 a customer gets a 403 for the old client's request to reduce a product's stock, because only admins can change products", async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop, { quantity: 10 });
    expect((await shopper.call('PUT', `/products/${productId}`, { ...CASING, quantity: 9, version: 1 })).status).toBe(
      403,
    );
    expect(await shop.history('product', productId)).toEqual(['ProductAdded']);
  });

  it("C11 a removed product disappears from the list and can't be viewed, changed, ordered or removed again", async () => {
    const shop = await open();
    const { admin, shopper, productId } = await stockedShop(shop);
    const path = `/products/${productId}`;
    expect((await admin.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect((await admin.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 0 });
    expect((await shop.call('GET', '/products')).body).toEqual([]);
    expect((await shop.call('GET', path)).status).toBe(404);
    expect((await admin.call('PUT', path, { name: 'Back' })).status).toBe(404);
    expect((await shopper.call('POST', '/orders', orderOf(shopper, productId))).status).toBe(404);
    expect(await shop.history('product', productId)).toEqual(['ProductAdded', 'ProductRemoved']);
  });
});
