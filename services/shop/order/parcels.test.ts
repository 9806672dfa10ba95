import { describe, expect, it } from 'vitest';
import { parcelLink } from '../../contracts/order/carriers.ts';
import { testShops } from '../../http/test-shop.fixture.ts';
import { PARCEL, shipping } from './shipping-shop.fixture.ts';

const open = testShops();

describe('carrier and tracking number', () => {
  it("C29 ORD12 an order's carrier and tracking number can be recorded and corrected once the order has shipped, and its tracking link shows them", async () => {
    const shop = await open();
    const { admin, shopper, paid, view } = await shipping(shop);
    const orderId = await paid();
    const path = `/orders/${orderId}/parcel`;
    expect(await admin.call('PUT', path, PARCEL)).toMatchObject({ status: 409, body: { code: 'order_not_shipped' } });
    await admin.call('PUT', `/orders/${orderId}`);
    expect((await admin.call('PUT', path, { ...PARCEL, trackingNumber: ' SF-1 ' })).body).toMatchObject({ version: 4 });
    expect((await admin.call('PUT', path, PARCEL)).body).toMatchObject({ modifiedCount: 1, version: 5 });
    expect((await admin.call('PUT', path, PARCEL)).body).toMatchObject({ modifiedCount: 0, version: 5 });
    expect(await view(orderId)).toMatchObject(PARCEL);
    const { token } = (await shopper.call('POST', `/orders/${orderId}/tracking`)).body as { token: string };
    const tracked = await shop.call('GET', '/tracking', { headers: { 'x-tracking-token': token } });
    expect(tracked.body).toMatchObject({ status: 'shipped', ...PARCEL });
  });

  it("C29 ORD12 an unknown carrier is refused, and so is a tracking number that could change the URL of the carrier's tracking page", async () => {
    const shop = await open();
    const { admin, paid } = await shipping(shop);
    const orderId = await paid();
    for (const body of [
      { ...PARCEL, carrier: 'https://evil.test/' },
      { carrier: 'steadfast' },
      { ...PARCEL, trackingNumber: '../../x?y=1' },
      { ...PARCEL, trackingNumber: 'ab' },
    ]) {
      expect((await admin.call('PUT', `/orders/${orderId}`, body)).status).toBe(422);
      expect((await admin.call('PUT', `/orders/${orderId}/parcel`, body)).status).toBe(422);
    }
    expect(parcelLink('steadfast', 'SF-1042')).toBe('https://steadfast.com.bd/t/SF-1042');
  });
});

describe("ORD13 the actor of each step in an order's timeline", () => {
  it('only admins see who took each step of an order, and nothing sent to the customer or to users of a tracking link names an admin', async () => {
    const shop = await open();
    const { admin, shopper, second, paid, withdraw, timeline } = await shipping(shop);
    const orderId = await paid();
    await shopper.call('PUT', `/orders/${orderId}/delivery`, { address: 'House 9, Sylhet' });
    await second.call('PUT', `/orders/${orderId}`, PARCEL);
    await withdraw(orderId, { shipment: 1, reason: 'damaged' });
    await second.call('PUT', `/orders/${orderId}`);
    expect((await timeline(orderId)).map(({ type, by }) => `${type} ${by}`)).toEqual([
      'placed customer',
      'paid system',
      'delivery_changed customer',
      'shipped mina',
      'parcel_recorded mina',
      'shipment_withdrawn boss',
      'shipped mina',
    ]);
    const { token } = (await shopper.call('POST', `/orders/${orderId}/tracking`)).body as { token: string };
    const bytes: string[] = [];
    for (const path of ['', '/timeline', '/tracking']) {
      bytes.push(JSON.stringify((await shopper.call('GET', `/orders/${orderId}${path}`)).body));
    }
    bytes.push(JSON.stringify((await shopper.call('GET', `/individual?email=${shopper.email}`)).body));
    bytes.push(JSON.stringify((await shopper.call('GET', `/users/${shopper.email}/export`)).body));
    bytes.push(JSON.stringify((await shop.call('GET', '/tracking', { headers: { 'x-tracking-token': token } })).body));
    const admins = [admin, second].flatMap(({ email }) => [email, email.split('@')[0] ?? '', shop.userId(email)]);
    for (const sent of bytes) {
      expect(sent).not.toContain('"by"');
      for (const name of admins) expect(sent).not.toContain(name);
    }
    await admin.call('DELETE', `/users/${second.email}`);
    expect((await timeline(orderId)).at(-1)?.by).toBe('a former admin');
  });
});
