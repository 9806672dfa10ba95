import { describe, expect, it } from 'vitest';
import { TooManySearches } from '../engine/read-models/read-models.ts';
import { orderOf } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

describe('request logging', () => {
  it('each request is logged with its route, but never with its token, e-mail or body', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    await shopper.call('POST', '/orders', orderOf(shopper, productId));
    await shopper.call('GET', `/individual?email=${shopper.email}`);
    await shopper.call('PUT', `/users/${shopper.email}`, { phone: 'secret-phone' });
    const text = shop.lines.join('');
    expect(text).toContain('"route":"/users/:email","status":422');
    expect(text).not.toContain(shopper.token);
    expect(text).not.toContain(shopper.email);
    expect(text).not.toContain('secret-phone');
    expect(text).not.toContain('Dhanmondi');
  });

  it('RATE1 probe requests are logged at debug level and other requests at info level', async () => {
    const shop = await open();
    await Promise.all(['/healthz', '/readyz', '/metrics', '/products'].map((path) => shop.call('GET', path)));
    const told = shop.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(told.map(({ route, level }) => `${route} ${level}`).sort()).toEqual([
      '/healthz 20',
      '/metrics 20',
      '/products 30',
      '/readyz 20',
    ]);
  });

  it('FIND1 a search gets a 503 with Retry-After if the search queue is full', async () => {
    const shop = await open(({ readModels }) => ({
      readModels: { ...readModels, page: () => Promise.reject(new TooManySearches('16 searches wait')) },
    }));
    const answer = await shop.call('GET', '/products?q=tower');
    expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('an unexpected error becomes a 500 without details and is logged with the request id', async () => {
    const shop = await open(({ readModels }) => ({
      readModels: { ...readModels, page: () => Promise.reject(new Error('disk on fire')) },
    }));
    const answer = await shop.call('GET', '/products');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toContain('disk on fire');
    const line = shop.lines.find((one) => one.includes('disk on fire'));
    expect(line).toContain(answer.headers.get('x-request-id'));
  });
});
