import { describe, expect, it } from 'vitest';
import { createMemoryPackingClaims } from '../../embedded/memory-packing-claims.ts';
import { BEGIN, stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { CLAIM_MS, MOST_CLAIMS, type PackingClaims, PackingUnavailable } from './packing-claims.ts';

const open = testShops();

describe('packing claims', () => {
  it('C30 PACK1 a packing claim tells the other admins who is packing an order and for how long, but keeps nobody from shipping the order', async () => {
    const shop = await open();
    const { admin, shopper, place, pay } = await stockedShop(shop, { price: 1_000 });
    const mina = await shop.signIn('mina@shop.test');
    await admin.call('PUT', `/users/admin/${mina.email}`);
    const orderId = await place(1);
    await pay(orderId, 1_000);
    const path = `/packing/${orderId}`;
    const of = ({ email }: { email: string }, left: number) => ({
      order: orderId,
      by: { id: shop.userId(email), name: expect.stringMatching(/./) },
      left,
    });
    const toldTo = async ({ call }: { call: typeof admin.call }) => (await call('GET', '/packing')).body;
    expect(await toldTo(mina)).toEqual([]);
    expect(await admin.call('PUT', path)).toMatchObject({ status: 200, body: of(admin, CLAIM_MS) });
    shop.advance(1_000);
    expect(await mina.call('PUT', path)).toMatchObject({ status: 200, body: of(admin, CLAIM_MS - 1_000) });
    expect(await toldTo(mina)).toEqual([of(admin, CLAIM_MS - 1_000)]);
    expect((await mina.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 0 });
    expect((await admin.call('PUT', path)).body).toEqual(of(admin, CLAIM_MS));
    expect(await toldTo(mina)).toEqual([of(admin, CLAIM_MS)]);
    expect(await toldTo(admin)).toEqual([]);
    expect((await shopper.call('GET', '/packing')).status).toBe(403);
    expect(await mina.call('PUT', `/orders/${orderId}`)).toMatchObject({ status: 200, body: { modifiedCount: 1 } });
    expect((await admin.call('DELETE', path)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await toldTo(mina)).toEqual([]);
    await mina.call('PUT', path);
    expect(await toldTo(admin)).toEqual([of(mina, CLAIM_MS)]);
    shop.advance(CLAIM_MS);
    expect(await toldTo(admin)).toEqual([]);
  });

  it("PACK1 a former admin's packing claim on an order is hidden, and another admin can claim the order", async () => {
    const shop = await open();
    const { admin, place } = await stockedShop(shop);
    const mina = await shop.signIn('mina@shop.test');
    const rumi = await shop.signIn('rumi@shop.test');
    for (const { email } of [mina, rumi]) await admin.call('PUT', `/users/admin/${email}`);
    const orderId = await place(1);
    await mina.call('PUT', `/packing/${orderId}`);
    await admin.call('DELETE', `/users/admin/${mina.email}`);
    await shop.feed.caughtUp();
    expect((await rumi.call('GET', '/packing')).body).toEqual([]);
    const claimed = await admin.call('PUT', `/packing/${orderId}`);
    expect(claimed.body).toMatchObject({ by: { id: shop.userId(admin.email) } });
    expect((await rumi.call('GET', '/packing')).body).toEqual([claimed.body]);
  });

  it('PACK1 HTTP1 a packing claim over the limit gets a 409, and while the claim store is down, only packing requests get a 503', async () => {
    let packing: PackingClaims = createMemoryPackingClaims(() => BEGIN);
    const away = () => Promise.reject(new PackingUnavailable('away'));
    const shop = await open(() => ({
      packing: {
        claim: (...asked) => packing.claim(...asked),
        release: (...asked) => packing.release(...asked),
        list: () => packing.list(),
        close: async () => {},
      },
    }));
    const { admin, place } = await stockedShop(shop);
    const orderId = await place(1);
    const me = { id: shop.userId(admin.email), name: '' };
    for (let n = 0; n < MOST_CLAIMS; n += 1) await packing.claim(`other ${n}`, me);
    expect(await admin.call('PUT', `/packing/${orderId}`)).toMatchObject({
      status: 409,
      body: { code: 'too_many_claims' },
    });
    packing = { ...packing, claim: away, release: away, list: away };
    for (const [method, path] of [
      ['GET', '/packing'],
      ['PUT', `/packing/${orderId}`],
      ['DELETE', `/packing/${orderId}`],
    ] as const) {
      const answer = await admin.call(method, path);
      expect(answer).toMatchObject({ status: 503, body: { code: 'packing_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await admin.call('GET', '/orders')).status).toBe(200);
  });
});
