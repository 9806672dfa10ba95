import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BEGIN, stockedShop, type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { readTrackingToken, trackingKey, trackingToken } from '../../identity/tracking-token.ts';
import { createSpa } from '../../pages/spa.ts';
import { orderDecider } from '../order/decide-order.ts';

const open = testShops();
const folder = mkdtempSync(join(tmpdir(), 'spa-'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Micro Center</title>');
afterAll(() => rmSync(folder, { recursive: true }));
const [MINUTE, DAY] = [60_000, 86_400_000];

/** Places an order with a quantity of two and returns functions that share, track and ship it. */
async function tracking(shop: TestShop) {
  const stocked = await stockedShop(shop, { img1: '/goods/tower.svg', img2: '', price: 1000 });
  const orderId = await stocked.place(2);
  const path = `/orders/${orderId}/tracking`;
  const share = async (by = stocked.shopper) => String(((await by.call('POST', path)).body as { token: string }).token);
  const track = (token: string) => shop.call('GET', '/tracking', { headers: { 'x-tracking-token': token } });
  const ship = async () => {
    await stocked.pay(orderId, 2000);
    await stocked.admin.call('PUT', `/orders/${orderId}`);
  };
  return { ...stocked, orderId, path, share, track, ship };
}

const GONE = {
  status: 404,
  body: {
    type: '/docs#not_found',
    title: 'There is nothing at this address.',
    status: 404,
    code: 'not_found',
  },
};

describe('the order that a tracking link shows', () => {
  it('K5 TRACK1 the response for a tracking link contains exactly the specified fields, none of them about the customer or the payment', async () => {
    const shop = await open();
    const { orderId, share, track, pay, admin } = await tracking(shop);
    const token = await share();
    const bytes = async () => JSON.stringify((await track(token)).body);
    const [begin, second, third] = [0, MINUTE, 2 * MINUTE].map((after) => new Date(BEGIN + after).toISOString());
    const seen = (status: string, confirmed: string, shipped: string, version: number) =>
      `{"_id":"${orderId}","number":"MC-1001","product":"Tower One","img1":"/goods/tower.svg","quantity":2,"status":"${status}",` +
      `"placedAt":"${begin}","confirmedAt":${confirmed},"shippedAt":${shipped},"cancelledAt":null,` +
      `"carrier":null,"trackingNumber":null,"version":${version}}`;
    expect(await bytes()).toBe(seen('placed', 'null', 'null', 2));
    shop.advance(MINUTE);
    await pay(orderId, 2000);
    expect(await bytes()).toBe(seen('confirmed', `"${second}"`, 'null', 4));
    shop.advance(MINUTE);
    await admin.call('PUT', `/orders/${orderId}`);
    expect(await bytes()).toBe(seen('shipped', `"${second}"`, `"${third}"`, 5));
  });

  it('TRACK1 a tracking link still shows an order that was cancelled, and shows a removed product under the name it had when it was ordered', async () => {
    const shop = await open();
    const { productId, shopper, admin, orderId, share, track } = await tracking(shop);
    const token = await share();
    await admin.call('PUT', `/products/${productId}`, { name: 'Tower Two' });
    await shop.feed.caughtUp();
    expect((await track(token)).body).toMatchObject({ product: 'Tower Two', img1: '/goods/tower.svg' });
    await shopper.call('DELETE', `/orders/${orderId}`);
    await admin.call('DELETE', `/products/${productId}`);
    await shop.feed.caughtUp();
    expect((await track(token)).body).toMatchObject({ product: 'Tower One', img1: '', status: 'cancelled' });
  });

  it('TRACK1 every invalid tracking token gets the same 404', async () => {
    const shop = await open();
    const { place, orderId, share, track } = await tracking(shop);
    const token = await share();
    const key = trackingKey(shop.dependencies.secrets.idempotency);
    const unshared = await place();
    const others = [
      '',
      'x',
      token.slice(0, -1),
      `${token}A`,
      token.replace(/^./, 'B'),
      trackingToken({ orderId, generation: 2 }, key),
      trackingToken({ orderId: unshared, generation: 1 }, key),
      trackingToken({ orderId: 'f'.repeat(32), generation: 1 }, key),
      trackingToken({ orderId, generation: 1 }, trackingKey('another secret')),
    ];
    for (const other of others) expect(await track(other), other).toMatchObject(GONE);
    expect(await shop.call('GET', '/tracking')).toMatchObject(GONE);
    expect((await track(token)).status).toBe(200);
    // U+00FF is the highest code point that a header value can contain.
    expect(await track('\u00ff'.repeat(50))).toMatchObject(GONE);
  });

  it("READ1 TRACK1 a tracking link shows the order's latest state in the log, even if the projector is behind", async () => {
    const shop = await open();
    const { orderId, shopper, share, track } = await tracking(shop);
    const token = await share();
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await shopper.call('DELETE', `/orders/${orderId}`);
    expect((await track(token)).body).toMatchObject({ status: 'cancelled' });
    release();
  });
});

describe('sharing a tracking link', () => {
  it('K6 TRACK2 the owner or an admin can share an order, and sharing the order again after its link is withdrawn creates a new link', async () => {
    const shop = await open();
    const { orderId, shopper, admin, path, share, track } = await tracking(shop);
    expect(await shopper.call('GET', path)).toMatchObject({ status: 200, body: { token: null } });
    const token = await share();
    expect([await share(), await share(admin)]).toEqual([token, token]);
    expect((await shopper.call('GET', path)).body).toEqual({ token });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced', 'TrackingShared']);

    const stop = () => shopper.call('DELETE', path);
    expect(await stop()).toMatchObject({ status: 200, body: { deletedCount: 1 } });
    expect(await stop()).toMatchObject({ status: 200, body: { deletedCount: 0 } });
    expect(await track(token)).toMatchObject(GONE);
    expect((await shopper.call('GET', path)).body).toEqual({ token: null });

    const next = await share();
    expect(next).not.toBe(token);
    expect((await track(next)).status).toBe(200);
    expect(await track(token)).toMatchObject(GONE);
    expect(await shop.history('order', orderId)).toEqual([
      'OrderPlaced',
      'TrackingShared',
      'TrackingWithdrawn',
      'TrackingShared',
    ]);
  });

  it("TRACK2 a tracking link expires 90 days after its order was shipped, and then the order can't be shared again", async () => {
    const shop = await open();
    const { orderId, shopper, path, share, track, ship } = await tracking(shop);
    const token = await share();
    await ship();
    shop.advance(90 * DAY - 1);
    expect((await track(token)).body).toMatchObject({ _id: orderId, status: 'shipped' });
    shop.advance(1);
    expect(await track(token)).toMatchObject(GONE);
    const later = await shop.signIn(shopper.email);
    expect((await later.call('GET', path)).body).toEqual({ token: null });
    expect((await later.call('POST', path)).status).toBe(404);
  });

  it('TRACK2 a tracking link does not expire while its order is neither shipped nor cancelled', async () => {
    const shop = await open();
    const { share, track } = await tracking(shop);
    const token = await share();
    shop.advance(365 * DAY);
    expect((await track(token)).status).toBe(200);
  });

  it('TRACK2 a tracking link expires 90 days after its order was cancelled', async () => {
    const shop = await open();
    const { orderId, shopper, share, track } = await tracking(shop);
    const token = await share();
    await shopper.call('DELETE', `/orders/${orderId}`);
    shop.advance(90 * DAY - 1);
    expect((await track(token)).status).toBe(200);
    shop.advance(1);
    expect(await track(token)).toMatchObject(GONE);
  });

  it("ERASE1 TRACK2 a tracking link stops working once the customer's data is erased", async () => {
    const shop = await open();
    const { shopper, admin, orderId, path, share, track, ship } = await tracking(shop);
    await ship();
    const token = await share();
    expect((await track(token)).status).toBe(200);
    await shop.core.vault.erase(shop.userId(shopper.email));
    const meta = { cause: 'erase', actor: 'system:erase', correlationId: 'erase', time: new Date(BEGIN).toISOString() };
    await shop.core.handler.execute(orderDecider, orderId, { type: 'ErasePersonalData' }, meta);
    await shop.feed.caughtUp();
    expect(await track(token)).toMatchObject(GONE);
    expect((await admin.call('POST', path)).status).toBe(404);
  });

  it('PRJ3 TRACK2 an order keeps its tracking link when the read models are rebuilt', async () => {
    const shop = await open();
    const { orderId, share, track } = await tracking(shop);
    const token = await share();
    await shop.feed.caughtUp();
    const kept = await shop.core.readModels.get('order', orderId);
    expect(kept?.tracking).toEqual({ generation: 1, shared: true });
    await shop.core.rebuild();
    expect(await shop.core.readModels.get('order', orderId)).toEqual(kept);
    expect((await track(token)).status).toBe(200);
  });
});

describe('keeping tracking tokens secret', () => {
  it('TRACK3 tracking responses and the tracking page are never cached, and the page is not indexed and sends no referrer', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const { share, track } = await tracking(shop);
    const token = await share();
    expect((await track(token)).headers.get('cache-control')).toBe('no-store');
    expect((await track('x')).headers.get('cache-control')).toBe('no-store');
    for (const path of [`/track/${token}`, `/Track/${token}/`]) {
      const page = await shop.call('GET', path, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      expect(page.body).not.toContain(token);
    }
  });

  it('TRACK3 no log line contains a tracking token, whether the request is for the page, the API or an unknown path', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const { shopper, path, share, track } = await tracking(shop);
    const token = await share();
    expect(readTrackingToken(token, trackingKey(shop.dependencies.secrets.idempotency))).not.toBeNull();
    shop.lines.length = 0;
    const accept = { headers: { accept: 'text/html' } };
    await shop.call('GET', `/track/${token}`, accept);
    await shop.call('POST', `/track/${token}`);
    await shop.call('GET', `/track/${token}/%E0%A4%A`, accept);
    await shop.call('GET', `/tracking/${token}`);
    await track(token);
    await track(`${token}A`);
    await shopper.call('GET', path);
    await shopper.call('POST', path);
    await shopper.call('DELETE', path);
    await expect.poll(() => shop.lines.filter((line) => line.includes('"request"')).length).toBeGreaterThanOrEqual(9);
    expect(shop.lines.filter((line) => line.includes(token.slice(0, 40)))).toEqual([]);
  });
});
