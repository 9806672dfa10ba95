import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { metaOf } from '../engine/commands/embedded-log.fixture.ts';
import { LostLogError } from '../engine/log/lost-log.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLogger } from '../runtime/log.ts';
import { StoreUnavailable } from '../runtime/store-unavailable.ts';
import { productDecider } from '../shop/product/decide-product.ts';
import { LIGHT_ADMIN, startLightShop } from '../whole-shop/light-shop.fixture.ts';
import { addProduct, orderList, orderOf, productOf, signIn } from '../whole-shop/shop-client.fixture.ts';
import { freshDataDir } from '../whole-shop/shop-process.fixture.ts';
import { openEmbeddedCore } from './embedded-core.ts';
import { damageTable } from './sqlite/damage-table.fixture.ts';

let data: ReturnType<typeof freshDataDir>;
beforeEach(() => {
  data = freshDataDir();
});
afterEach(() => data.remove());

const file = (name: string) => join(data.path, name);

/** Runs a shop in the data directory until the shop has sold something, and then stops it. */
async function usedShop() {
  const shop = await startLightShop(data.path);
  const [admin, shopper] = [await signIn(shop.url, LIGHT_ADMIN), await signIn(shop.url, 'rumi@shop.test')];
  const productId = await addProduct(admin);
  for (let n = 0; n < 60; n += 1) await addProduct(admin, { name: `Tower ${n}` });
  expect((await shopper.call('POST', '/orders', orderOf(shopper, productId, 3))).status).toBe(201);
  await shop.stop();
  return { productId };
}

describe('an embedded shop that has lost a file', () => {
  it('LOG6 a shop whose log is missing always refuses to start, instead of starting as a new shop', async () => {
    await usedShop();
    rmSync(file('shop.sqlite'));
    for (let start = 0; start < 2; start += 1) {
      await expect(startLightShop(data.path)).rejects.toThrow(LostLogError);
    }
    await expect(startLightShop(data.path)).rejects.toThrow(
      /^The log in .*shop\.sqlite is missing or empty, but keys of a shop stand beside it: restore it from a backup\.$/,
    );
  });

  it('LOG6 a shop starts from scratch if its first start was interrupted before anything was appended', async () => {
    await (await startLightShop(data.path)).stop();
    rmSync(file('shop.sqlite'));
    await (await startLightShop(data.path)).stop();
  });

  it('LOG6 a shop rebuilds damaged documents, and shows the same orders and products as before', async () => {
    const { productId } = await usedShop();
    damageTable(file('shop.sqlite'), 'product_documents');
    const shop = await startLightShop(data.path);
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    expect(orderList(await admin.call('GET', '/orders'))).toMatchObject([{ product: 'Tower One', quantity: 3 }]);
    expect(productOf(await admin.call('GET', `/products/${productId}`)).quantity).toBe(97);
    expect((await admin.call('GET', '/products')).body).toHaveLength(61);
    await shop.stop();
  });

  it('LOG6 a running shop acknowledges no more appends once one of its database files is deleted', async () => {
    const core = openEmbeddedCore({
      dataDir: data.path,
      clock: systemClock,
      logger: createLogger('silent', { write: () => {} }),
    });
    const said: string[] = [];
    let look = () => {};
    core.watchFiles(
      (_milliseconds, callback) => {
        look = callback;
        return () => {};
      },
      (reason) => said.push(reason),
    );
    const texts = { img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' };
    const details = { ...texts, name: 'Tower', price: 100, minorder: 1 };
    const add = (id: string) =>
      core.handler.execute(productDecider, id, { type: 'AddProduct', details, quantity: 1 }, metaOf(`add:${id}`));
    await add('b'.repeat(32));
    rmSync(file('shop.sqlite-wal'));
    look();
    await expect(add('a'.repeat(32))).rejects.toThrow(StoreUnavailable);
    expect(said).toEqual([`${file('shop.sqlite-wal')} was deleted or replaced while the shop was running.`]);
    await core.close();
  });
});
