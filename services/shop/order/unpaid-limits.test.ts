import { describe, expect, it } from 'vitest';
import type { OrderView } from '../../contracts/order/order-view.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import type { IdentityProvider } from '../../identity/identity-provider.ts';
import { plainIdentity } from '../../whole-shop/plain-identity.fixture.ts';
import { orderOf } from '../../whole-shop/shop-client.fixture.ts';

const open = testShops();

describe("limits on a customer's unpaid orders", () => {
  const codeOf = ({ status, body }: { status: number; body: unknown }) =>
    `${status} ${(body as { code?: string }).code}`;

  it('ORD7 a customer with ten unpaid orders gets a 409 that says what to do, and can order again after cancelling one', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop);
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await place());
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'too_many_unpaid_orders',
        title: 'You have too many unpaid orders. Pay or cancel one, then order again.',
        detail: 'You have 10 unpaid orders. Pay or cancel one, then order again.',
      },
    });
    expect(await shop.history('product', productId)).toHaveLength(11);
    await shopper.call('DELETE', `/orders/${ids[3]}`);
    await place();
    expect(codeOf(await shopper.call('POST', '/orders', orderOf(shopper, productId)))).toMatch(/^409/);
    await place(1, await shop.signIn('other@shop.test'));
  });

  it('ORD7 a customer who places and cancels orders too often gets a 429 with Retry-After', async () => {
    const shop = await open();
    const { shopper, productId, place } = await stockedShop(shop);
    for (let n = 0; n < 30; n += 1) await shopper.call('DELETE', `/orders/${await place()}`);
    const refused = await shopper.call('POST', '/orders', orderOf(shopper, productId));
    expect(codeOf(refused)).toBe('429 orders_too_fast');
    expect(refused.headers.get('retry-after')).toBe('5');
    shop.advance(5_000);
    await place();
  });

  it("ORD6 ORD7 an unverified customer may have only 3 unpaid orders, and an unpaid order expires after 30 minutes if its customer is unverified or holds over half of a product's stock", async () => {
    const verified = new Set(['boss@shop.test', 'rumi@shop.test']);
    const identity: IdentityProvider = {
      ...plainIdentity,
      async verifyIdToken(token) {
        const person = await plainIdentity.verifyIdToken(token);
        return { ...person, emailVerified: verified.has(person.email) };
      },
    };
    const shop = await open(({ clientConfig }) => ({
      identity,
      clientConfig: { ...clientConfig, firebase: { mode: 'live', config: {} } },
    }));
    const { shopper, productId, place } = await stockedShop(shop, { quantity: 10 });
    const newcomer = await shop.signIn('newcomer@shop.test');
    const expiryOf = async (id: string, by = shopper) =>
      ((await by.call('GET', `/orders/${id}`)).body as OrderView).expiresAt;
    expect(await expiryOf(await place(1, newcomer), newcomer)).toBe('2026-02-03T04:35:06.000Z');
    for (let n = 1; n < 3; n += 1) await place(1, newcomer);
    const refused = await newcomer.call('POST', '/orders', orderOf(newcomer, productId));
    expect(refused.body).toMatchObject({ detail: 'You have 3 unpaid orders. Pay or cancel one, then order again.' });
    expect(await expiryOf(await place(3))).toBe('2026-02-03T05:05:06.000Z');
    expect(await expiryOf(await place(1))).toBe('2026-02-03T04:35:06.000Z');
  });

  it('ORD7 setting maxUnpaidOrders to 0 turns off every limit on placing orders', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { shopper, place } = await stockedShop(shop);
    for (let n = 0; n < 32; n += 1) await place();
    expect(await shop.events('allowance', shop.userId(shopper.email))).toEqual([]);
  });
});
