import { expect, it } from 'vitest';
import { ROUTES } from '../process/route-table.ts';
import { orderOf } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

it('AUTH9 responses of routes that require a sign-in, including refusals, are marked no-store, and responses of public routes are marked no-cache', async () => {
  const shop = await open();
  const { admin, shopper, productId, place } = await stockedShop(shop);
  const orderId = await place();
  const fill = (path: string) => path.replace(':email', shopper.email).replace(':id', orderId);
  const cacheOf = async (method: string, path: string, body?: unknown) => {
    const answer = await admin.call(method, path, body);
    return [method, path, answer.headers.get('cache-control')];
  };
  const reads = ROUTES.filter(({ method, access }) => method === 'GET' && access !== 'public');
  expect(reads.length).toBeGreaterThanOrEqual(7);
  for (const { path } of reads) {
    const address = path === '/individual' ? `${path}?email=${shopper.email}` : fill(path);
    expect(await cacheOf('GET', address)).toEqual(['GET', address, 'no-store']);
  }
  const asked: [string, string, unknown?][] = [
    ['POST', '/orders', orderOf(admin, productId)],
    ['POST', '/orders', {}],
    ['GET', '/orders/nothing'],
    ['GET', `/individual?email=nobody`],
  ];
  for (const [method, path, body] of asked)
    expect(await cacheOf(method, path, body)).toEqual([method, path, 'no-store']);
  for (const path of ['/products', `/products/${productId}`, '/reviews', '/config.json']) {
    expect(await cacheOf('GET', path)).toEqual(['GET', path, 'no-cache']);
  }
});
