import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbeddedCore } from '../embedded/embedded-core.ts';
import { createLogger } from '../runtime/log.ts';
import { orderList } from '../shop/order/order-documents.ts';
import { userDecider } from '../shop/people/decide-user.ts';
import { LIGHT_ADMIN, startLightShop } from './light-shop.fixture.ts';
import { addProduct, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const data = freshDataDir();
const [keys, olderKeys] = [join(data.path, 'keys.sqlite'), join(data.path, 'older-keys.sqlite')];

describe('a key database older than the log', () => {
  it("LOG5 if the key database is older than the log, only orders by customers whose keys are missing are refused, and a rebuild with the right keys restores those customers' data", async () => {
    const before = await startLightShop(data.path);
    const admin = await signIn(before.url, LIGHT_ADMIN);
    const productId = await addProduct(admin, {});
    await before.stop();
    copyFileSync(keys, olderKeys);

    const shop = await startLightShop(data.path);
    const rahim = await signIn(shop.url, 'rahim@shop.test');
    expect((await rahim.call('POST', '/orders', orderOf(rahim, productId))).status).toBe(201);
    await shop.stop();
    const rightKeys = `${keys}.right`;
    copyFileSync(keys, rightKeys);
    copyFileSync(olderKeys, keys);
    for (const file of [`${keys}-wal`, `${keys}-shm`]) rmSync(file, { force: true });

    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line: string) => void lines.push(line) });
    const core = openEmbeddedCore({ dataDir: data.path, clock: Date.now, logger });
    expect(await core.rebuild()).toBeGreaterThan(0);
    const items = await core.readModels.find(orderList({ sort: 'oldest' }));
    expect(items).toMatchObject([{ productId, email: 'erased', address: 'erased' }]);
    expect(lines.filter((line) => line.includes(items[0]?.customer ?? '')).length).toBe(1);
    expect((await core.handler.load(userDecider, items[0]?.customer ?? '')).state).toMatchObject({
      status: 'registered',
    });
    await core.close();

    const restored = await startLightShop(data.path);
    const again = await signIn(restored.url, 'rahim@shop.test');
    const boss = await signIn(restored.url, LIGHT_ADMIN);
    const other = await signIn(restored.url, 'mitu@shop.test');
    expect(await again.call('POST', '/orders', orderOf(again, productId))).toMatchObject({
      status: 503,
      body: { code: 'details_unavailable' },
    });
    expect((await other.call('POST', '/orders', orderOf(other, productId))).status).toBe(201);
    expect(await boss.call('GET', `/products/${productId}`)).toMatchObject({ status: 200, body: { quantity: 98 } });
    await restored.stop();

    copyFileSync(rightKeys, keys);
    for (const file of [`${keys}-wal`, `${keys}-shm`]) rmSync(file, { force: true });
    const mended = openEmbeddedCore({ dataDir: data.path, clock: Date.now, logger: createLogger('silent') });
    await mended.rebuild();
    const orders = await mended.readModels.find(orderList({ sort: 'oldest' }));
    expect(orders[0]).toMatchObject({ email: 'rahim@shop.test' });
    await mended.close();
  });
});
