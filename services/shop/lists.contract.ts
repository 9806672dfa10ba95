import { describe, expect, it } from 'vitest';
import { isLowStock } from '../contracts/product/stock.ts';
import { InvalidCursor } from '../engine/read-models/cursor.ts';
import {
  allPages,
  byCreation,
  ids,
  NEWEST,
  OLDEST,
  type StartReadModels,
  useReadModels,
} from '../engine/read-models/read-models.fixture.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import {
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
  second,
} from '../engine/read-models/sample-documents.fixture.ts';
import { orderList } from './order/order-documents.ts';
import { productList } from './product/product-documents.ts';
import { reviewList } from './review/review-documents.ts';
import { askingShop } from './shop-read-models.fixture.ts';

export function listsContract(adapter: string, start: StartReadModels): void {
  describe(`The shop's queries: ${adapter}: lists`, () => {
    let models: ReadModels;
    let shop: ReturnType<typeof askingShop>;
    useReadModels(start, (opened) => {
      models = opened;
      shop = askingShop(models);
    });

    it("LIST1 every list is sorted by the time of each document's first event and then by id, oldest or newest first", async () => {
      const times = [5, 1, 3, 3, 3, 2, 5].map(second);
      const [orders, products, users, reviews] = [
        times.map((createdAt) => sampleOrder({ createdAt })),
        times.map((createdAt) => sampleProduct({ createdAt })),
        times.map((createdAt) => sampleUser({ createdAt })),
        times.map((createdAt) => sampleReview({ createdAt })),
      ];
      await models.save([...orders, ...products, ...users, ...reviews]);
      const lists = [
        [orders, shop.orderList],
        [products, shop.productList],
        [users, shop.userList],
        [reviews, shop.reviewList],
      ] as const;
      for (const [saved, list] of lists) {
        expect(ids((await list(OLDEST)).items)).toEqual(byCreation(saved));
        expect(ids((await list(NEWEST)).items)).toEqual(byCreation(saved).reverse());
      }
    });

    it('LIST1 pages of any size together make up the whole list, even if several documents were created at the same time', async () => {
      const orders = Array.from({ length: 23 }, (_, index) =>
        sampleOrder({ createdAt: second(Math.floor(index / 6)) }),
      );
      await models.save(orders);
      for (const limit of [1, 4, 22, 23, 24]) {
        for (const sort of ['oldest', 'newest'] as const) {
          const pages = await allPages(shop.orderList, { limit, sort });
          const whole = byCreation(orders);
          expect(ids(pages.flat())).toEqual(sort === 'oldest' ? whole : whole.reverse());
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
          expect(pages.at(-1)?.length).toBeGreaterThan(0);
        }
      }
      expect(await shop.reviewList(OLDEST)).toEqual({ items: [], next: null, version: expect.any(String) });
    });

    it("READ2 a page's version changes when a document on the page is added, changed or removed, and stays the same otherwise", async () => {
      const [product, order, review] = [sampleProduct(), sampleOrder(), sampleReview()];
      const inStock = { ...NEWEST, inStock: true };
      const own = { ...OLDEST, customer: order.customer };
      const versions = () =>
        Promise.all([
          models.versionOf(productList(inStock), inStock),
          models.versionOf(orderList(own), own),
          models.versionOf(reviewList(NEWEST), NEWEST),
        ]);
      const steps = [
        [product, order, review],
        [product, order, review].map((document) => ({ ...document, version: 2 })),
        [
          { ...product, version: 3, removed: true },
          { ...order, version: 3, status: 'cancelled' as const },
          { ...review, version: 3 },
        ],
      ];
      for (const documents of steps) {
        const before = await versions();
        await models.save(documents);
        const after = await versions();
        expect(after.map((version, list) => version === before[list])).toEqual([false, false, false]);
        const pages = [await shop.productList(inStock), await shop.orderList(own), await shop.reviewList(NEWEST)];
        expect(pages.map(({ version }) => version)).toEqual(after);
        await models.save(documents);
        expect(await versions()).toEqual(after);
      }
      const kept = await models.versionOf(reviewList(NEWEST), NEWEST);
      await models.clear();
      expect(await models.versionOf(reviewList(NEWEST), NEWEST)).not.toBe(kept);
    });

    it('LIST1 paging through a list returns each existing document exactly once, even while documents are added and changed', async () => {
      const orders = Array.from({ length: 20 }, (_, index) => sampleOrder({ createdAt: second(index * 10) }));
      await models.save(orders);
      let round = 0;
      const pages = await allPages(shop.orderList, { limit: 3, sort: 'newest' }, async () => {
        round += 1;
        const changed = orders.map((order) => ({ ...order, version: 1 + round, status: 'paid' as const }));
        const earlier = sampleOrder({ createdAt: second(200 - round * 30 + 1) });
        await models.save([...changed, earlier, sampleOrder({ createdAt: second(1000 + round) })]);
      });
      const shown = ids(pages.flat());
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.filter((id) => ids(orders).includes(id))).toEqual(byCreation(orders).reverse());
    });

    it('LIST1 a cursor that is malformed or belongs to another list or sort order is rejected', async () => {
      await models.save(Array.from({ length: 4 }, (_, index) => sampleOrder({ createdAt: second(index) })));
      await models.save(Array.from({ length: 4 }, (_, index) => sampleProduct({ createdAt: second(index) })));
      const { next } = await shop.orderList({ sort: 'oldest', limit: 2 });
      const cursor = next ?? '';
      expect((await shop.orderList({ sort: 'oldest', limit: 2, cursor })).items).toHaveLength(2);
      const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const bad = ['', 'x', '%%%', cursor.slice(0, -6), made(null), made([]), made({}), made('oldest')];
      const byPrice = (await shop.productList({ sort: 'oldest', limit: 2, order: 'price' })).next ?? '';
      const refused: (() => Promise<unknown>)[] = [
        () => shop.orderList({ sort: 'newest', limit: 2, cursor }),
        () => shop.userList({ sort: 'oldest', limit: 2, cursor }),
        () => shop.productList({ sort: 'oldest', limit: 2, cursor }),
        ...bad.map((cursor) => () => shop.orderList({ sort: 'oldest', limit: 2, cursor })),
        ...(['-price', 'name', undefined] as const).map(
          (order) => () => shop.productList({ sort: 'oldest', limit: 2, order, cursor: byPrice }),
        ),
      ];
      for (const listing of refused) await expect(listing()).rejects.toThrow(InvalidCursor);
    });

    it('PRJ5 cancelled orders and removed products are left out of lists but can still be read by id', async () => {
      const [order, product] = [sampleOrder(), sampleProduct()];
      await models.save([order, product]);
      const cancelled = { ...order, version: 2, status: 'cancelled' as const };
      const removed = { ...product, version: 2, removed: true };
      await models.save([cancelled, removed]);
      await models.save([order, product]);
      expect((await shop.orderList(OLDEST)).items).toEqual([]);
      expect((await shop.orderList({ ...OLDEST, customer: order.customer })).items).toEqual([]);
      for (const by of ['price', '-price', 'name', undefined] as const) {
        expect((await shop.productList({ ...OLDEST, order: by })).items).toEqual([]);
      }
      expect(await shop.productsNamed(product.name)).toEqual([]);
      expect(await models.get('order', order.id)).toEqual(cancelled);
      expect(await models.get('product', product.id)).toEqual(removed);
    });

    it('O1 orders can be filtered by customer, by status or by both', async () => {
      const [mine, others] = ['c'.repeat(24), 'd'.repeat(24)];
      const statuses = ['unpaid', 'paid', 'shipped', 'cancelled'] as const;
      const orders = [mine, others].flatMap((customer) =>
        statuses.map((status, index) => sampleOrder({ customer, status, createdAt: second(index) })),
      );
      await models.save(orders);
      const expected = (customer: string, wanted: readonly string[]) =>
        ids(orders.filter((order) => order.customer === customer && wanted.includes(order.status)));
      const listed = async (customer: string | undefined, status?: (typeof statuses)[number]) =>
        ids((await shop.orderList({ ...OLDEST, customer, status })).items);
      expect(await listed(mine)).toEqual(expected(mine, ['unpaid', 'paid', 'shipped']));
      for (const status of statuses) {
        expect(await listed(mine, status)).toEqual(expected(mine, [status]));
        expect((await listed(undefined, status)).sort()).toEqual(
          [...expected(mine, [status]), ...expected(others, [status])].sort(),
        );
      }
      expect(await listed('e'.repeat(24))).toEqual([]);
      const paged = await allPages(shop.orderList, { customer: mine, limit: 1, sort: 'newest' });
      expect(ids(paged.flat())).toEqual(expected(mine, ['unpaid', 'paid', 'shipped']).reverse());
    });

    it('A7 the low-stock list contains the products whose stock is below 5 or below twice their minimum order', async () => {
      const product = (quantity: number, minorder: number, name = 'Tower') =>
        sampleProduct({ name, quantity, minorder, createdAt: second(quantity) });
      const [none, four, nine, five, ten] = [
        product(0, 1),
        product(4, 1),
        product(9, 5, 'Slate'),
        product(5, 1),
        product(10, 5),
      ];
      await models.save([none, four, nine, five, ten]);
      const found = async (request: { q?: string; stock?: 'low' }) =>
        ids((await shop.productList({ ...OLDEST, ...request })).items);
      expect(await found({ stock: 'low' })).toEqual([none.id, four.id, nine.id]);
      expect([none, four, nine, five, ten].filter(isLowStock)).toEqual([none, four, nine]);
      expect(await found({ stock: 'low', q: 'slate' })).toEqual([nine.id]);
      expect(await found({})).toHaveLength(5);
    });

    it('PRJ5 a closed account is left out of the list of users but can still be read by id', async () => {
      const [open, closed] = [sampleUser(), sampleUser()];
      await models.save([open, closed]);
      const tombstone = { ...closed, version: 2, closed: true as const };
      await models.save([tombstone]);
      for (const q of ['', 'farida']) {
        expect(ids((await shop.userList({ ...OLDEST, q })).items)).toEqual([open.id]);
      }
      expect(await models.get('user', closed.id)).toEqual(tombstone);
    });

    it('LIST1 pages of products can be sorted by price in either direction or by name, with ties broken by id', async () => {
      const products = [900, 12_000, 900, 50, 12_000, 900].map((price, index) =>
        sampleProduct({ price, name: `Case ${'CABBAC'[index]}`, createdAt: second(index) }),
      );
      await models.save(products);
      const sorted = (key: (product: (typeof products)[number]) => string) =>
        ids([...products].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
      const paged = async (order: 'price' | '-price' | 'name', sort: 'oldest' | 'newest') =>
        ids((await allPages((request) => shop.productList({ ...request, order }), { limit: 2, sort })).flat());
      const byPrice = sorted(({ price, id }) => `${String(price).padStart(9, '0')} ${id}`);
      for (const sort of ['oldest', 'newest'] as const) {
        expect(await paged('price', sort)).toEqual(byPrice);
        expect(await paged('-price', sort)).toEqual([...byPrice].reverse());
        expect(await paged('name', sort)).toEqual(sorted(({ name, id }) => `${name} ${id}`));
      }
    });

    it('C19 productsNamed() returns the products with exactly the given name, excluding removed products', async () => {
      const [one, two] = [sampleProduct({ name: 'Tower' }), sampleProduct({ name: 'Tower' })];
      await models.save([one, two, sampleProduct({ name: 'tower' }), sampleProduct({ name: 'Tower', removed: true })]);
      await models.save([sampleProduct({ name: 'Tower Two' })]);
      expect(ids(await shop.productsNamed('Tower')).sort()).toEqual([one.id, two.id].sort());
      expect(await shop.productsNamed('Towe_')).toEqual([]);
    });

    it('RATE1 findIds() returns the ids of the documents in a list, up to a limit', async () => {
      const products = [1, 2, 2, 4].map((at) => sampleProduct({ createdAt: second(at) }));
      await models.save([...products, sampleProduct({ createdAt: second(3), removed: true })]);
      const idsOf = async (limit: number) => ids(await models.findIds(productList({ sort: 'newest' }), { limit }));
      const newest = byCreation(products).toReversed();
      expect([await await idsOf(100), await idsOf(2)]).toEqual([newest, newest.slice(0, 2)]);
    });

    it('C22 LIST1 the reviews of one item can be listed in pages', async () => {
      const reviews = Array.from({ length: 7 }, (_, index) =>
        sampleReview({ name: index % 2 === 0 ? 'Tower' : 'Tower 2', createdAt: second(index) }),
      );
      await models.save(reviews);
      const of = (name: string) => ids(byTime.filter((review) => review.name === name));
      const byTime = reviews.toReversed();
      const pages = await allPages(shop.reviewList, { name: 'Tower', limit: 3, sort: 'newest' });
      expect(ids(pages.flat())).toEqual(of('Tower'));
      expect(ids((await shop.reviewList({ ...NEWEST, name: 'Tower 2' })).items)).toEqual(of('Tower 2'));
      expect((await shop.reviewList({ ...NEWEST, name: 'tower' })).items).toEqual([]);
    });
  });
}
