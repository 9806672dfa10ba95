import type { ShipmentOutcome } from '../../contracts/order/order-answers.ts';
import type { OrderView } from '../../contracts/order/order-view.ts';
import type { TimelineEntry } from '../../contracts/order/timeline.ts';
import { stockedShop, type TestShop, type testShops } from '../../http/test-shop.fixture.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { orderDecider } from './decide-order.ts';

export const [SECOND, MINUTE] = [1_000, 60_000];
export const PARCEL = { carrier: 'steadfast', trackingNumber: 'SF-1042' } as const;

/**
 * Opens a shop in which commands on one order fail because the log is unavailable. `lose` selects the order, and
 * `lose(undefined)` ends the outage.
 */
export async function openLosing(open: ReturnType<typeof testShops>) {
  let lost: string | undefined;
  const shop = await open(({ handler }) => ({
    handler: {
      ...handler,
      execute: (decider, id, ...rest) =>
        id === lost ? Promise.reject(new StoreUnavailable('log')) : handler.execute(decider, id, ...rest),
    },
  }));
  return {
    shop,
    lose(id: string | undefined) {
      lost = id;
    },
  };
}

/** Stocks a shop, adds a second admin, and returns helpers that pay for orders without Stripe, ship them and read them. */
export async function shipping(shop: TestShop) {
  const stocked = await stockedShop(shop, { quantity: 1000 });
  const { admin, shopper, place } = stocked;
  const second = await shop.signIn('mina@shop.test');
  await admin.call('PUT', `/users/admin/${second.email}`);

  /** Places an order, pays for it and returns its id. The order is at version 2 afterwards. */
  async function paidBy(buyer: typeof shopper): Promise<string> {
    const orderId = await place(1, buyer);
    const settle = { type: 'SettlePayment', intent: `pi_${orderId}`, amount: 100_000, currency: 'bdt' } as const;
    const meta = { cause: 'settle', actor: 'system:test', correlationId: 'test', time: '2026-02-03T04:05:06.000Z' };
    await shop.dependencies.handler.execute(orderDecider, orderId, settle, meta);
    return orderId;
  }
  const paid = () => paidBy(shopper);
  const seen = (ids: readonly string[], version = 2) => ({ orders: ids.map((id) => ({ id, version })) });
  const ship = async (ids: readonly string[], key: string, by = admin) => {
    const { status, body } = await by.call('POST', '/shipments', seen(ids), { 'idempotency-key': key });
    if (status !== 200) throw new Error(`Could not ship the orders: ${status} ${JSON.stringify(body)}`);
    return body as ShipmentOutcome[];
  };
  const withdraw = (orderId: string, body: object, headers = {}) =>
    admin.call('POST', `/orders/${orderId}/withdrawal`, body, headers);
  const view = async (orderId: string, by = shopper) => (await by.call('GET', `/orders/${orderId}`)).body as OrderView;
  const timeline = async (orderId: string, by = admin) =>
    (await by.call('GET', `/orders/${orderId}/timeline`)).body as TimelineEntry[];
  const shipments = async (orderId: string) =>
    (await shop.history('order', orderId)).filter((type) => type === 'OrderShipped').length;
  return { ...stocked, second, paid, paidBy, seen, ship, withdraw, view, timeline, shipments };
}
