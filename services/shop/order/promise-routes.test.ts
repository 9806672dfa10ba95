import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { BEGIN, testShops } from '../../http/test-shop.fixture.ts';

const open = testShops();
const HOUR = 3_600_000;

/**
 * Returns an order that was paid 48 hours before the start of the test's clock and shipped `hours` hours after the
 * payment.
 */
const shippedAfter = (hours: number) =>
  sampleOrder({
    status: 'shipped',
    paidAt: new Date(BEGIN - 48 * HOUR).toISOString(),
    shippedAt: new Date(BEGIN - (48 - hours) * HOUR).toISOString(),
  });
const many = (count: number, hours: number) => Array.from({ length: count }, () => shippedAfter(hours));

describe('the shipping promise', () => {
  it("O6 GET /promise returns how many of this month's paid orders were shipped within a day, or null for fewer than 20 orders", async () => {
    const shop = await open();
    const promise = async () => (await shop.call('GET', '/promise')).body;
    await shop.core.readModels.save(many(19, 3));
    expect(await promise()).toBeNull();
    await shop.core.readModels.save(many(2, 30));
    expect(await promise()).toBeNull();
    shop.advance(60_000);
    expect(await promise()).toEqual({ orders: 21, inTime: 19 });
  });

  it('O6 a failed count of the shipped orders is not cached, so the next request counts again', async () => {
    let failing = true;
    const shop = await open(({ readModels }) => ({
      readModels: {
        ...readModels,
        count: (query) => (failing ? Promise.reject(new Error('away')) : readModels.count(query)),
      },
    }));
    expect((await shop.call('GET', '/promise')).status).toBe(500);
    failing = false;
    expect(await shop.call('GET', '/promise')).toMatchObject({ status: 200, body: null });
  });
});
