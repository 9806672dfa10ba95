import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnyDocument, OrderDocument } from '../../contracts/documents.ts';
import { isFoundBy } from '../../contracts/search-text.ts';
import { isLowStock } from '../../contracts/stock.ts';
import {
  InvalidCursor,
  MOST_COUNTED,
  type Page,
  type PageRequest,
  type ReadModels,
  type VersionedId,
} from './read-models.ts';
import {
  freshId,
  sampleMail,
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
  second,
} from './sample-documents.fixture.ts';
import { searchText } from './search-text.ts';

/** Empty read models of their own. */
export interface ReadModelsHarness {
  readonly readModels: ReadModels;
  /** Closes them and opens others on the same data. */
  reopen(): Promise<ReadModels>;
  /** Closes what is open and removes the data. */
  dispose(): Promise<void>;
}

const OLDEST = { sort: 'oldest', limit: 100 } as const;
const NEWEST = { sort: 'newest', limit: 100 } as const;

const ids = (documents: readonly VersionedId[]) => documents.map(({ id }) => id);

/** The sorting of lists: by time of the first event, then id. */
function byCreation(documents: readonly AnyDocument[]): string[] {
  const key = ({ createdAt, id }: AnyDocument) => `${createdAt} ${id}`;
  return ids([...documents].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
}

/** All pages of a list, each by the cursor of the one before; `between` runs before each further page. */
async function allPages<D extends AnyDocument>(
  list: (request: PageRequest) => Promise<Page<D>>,
  request: PageRequest,
  between: () => Promise<void> = async () => {},
): Promise<D[][]> {
  const pages: D[][] = [];
  let page = await list(request);
  for (;;) {
    pages.push(page.items);
    if (page.next === null) return pages;
    await between();
    page = await list({ ...request, cursor: page.next });
  }
}

/** What every adapter of ReadModels keeps. */
export function readModelsContract(adapter: string, start: () => Promise<ReadModelsHarness>): void {
  describe(`ReadModels: ${adapter}`, () => {
    let harness: ReadModelsHarness;
    let models: ReadModels;
    beforeEach(async () => {
      harness = await start();
      models = harness.readModels;
    });
    afterEach(() => harness.dispose());

    it('PRJ1 answers a saved document of each kind as it was saved, and null for what is not there', async () => {
      const order = sampleOrder({
        owes: { intents: ['pi_1'], refunds: [{ intent: 'pi_2', amount: 5, reason: 'already_paid' }] },
      });
      const [product, user, review, mail] = [sampleProduct(), sampleUser(), sampleReview(), sampleMail(60)];
      await models.save([order, product, user, review, mail]);
      expect(await models.get('order', order.id)).toEqual(order);
      expect(await models.get('product', product.id)).toEqual(product);
      expect(await models.get('user', user.id)).toEqual(user);
      expect(await models.get('review', review.id)).toEqual(review);
      expect(await models.get('mail', mail.id)).toEqual(mail);
      expect(await models.get('order', product.id)).toBeNull();
      for (const id of ['', 'no id', "' OR 1=1 --", '$where', '💥']) expect(await models.get('order', id)).toBeNull();
    });

    it('PRJ3 fields come back in the order in which they were saved: a rebuild is byte-equal', async () => {
      const order = sampleOrder();
      await models.save([order]);
      expect(JSON.stringify(await models.get('order', order.id))).toBe(JSON.stringify(order));
    });

    it('PRJ1 answers those of many that are there', async () => {
      const orders = [sampleOrder(), sampleOrder(), sampleOrder({ status: 'cancelled' })];
      await models.save(orders);
      const found = await models.getMany('order', [...ids(orders), freshId(), ...ids(orders)]);
      expect(ids(found).sort()).toEqual(ids(orders).sort());
      expect(await models.getMany('order', [])).toEqual([]);
    });

    it('PRJ1 a document is replaced by a higher version alone, also within one save', async () => {
      const third = sampleOrder({ version: 3, name: 'third' });
      const versions = (version: number) => ({ ...third, version, name: `version ${version}` });
      await models.save([third]);
      await models.save([versions(2)]);
      await models.save([versions(3)]);
      expect(await models.get('order', third.id)).toEqual(third);
      await models.save([versions(5), versions(4)]);
      expect(await models.get('order', third.id)).toEqual(versions(5));
      await models.save([versions(6), versions(7)]);
      expect(await models.get('order', third.id)).toEqual(versions(7));
    });

    it('PRJ1 saves that race leave the highest version of each document', async () => {
      const products = Array.from({ length: 5 }, () => sampleProduct());
      const saves = Array.from({ length: 40 }, (_, index) => (index * 17) % 40).map((version) =>
        models.save(products.map((product) => ({ ...product, version: version + 1, quantity: version + 1 }))),
      );
      await Promise.all(saves);
      for (const { id } of products)
        expect(await models.get('product', id)).toMatchObject({ version: 40, quantity: 40 });
    });

    it('PRJ1 an older version in a save does not keep the others from being saved', async () => {
      const [kept, fresh] = [sampleOrder({ version: 2 }), sampleOrder()];
      await models.save([kept]);
      await models.save([{ ...kept, version: 1 }, fresh]);
      expect(await models.get('order', kept.id)).toEqual(kept);
      expect(await models.get('order', fresh.id)).toEqual(fresh);
      await models.save([]);
    });

    it('E2 PRJ6 a save answers what is kept and newer than what it brought', async () => {
      const [order, product] = [sampleOrder({ version: 5, status: 'cancelled' }), sampleProduct({ version: 2 })];
      expect(await models.save([order, product])).toEqual([]);
      const fresh = sampleOrder();
      expect(await models.save([{ ...order, version: 1, status: 'unpaid' }, fresh, product])).toEqual([order]);
      expect(await models.save([{ ...product, version: 3 }, { ...order, version: 6 }, fresh])).toEqual([]);
      expect(await models.save([])).toEqual([]);
    });

    it('PRJ1 opened again they hold what was saved', async () => {
      const order = sampleOrder();
      await models.save([order]);
      models = await harness.reopen();
      expect(await models.get('order', order.id)).toEqual(order);
      expect((await models.listOrders(OLDEST)).items).toEqual([order]);
    });

    it('LIST1 every list is ordered by time of the first event and id, oldest or newest first', async () => {
      const times = [5, 1, 3, 3, 3, 2, 5].map(second);
      const [orders, products, users, reviews] = [
        times.map((createdAt) => sampleOrder({ createdAt })),
        times.map((createdAt) => sampleProduct({ createdAt })),
        times.map((createdAt) => sampleUser({ createdAt })),
        times.map((createdAt) => sampleReview({ createdAt })),
      ];
      await models.save([...orders, ...products, ...users, ...reviews]);
      const lists = [
        [orders, models.listOrders],
        [products, models.listProducts],
        [users, models.listUsers],
        [reviews, models.listReviews],
      ] as const;
      for (const [saved, list] of lists) {
        expect(ids((await list(OLDEST)).items)).toEqual(byCreation(saved));
        expect(ids((await list(NEWEST)).items)).toEqual(byCreation(saved).reverse());
      }
    });

    it('LIST1 pages of any size make up the whole list, also where times tie', async () => {
      const orders = Array.from({ length: 23 }, (_, index) =>
        sampleOrder({ createdAt: second(Math.floor(index / 6)) }),
      );
      await models.save(orders);
      for (const limit of [1, 4, 22, 23, 24]) {
        for (const sort of ['oldest', 'newest'] as const) {
          const pages = await allPages(models.listOrders, { limit, sort });
          const whole = byCreation(orders);
          expect(ids(pages.flat())).toEqual(sort === 'oldest' ? whole : whole.reverse());
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
          expect(pages.at(-1)?.length).toBeGreaterThan(0);
        }
      }
      expect(await models.listReviews(OLDEST)).toEqual({ items: [], next: null, version: expect.any(String) });
    });

    it('READ2 a page has another version once a document enters, changes or leaves it, and the same while none does', async () => {
      const [product, order, review] = [sampleProduct(), sampleOrder(), sampleReview()];
      const inStock = { ...NEWEST, inStock: true };
      const own = { ...OLDEST, customer: order.customer };
      const versions = () =>
        Promise.all([
          models.versionOf('product', inStock),
          models.versionOf('order', own),
          models.versionOf('review', NEWEST),
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
        const pages = [
          await models.listProducts(inStock),
          await models.listOrders(own),
          await models.listReviews(NEWEST),
        ];
        expect(pages.map(({ version }) => version)).toEqual(after);
        await models.save(documents);
        expect(await versions()).toEqual(after);
      }
      const kept = await models.versionOf('review', NEWEST);
      await models.clear();
      expect(await models.versionOf('review', NEWEST)).not.toBe(kept);
    });

    it('LIST1 paging while documents come and change shows each that was there exactly once', async () => {
      const orders = Array.from({ length: 20 }, (_, index) => sampleOrder({ createdAt: second(index * 10) }));
      await models.save(orders);
      let round = 0;
      const pages = await allPages(models.listOrders, { limit: 3, sort: 'newest' }, async () => {
        round += 1;
        const changed = orders.map((order) => ({ ...order, version: 1 + round, status: 'paid' as const }));
        const earlier = sampleOrder({ createdAt: second(200 - round * 30 + 1) });
        await models.save([...changed, earlier, sampleOrder({ createdAt: second(1000 + round) })]);
      });
      const shown = ids(pages.flat());
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.filter((id) => ids(orders).includes(id))).toEqual(byCreation(orders).reverse());
    });

    it('LIST1 a cursor that was never given, or for another list or sort, is refused', async () => {
      await models.save(Array.from({ length: 4 }, (_, index) => sampleOrder({ createdAt: second(index) })));
      await models.save(Array.from({ length: 4 }, (_, index) => sampleProduct({ createdAt: second(index) })));
      const { next } = await models.listOrders({ sort: 'oldest', limit: 2 });
      const cursor = next ?? '';
      expect((await models.listOrders({ sort: 'oldest', limit: 2, cursor })).items).toHaveLength(2);
      const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const bad = ['', 'x', '%%%', cursor.slice(0, -6), made(null), made([]), made({}), made('oldest')];
      const byPrice = (await models.listProducts({ sort: 'oldest', limit: 2, order: 'price' })).next ?? '';
      const refused: (() => Promise<unknown>)[] = [
        () => models.listOrders({ sort: 'newest', limit: 2, cursor }),
        () => models.listUsers({ sort: 'oldest', limit: 2, cursor }),
        () => models.listProducts({ sort: 'oldest', limit: 2, cursor }),
        ...bad.map((cursor) => () => models.listOrders({ sort: 'oldest', limit: 2, cursor })),
        ...(['-price', 'name', undefined] as const).map(
          (order) => () => models.listProducts({ sort: 'oldest', limit: 2, order, cursor: byPrice }),
        ),
      ];
      for (const listing of refused) await expect(listing()).rejects.toThrow(InvalidCursor);
    });

    it('PRJ5 cancelled orders and removed products leave the lists but are still answered by id', async () => {
      const [order, product] = [sampleOrder(), sampleProduct()];
      await models.save([order, product]);
      const cancelled = { ...order, version: 2, status: 'cancelled' as const };
      const removed = { ...product, version: 2, removed: true };
      await models.save([cancelled, removed]);
      await models.save([order, product]);
      expect((await models.listOrders(OLDEST)).items).toEqual([]);
      expect((await models.listOrders({ ...OLDEST, customer: order.customer })).items).toEqual([]);
      for (const by of ['price', '-price', 'name', undefined] as const) {
        expect((await models.listProducts({ ...OLDEST, order: by })).items).toEqual([]);
      }
      expect(await models.productsNamed(product.name)).toEqual([]);
      expect(await models.get('order', order.id)).toEqual(cancelled);
      expect(await models.get('product', product.id)).toEqual(removed);
    });

    it('O1 lists the orders of one customer, by status where asked', async () => {
      const [mine, others] = ['c'.repeat(24), 'd'.repeat(24)];
      const statuses = ['unpaid', 'paid', 'shipped', 'cancelled'] as const;
      const orders = [mine, others].flatMap((customer) =>
        statuses.map((status, index) => sampleOrder({ customer, status, createdAt: second(index) })),
      );
      await models.save(orders);
      const expected = (customer: string, wanted: readonly string[]) =>
        ids(orders.filter((order) => order.customer === customer && wanted.includes(order.status)));
      const listed = async (customer: string | undefined, status?: (typeof statuses)[number]) =>
        ids((await models.listOrders({ ...OLDEST, customer, status })).items);
      expect(await listed(mine)).toEqual(expected(mine, ['unpaid', 'paid', 'shipped']));
      for (const status of statuses) {
        expect(await listed(mine, status)).toEqual(expected(mine, [status]));
        expect((await listed(undefined, status)).sort()).toEqual(
          [...expected(mine, [status]), ...expected(others, [status])].sort(),
        );
      }
      expect(await listed('e'.repeat(24))).toEqual([]);
      const paged = await allPages((request) => models.listOrders({ ...request, customer: mine }), {
        limit: 1,
        sort: 'newest',
      });
      expect(ids(paged.flat())).toEqual(expected(mine, ['unpaid', 'paid', 'shipped']).reverse());
    });

    it('C13 U47 looks for q in id, product, name, e-mail, phone and address of orders, in any case and without wildcards', async () => {
      const order = sampleOrder({
        product: 'Émile 100% (X_1)',
        name: 'Nazrul',
        email: 'kazi@example.org',
        phone: '0199',
      });
      await models.save([order, sampleOrder({ createdAt: second(1) })]);
      const found = async (q: string) => ids((await models.listOrders({ ...OLDEST, q })).items);
      for (const q of [order.id, '100% (x', '(', 'X_1', 'ÉMILE', 'nazRUL', 'KAZI@', '0199']) {
        expect(await found(q)).toEqual([order.id]);
      }
      for (const q of ['100_', 'N%l', 'n.*l', 'X?1', '\\', '[a-z]', 'lake street']) {
        expect(await found(q)).toEqual([]);
      }
      for (const q of ['', 'lake road']) expect(await found(q)).toHaveLength(2);
    });

    it('U47 U36 FIND1 finds an order by phone in every spelling, by address, and in either encoding and digits', async () => {
      const home = sampleOrder({ phone: '01711459302', address: 'House 7, Road 27, Dhanmondi', name: 'জ\u09dfনুল' });
      const abroad = sampleOrder({
        phone: '8801711459302',
        createdAt: second(1),
        address: 'স\u09a1\u09bcক ২৭, Sylhet',
      });
      await models.save([home, abroad, sampleOrder({ createdAt: second(2), phone: '01811000000', address: 'Khulna' })]);
      const found = async (q: string) => ids((await models.listOrders({ ...OLDEST, q })).items);
      const numbers = [
        '01711459302',
        '8801711459302',
        '+8801711459302',
        '+880 1711-459302',
        '০১৭১১৪৫৯৩০২',
        '+৮৮০১৭১১৪৫৯',
      ];
      for (const q of numbers) expect(await found(q), q).toEqual([home.id, abroad.id]);
      for (const q of ['dhanmondi', 'ROAD ২৭ house', 'জ\u09dfনুল', 'জ\u09af\u09bcনুল']) {
        expect(await found(q), q).toEqual([home.id]);
      }
      for (const q of ['sylhet', 'স\u09dcক', 'স\u09a1\u09bcক 27']) expect(await found(q), q).toEqual([abroad.id]);
    });

    it('N2 ORD8 finds an order by its number, with its hyphen or without', async () => {
      const numbered = (number: string, second_: number) => sampleOrder({ number, createdAt: second(second_) });
      const [order, old] = [numbered('MC-1057', 0), numbered('MC-XANQ4C0S', 1)];
      await models.save([order, old, numbered('MC-1058', 2)]);
      const found = async (q: string) => ids((await models.listOrders({ ...OLDEST, q })).items);
      for (const q of ['MC-1057', 'mc1057', '1057', 'Tower MC-1057']) expect(await found(q), q).toEqual([order.id]);
      for (const q of ['MC-XANQ4C0S', 'mcxanq4c0s', 'xanq4c0s']) expect(await found(q), q).toEqual([old.id]);
    });

    it('C7 looks for each word of q in name, processor, gpu and description of products, and filters by stock', async () => {
      const product = sampleProduct({
        name: 'eXcross',
        processor: 'P-16',
        gpu: 'GX 9',
        description: 'Render farm',
        quantity: 0,
      });
      const other = sampleProduct({ createdAt: second(1) });
      await models.save([product, other]);
      const found = async (request: { q?: string; inStock?: boolean }) =>
        ids((await models.listProducts({ ...OLDEST, ...request })).items);
      for (const q of ['EXCROSS', 'p-16', 'gx 9', 'render FARM', 'farm  exc', 'far FAR ren p-1']) {
        expect(await found({ q })).toEqual([product.id]);
      }
      for (const q of ['gold', 'render gold', 'ren.*', 'f_rm']) expect(await found({ q })).toEqual([]);
      expect(await found({ q: ' ' })).toHaveLength(2);
      expect(await found({ inStock: true })).toEqual([other.id]);
      expect(await found({ inStock: false })).toEqual([product.id]);
      expect(await found({ q: 'excross', inStock: true })).toEqual([]);
    });

    it('A7 finds the products whose stock is low: below 5, or below two of the smallest orders', async () => {
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
        ids((await models.listProducts({ ...OLDEST, ...request })).items);
      expect(await found({ stock: 'low' })).toEqual([none.id, four.id, nine.id]);
      expect([none, four, nine, five, ten].filter(isLowStock)).toEqual([none, four, nine]);
      expect(await found({ stock: 'low', q: 'slate' })).toEqual([nine.id]);
      expect(await found({})).toHaveLength(5);
    });

    it('C4 looks for q in e-mail and name of users, in pages', async () => {
      const users = ['Anika Roy', 'ANIKA Sen', 'Émile Das', 'Kamal'].map((name, index) =>
        sampleUser({ name, email: `person-${index}@example.org`, createdAt: second(index) }),
      );
      await models.save(users);
      const found = async (q: string) => {
        const pages = await allPages((request) => models.listUsers({ ...request, q }), { limit: 1, sort: 'oldest' });
        return ids(pages.flat());
      };
      expect(await found('anika')).toEqual(ids(users.slice(0, 2)));
      expect(await found('ÉMILE')).toEqual(ids(users.slice(2, 3)));
      expect(await found('Person-3@')).toEqual(ids(users.slice(3)));
      for (const q of ['an%ka', 'a.ika', 'nobody']) expect(await found(q)).toEqual([]);
      expect(await found('')).toHaveLength(4);
    });

    it('S1 PRJ5 a closed account leaves the list but is still answered by id', async () => {
      const [open, closed] = [sampleUser(), sampleUser()];
      await models.save([open, closed]);
      const tombstone = { ...closed, version: 2, closed: true as const };
      await models.save([tombstone]);
      for (const q of ['', 'farida']) {
        expect(ids((await models.listUsers({ ...OLDEST, q })).items)).toEqual([open.id]);
      }
      expect(await models.get('user', closed.id)).toEqual(tombstone);
    });

    it('FIND1 finds every part of every word, however short or long, and nothing else', async () => {
      const texts = ['Zürich-9 π𝄞ß', `long ${'abcdefgh'.repeat(5)}-end`, 'aa aaa a', '100%_off\\ [x]'];
      const products = texts.map((description, index) => sampleProduct({ description, createdAt: second(index) }));
      await models.save(products);
      const parts = texts.flatMap((text) =>
        text.split(' ').flatMap((word) => {
          const characters = [...word];
          const cuts = [0, 1, Math.floor(characters.length / 2), characters.length - 1];
          return cuts.flatMap((from) =>
            [1, 2, 3, 11, 12, 13, 99].map((n) => characters.slice(from, from + n).join('')),
          );
        }),
      );
      for (const q of new Set([...parts, ...parts.map((part) => `${part}~`), 'aaaa', 'efghabcdefghabcdX', 'a 100%'])) {
        const wanted = products.filter((product) => isFoundBy(searchText(product), q));
        expect(ids((await models.listProducts({ ...OLDEST, q })).items), q).toEqual(ids(wanted));
      }
    });

    it('FIND1 an order’s number finds that order alone, not those that are longer', async () => {
      // An order is found by its id too, which must not say 1008 by chance.
      const numbered = ['MC-1008', 'MC-10080', 'MC-1108', 'MC-X1008ABC'].map((number, index) =>
        sampleOrder({ number, id: 'abcd'.charAt(index).repeat(24) }),
      );
      await models.save(numbered);
      const found = async (q: string) =>
        (await models.listOrders({ ...OLDEST, q })).items.map(({ number }) => number).sort();
      expect(await found('MC-1008')).toEqual(['MC-1008']);
      expect(await found('mc-1008 farida')).toEqual(['MC-1008']);
      expect(await found('MC-10080')).toEqual(['MC-10080']);
      expect(await found('mc-x1008abc')).toEqual(['MC-X1008ABC']);
      expect(await found('MC-1009')).toEqual([]);
      expect(await found('mc1008')).toEqual(['MC-1008', 'MC-10080']);
      expect(await found('1008')).toEqual(['MC-1008', 'MC-10080', 'MC-X1008ABC']);
      expect(await models.countOrders('MC-1008')).toMatchObject({ all: 1 });
    });

    it('FIND1 what a document says no more does not find it, and what it says now does', async () => {
      const user = sampleUser({ name: 'Anika Roy', email: 'anika@example.org' });
      const other = sampleUser({ name: 'Anika Sen', email: 'sen@example.org', createdAt: second(1) });
      await models.save([user, other]);
      await models.save([{ ...user, version: 2, name: 'erased', email: 'erased' }]);
      await models.save([user]);
      const found = async (q: string) => ids((await models.listUsers({ ...OLDEST, q })).items);
      expect(await found('anika')).toEqual([other.id]);
      expect(await found('anika@')).toEqual([]);
      expect(await found('eras')).toEqual([user.id]);
      await models.clear();
      expect(await found('anika')).toEqual([]);
      await models.save([user]);
      expect(await found('anika')).toEqual([user.id]);
    });

    it('FIND1 HTTP1 half of a surrogate pair, or none of a text, spoils nothing that is found', async () => {
      const odd = ['\ud800', 'Tower \udfff', '\0', 'Tower ৳ 🖥️', ''];
      const user = sampleUser({ name: 'Anika Roy' });
      for (let version = 1; version <= 20; version += 1) {
        await models.save([{ ...user, version, name: odd[version % odd.length] ?? '' }]);
      }
      await models.save([{ ...user, version: 21, name: 'Tower' }]);
      expect(ids((await models.listUsers({ ...OLDEST, q: 'tower' })).items)).toEqual([user.id]);
    });

    it('LIST1 orders products by price both ways and by name, with ties by id, in pages', async () => {
      const products = [900, 12_000, 900, 50, 12_000, 900].map((price, index) =>
        sampleProduct({ price, name: `Case ${'CABBAC'[index]}`, createdAt: second(index) }),
      );
      await models.save(products);
      const sorted = (key: (product: (typeof products)[number]) => string) =>
        ids([...products].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
      const paged = async (order: 'price' | '-price' | 'name', sort: 'oldest' | 'newest') =>
        ids((await allPages((request) => models.listProducts({ ...request, order }), { limit: 2, sort })).flat());
      const byPrice = sorted(({ price, id }) => `${String(price).padStart(9, '0')} ${id}`);
      for (const sort of ['oldest', 'newest'] as const) {
        expect(await paged('price', sort)).toEqual(byPrice);
        expect(await paged('-price', sort)).toEqual([...byPrice].reverse());
        expect(await paged('name', sort)).toEqual(sorted(({ name, id }) => `${name} ${id}`));
      }
    });

    it('C19 finds the products of exactly a name that are not removed', async () => {
      const [one, two] = [sampleProduct({ name: 'Tower' }), sampleProduct({ name: 'Tower' })];
      await models.save([one, two, sampleProduct({ name: 'tower' }), sampleProduct({ name: 'Tower', removed: true })]);
      await models.save([sampleProduct({ name: 'Tower Two' })]);
      expect(ids(await models.productsNamed('Tower')).sort()).toEqual([one.id, two.id].sort());
      expect(await models.productsNamed('Towe_')).toEqual([]);
    });

    it('E25 RATE1 names the products that are not removed, the newest first, up to a limit', async () => {
      const products = [1, 2, 2, 4].map((at) => sampleProduct({ createdAt: second(at) }));
      await models.save([...products, sampleProduct({ createdAt: second(3), removed: true })]);
      const newest = byCreation(products).toReversed();
      expect([await models.productIds(100), await models.productIds(2)]).toEqual([newest, newest.slice(0, 2)]);
    });

    it('C22 LIST1 lists the reviews of one item alone, in pages', async () => {
      const reviews = Array.from({ length: 7 }, (_, index) =>
        sampleReview({ name: index % 2 === 0 ? 'Tower' : 'Tower 2', createdAt: second(index) }),
      );
      await models.save(reviews);
      const of = (name: string) => ids(byTime.filter((review) => review.name === name));
      const byTime = reviews.toReversed();
      const pages = await allPages((page) => models.listReviews({ ...page, name: 'Tower' }), {
        limit: 3,
        sort: 'newest',
      });
      expect(ids(pages.flat())).toEqual(of('Tower'));
      expect(ids((await models.listReviews({ ...NEWEST, name: 'Tower 2' })).items)).toEqual(of('Tower 2'));
      expect((await models.listReviews({ ...NEWEST, name: 'tower' })).items).toEqual([]);
    });

    it('ORD6 finds unpaid orders whose expiry has come, the earliest first', async () => {
      const orders = [40, 10, 30, 20].map((at) => sampleOrder({ expiresAt: second(at) }));
      const other = (status: 'paid' | 'cancelled') => sampleOrder({ status, expiresAt: second(1) });
      await models.save([...orders, other('paid'), other('cancelled'), sampleOrder({ expiresAt: null })]);
      const due = async (at: number, limit = 10) =>
        (await models.ordersToExpire(second(at), limit)).map((order) => order.expiresAt);
      expect(await due(9)).toEqual([]);
      expect(await due(30)).toEqual([10, 20, 30].map(second));
      expect(await due(100, 2)).toEqual([10, 20].map(second));
      await models.save(orders.map((order) => ({ ...order, version: 2, status: 'paid' as const, expiresAt: null })));
      expect(await due(100)).toEqual([]);
    });

    it('FEED2 finds orders that owe an intent or a refund, cancelled ones too, in pages by id', async () => {
      const refund = { intent: 'pi_2', amount: 5, reason: 'order_cancelled' } as const;
      const owing = [
        sampleOrder({ owes: { intents: ['pi_1'], refunds: [] } }),
        sampleOrder({ owes: { intents: [], refunds: [refund] }, status: 'cancelled' }),
        sampleOrder({ owes: { intents: ['pi_3'], refunds: [refund] }, status: 'paid' }),
      ];
      await models.save([...owing, sampleOrder(), sampleOrder({ status: 'cancelled' })]);
      const sorted = ids(owing).sort();
      const found = (afterId: string, limit: number) => models.ordersOwing(second(0), afterId, limit);
      expect(ids(await found('', 10))).toEqual(sorted);
      expect(ids(await found('', 2))).toEqual(sorted.slice(0, 2));
      expect(ids(await found(sorted[1] ?? '', 2))).toEqual(sorted.slice(2));
      await models.save(owing.map((order) => ({ ...order, version: 2, owes: { intents: [], refunds: [] } })));
      expect(await found('', 10)).toEqual([]);
    });

    it('E22 FEED2 PAY5 finds an unpaid order that owes something once it is old enough, any other one at once', async () => {
      const owes = { intents: ['pi_1'], refunds: [] };
      const old = sampleOrder({ owes, createdAt: second(10), version: 3 });
      const others = (['paid', 'shipped', 'cancelled'] as const).map((status) =>
        sampleOrder({ owes, createdAt: second(90), version: 4, status }),
      );
      await models.save([old, ...others, sampleOrder({ owes, createdAt: second(11) })]);
      const atOnce = others.map(({ id, version }) => ({ id, version }));
      const sorted = (orders: readonly { id: string }[]) => [...orders].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(await models.ordersOwing(second(9), '', 10)).toEqual(sorted(atOnce));
      expect(await models.ordersOwing(second(10), '', 10)).toEqual(sorted([...atOnce, { id: old.id, version: 3 }]));
    });

    it('O6 counts the orders paid since a time, and those shipped within a day; the undecided do not count', async () => {
      const paid = (paidAt: string, shippedAt: string | null) =>
        sampleOrder({ status: shippedAt === null ? 'paid' : 'shipped', paidAt, shippedAt });
      await models.save([
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:01.000Z'),
        paid('2026-02-03T12:00:00.000Z', '2026-02-03T12:00:01.000Z'),
        paid('2026-02-02T11:59:59.000Z', null),
        // Paid not yet a day ago, or before.
        paid('2026-02-03T00:00:00.000Z', null),
        paid('2026-01-31T23:59:59.999Z', '2026-02-01T01:00:00.000Z'),
        sampleOrder(),
      ]);
      const counted = await models.shippedInADay('2026-02-01T00:00:00.000Z', '2026-02-03T12:00:00.000Z');
      expect(counted).toEqual({ orders: 4, inTime: 2 });
      expect(await models.shippedInADay('2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z')).toEqual({
        orders: 0,
        inTime: 0,
      });
    });

    it('BOARD1 counts the orders of each status as they change, cancelled ones never', async () => {
      expect(await models.countOrders()).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
      const orders = (['unpaid', 'paid', 'paid', 'shipped', 'shipped', 'shipped', 'cancelled'] as const).map((status) =>
        sampleOrder({ status }),
      );
      await models.save(orders);
      expect(await models.countOrders()).toEqual({ all: 6, unpaid: 1, paid: 2, shipped: 3 });
      await models.save(orders.map((order) => ({ ...order, version: 2, status: 'shipped' as const })));
      await models.save(orders);
      expect(await models.countOrders('')).toEqual({ all: 7, unpaid: 0, paid: 0, shipped: 7 });
    });

    it('E21 BOARD1 counts shipments of any age as they begin and are withdrawn', async () => {
      const shipped = (minutes: number) => sampleOrder({ status: 'shipped', shippedAt: second(60 * minutes) });
      const [old, ...others] = [0, 1, 10, 58, 59].map(shipped) as [OrderDocument, ...OrderDocument[]];
      await models.save([old, ...others]);
      expect(await models.countOrders()).toEqual({ all: 5, unpaid: 0, paid: 0, shipped: 5 });
      const withdrawn = { ...others.at(-1), status: 'paid', shippedAt: null, version: 2 } as OrderDocument;
      await models.save([withdrawn, shipped(60)]);
      expect(await models.countOrders()).toEqual({ all: 6, unpaid: 0, paid: 1, shipped: 5 });
      await models.save([{ ...withdrawn, status: 'shipped', shippedAt: second(3_700), version: 3 }]);
      expect(await models.countOrders()).toEqual({ all: 6, unpaid: 0, paid: 0, shipped: 6 });
      await models.clear();
      expect(await models.countOrders()).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
    });

    it('BOARD1 counts what the lists of a search hold', async () => {
      const named = (name: string, status: 'unpaid' | 'paid' | 'cancelled') => sampleOrder({ name, status });
      await models.save([named('Nazrul', 'paid'), named('Nazrul Islam', 'unpaid'), named('Nazrul', 'cancelled')]);
      await models.save([named('Islam', 'paid'), sampleOrder({ status: 'shipped', email: 'nazrul@example.com' })]);
      for (const q of ['nazrul', 'islam', 'ISLAM naz', 'n', 'a', 'nobody', 'N%', '-']) {
        const listed = async (status?: 'unpaid' | 'paid' | 'shipped') =>
          (await models.listOrders({ ...OLDEST, q, status })).items.length;
        expect(await models.countOrders(q), q).toEqual({
          all: await listed(),
          unpaid: await listed('unpaid'),
          paid: await listed('paid'),
          shipped: await listed('shipped'),
        });
      }
    });

    it('BOARD1 FIND1 does not count what a search finds too much of', async () => {
      const { id: _, ...shipped } = sampleOrder({ status: 'shipped' });
      await models.save(Array.from({ length: MOST_COUNTED + 1 }, () => ({ ...shipped, id: freshId() })));
      await models.save([sampleOrder({ status: 'paid' }), sampleOrder({ status: 'paid', name: 'Nazrul', email: '' })]);
      expect(await models.countOrders('farida')).toEqual({ all: null, unpaid: 0, paid: 1, shipped: null });
      expect(await models.countOrders('nazrul')).toEqual({ all: 1, unpaid: 0, paid: 1, shipped: 0 });
    });

    it('BOARD2 counts the orders placed between times, cancelled ones not', async () => {
      await models.save([0, 9, 10, 19, 20, 29].map((at) => sampleOrder({ createdAt: second(at) })));
      await models.save([sampleOrder({ createdAt: second(10), status: 'cancelled' })]);
      expect(await models.ordersPlacedBetween([9, 10, 11, 20, 60].map(second))).toEqual([1, 1, 1, 2]);
    });

    it('BOARD2 adds up what was paid since a time', async () => {
      const paid = (at: number, total: number, status: 'paid' | 'shipped' = 'paid') =>
        sampleOrder({ status, paidAt: second(at), total });
      expect(await models.totalPaidSince(second(0))).toBe(0);
      await models.save([paid(9, 1), paid(10, 20), paid(11, 300, 'shipped'), sampleOrder({ total: 4_000 })]);
      expect(await models.totalPaidSince(second(10))).toBe(320);
    });

    it('BOARD2 counts the products that are low on stock, as their mark is made', async () => {
      const products = [0, 4, 5, 7, 8, 20].flatMap((quantity) =>
        [1, 2, 3, 4, 30].map((minorder) => sampleProduct({ quantity, minorder })),
      );
      await models.save([...products, sampleProduct({ quantity: 0, removed: true })]);
      expect(await models.countLowStock()).toBe(products.filter(isLowStock).length);
    });

    it('MAIL1 finds the mails whose claim has ended, the earliest first, until they are sent', async () => {
      const [late, early, open, sent] = [sampleMail(20), sampleMail(10), sampleMail(40), sampleMail(null)];
      await models.save([late, early, open, sent]);
      expect(ids(await models.mailsToSend(second(9), 10))).toEqual([]);
      expect(ids(await models.mailsToSend(second(20), 10))).toEqual([early.id, late.id]);
      expect(await models.mailsToSend(second(20), 1)).toEqual([early]);
      await models.save([sampleMail(null, { id: early.id, version: 2 }), sampleMail(30, { id: late.id, version: 2 })]);
      expect(ids(await models.mailsToSend(second(20), 10))).toEqual([]);
      expect(ids(await models.mailsToSend(second(30), 10))).toEqual([late.id]);
    });

    it('AUTH2 names the admins as they come and go', async () => {
      const users = [sampleUser({ role: 'admin' }), sampleUser({ role: 'admin' }), sampleUser()];
      expect(await models.adminIds()).toEqual([]);
      await models.save(users);
      expect(await models.adminIds()).toEqual([users[0]?.id, users[1]?.id].sort());
      await models.save(users.slice(0, 1).map((user) => ({ ...user, version: 2, role: 'customer' as const })));
      expect(await models.adminIds()).toEqual([users[1]?.id]);
    });

    it('PRJ3 cleared they are empty and take lower versions again', async () => {
      const documents = [sampleOrder({ version: 5 }), sampleProduct({ version: 5 }), sampleUser(), sampleReview()];
      await models.save(documents);
      await models.clear();
      const pages = [models.listOrders, models.listProducts, models.listUsers, models.listReviews];
      for (const list of pages)
        expect(await list(OLDEST)).toEqual({ items: [], next: null, version: expect.any(String) });
      for (const { kind, id } of documents) expect(await models.get(kind, id)).toBeNull();
      const again = documents.map((document) => ({ ...document, version: 1 }));
      await models.save(again);
      for (const document of again) expect(await models.get(document.kind, document.id)).toEqual(document);
    });
  });
}
