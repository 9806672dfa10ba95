import { describe, expect, it } from 'vitest';
import { addProduct, orderOf, type Person } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, type TestShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

/**
 * A change, and the path of a list that must include the change. `shows` matches the part of the list's response that
 * reflects the change.
 */
interface Case {
  readonly change: (parts: Awaited<ReturnType<typeof stockedShop>>, shop: TestShop) => Promise<unknown>;
  readonly path: (shopper: Person) => string;
  readonly shows: unknown;
}

const CASES: Record<string, Case> = {
  '/products': {
    change: ({ admin }) => addProduct(admin, { name: 'Late Tower' }),
    path: () => '/products',
    shows: expect.objectContaining({ name: 'Late Tower' }),
  },
  '/product': {
    change: ({ admin }) => addProduct(admin, { name: 'Late Tower' }),
    path: () => '/product?name=Late%20Tower',
    shows: expect.objectContaining({ name: 'Late Tower' }),
  },
  '/orders': {
    change: ({ place }) => place(7),
    path: () => '/orders',
    shows: expect.objectContaining({ quantity: 7 }),
  },
  '/board/counts': {
    change: ({ place }) => place(7),
    path: () => '/board/counts',
    shows: { all: 1, unpaid: 1, paid: 0, shipped: 0 },
  },
  '/board/export': {
    change: ({ place }) => place(7),
    path: () => '/board/export',
    shows: expect.stringContaining(',Tower One,7,1000,7000,rumi,rumi@shop.test,'),
  },
  '/individual': {
    change: ({ place }) => place(7),
    path: ({ email }) => `/individual?email=${email}`,
    shows: expect.objectContaining({ quantity: 7 }),
  },
  '/users': {
    change: (_parts, shop) => shop.signIn('late@shop.test'),
    path: () => '/users',
    shows: expect.objectContaining({ email: 'late@shop.test' }),
  },
  '/reviews': {
    change: ({ shopper }) => {
      const review = { name: 'Tower One', ratings: 5, username: 'Rumi', description: 'Late, and good.' };
      return shopper.call('POST', '/reviews', review);
    },
    path: () => '/reviews',
    shows: expect.objectContaining({ description: 'Late, and good.' }),
  },
};

/** Resolves after a few other requests have been served. A request without a response by then counts as waiting. */
async function someCallsLater(shop: TestShop): Promise<'waits'> {
  for (let calls = 0; calls < 5; calls += 1) await shop.call('GET', '/healthz');
  return 'waits';
}

describe('a list requested right after a command', () => {
  it.each(Object.entries(CASES))(
    'READ1 GET %s right after a change waits for the projection and then shows the change',
    async (_list, { change, path, shows }) => {
      const shop = await open();
      const parts = await stockedShop(shop);
      await shop.feed.caughtUp();
      const release = shop.holdProjection();
      await change(parts, shop);
      const list = parts.admin.call('GET', path(parts.shopper));
      expect(await Promise.race([list.then(() => 'answered'), someCallsLater(shop)])).toBe('waits');
      release();
      expect([(await list).body].flat()).toContainEqual(shows);
    },
  );

  it('READ1 a list is not delayed by a change that is projected as soon as it is appended', async () => {
    const waits: Promise<boolean>[] = [];
    const shop = await open(({ readYourWrites }) => ({
      readYourWrites: {
        ...readYourWrites,
        caughtUp(kind) {
          const wait = readYourWrites.caughtUp(kind);
          waits.push(wait);
          return wait;
        },
      },
    }));
    const { admin, productId } = await stockedShop(shop);
    await shop.feed.caughtUp();
    for (const price of [1, 2, 3]) {
      await admin.call('PUT', `/products/${productId}`, { price });
      expect((await admin.call('GET', '/products')).body).toMatchObject([{ price }]);
    }
    // False would mean that the list was read only after the longest time that it may wait.
    expect(await Promise.all(waits)).toEqual([true, true, true]);
  });

  it('READ1 an order by product name waits for the projection, so a product can be ordered right after it was added', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    await addProduct(admin, { name: 'Late Tower' });
    const { productId: _, ...order } = { ...orderOf(shopper, ''), product: 'Late Tower' };
    const placing = shopper.call('POST', '/orders', order);
    expect(await Promise.race([placing.then(() => 'answered'), someCallsLater(shop)])).toBe('waits');
    release();
    expect((await placing).status).toBe(201);
  });

  it('READ1 ERASE1 a personal data export includes an order placed just before the export was requested', async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop);
    await shop.feed.caughtUp();
    const release = shop.holdProjection();
    const orderId = await place(7);
    const exporting = shopper.call('GET', `/users/${shopper.email}/export`);
    expect(await Promise.race([exporting.then(() => 'answered'), someCallsLater(shop)])).toBe('waits');
    release();
    expect((await exporting).body).toMatchObject({ orders: [{ order: { _id: orderId, quantity: 7 } }] });
  });

  it.each(['placed and paid', 'paid'])(
    "ERASE1 an account can't be erased if one of its orders was just %s, even before the order's events are projected",
    async (last) => {
      const shop = await open();
      const { shopper, place, pay } = await stockedShop(shop, { price: 1_000 });
      const projected = last === 'paid' ? await place(1) : null;
      await shop.feed.caughtUp();
      const release = shop.holdProjection();
      await pay(projected ?? (await place(1)), 1_000);
      // The projection is released only after the response has arrived, so the response can't have waited for the
      // projection.
      const answer = await shopper.call('DELETE', `/users/${shopper.email}`);
      release();
      expect(answer).toMatchObject({ status: 409, body: { code: 'order_on_its_way' } });
      expect(await shop.history('user', shop.userId(shopper.email))).toEqual(['UserRegistered']);
    },
  );
});
