import { describe, expect, it } from 'vitest';
import type { OrderDocument } from '../contracts/order/order-document.ts';
import { isLowStock } from '../contracts/product/stock.ts';
import { OLDEST, type StartReadModels, useReadModels } from '../engine/read-models/read-models.fixture.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { freshId, sampleOrder, sampleProduct, second } from '../engine/read-models/sample-documents.fixture.ts';
import { countOrders, MOST_COUNTED } from './order/count-orders-flow.ts';
import { ordersByShipping, ordersPaid } from './order/order-documents.ts';
import { productList } from './product/product-documents.ts';
import { askingShop } from './shop-read-models.fixture.ts';

export function countsContract(adapter: string, start: StartReadModels): void {
  describe(`The shop's queries: ${adapter}: counts`, () => {
    let models: ReadModels;
    let shop: ReturnType<typeof askingShop>;
    useReadModels(start, (opened) => {
      models = opened;
      shop = askingShop(models);
    });

    it('O6 ordersByShipping() counts the orders paid in a period by whether they were shipped within a day', async () => {
      const paid = (paidAt: string, shippedAt: string | null) =>
        sampleOrder({ status: shippedAt === null ? 'paid' : 'shipped', paidAt, shippedAt });
      await models.save([
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:01.000Z'),
        paid('2026-02-03T12:00:00.000Z', '2026-02-03T12:00:01.000Z'),
        paid('2026-02-02T11:59:59.000Z', null),
        paid('2026-02-03T00:00:00.000Z', null),
        paid('2026-01-31T23:59:59.999Z', '2026-02-01T01:00:00.000Z'),
        sampleOrder(),
      ]);
      const february = '2026-02-01T00:00:00.000Z';
      const count = (shipping: 'open' | 'in time' | 'late', before?: string) =>
        models.count(ordersByShipping(shipping, february, before));
      expect(await Promise.all([count('in time'), count('late'), count('open')])).toEqual([2, 1, 2]);
      expect(await count('open', '2026-02-02T12:00:00.000Z')).toBe(1);
      expect(await models.count(ordersByShipping('in time', '2026-03-01T00:00:00.000Z'))).toBe(0);
    });

    it('BOARD1 countOrders() returns the current number of orders in each status, and never counts cancelled orders', async () => {
      expect(await countOrders(models)).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
      const orders = (['unpaid', 'paid', 'paid', 'shipped', 'shipped', 'shipped', 'cancelled'] as const).map((status) =>
        sampleOrder({ status }),
      );
      await models.save(orders);
      expect(await countOrders(models)).toEqual({ all: 6, unpaid: 1, paid: 2, shipped: 3 });
      await models.save(orders.map((order) => ({ ...order, version: 2, status: 'shipped' as const })));
      await models.save(orders);
      expect(await countOrders(models, '')).toEqual({ all: 7, unpaid: 0, paid: 0, shipped: 7 });
    });

    it('BOARD1 countOrders() counts shipped orders of any age correctly as shipments are recorded and withdrawn', async () => {
      const shipped = (minutes: number) => sampleOrder({ status: 'shipped', shippedAt: second(60 * minutes) });
      const [old, ...others] = [0, 1, 10, 58, 59].map(shipped) as [OrderDocument, ...OrderDocument[]];
      await models.save([old, ...others]);
      expect(await countOrders(models)).toEqual({ all: 5, unpaid: 0, paid: 0, shipped: 5 });
      const withdrawn = { ...others.at(-1), status: 'paid', shippedAt: null, version: 2 } as OrderDocument;
      await models.save([withdrawn, shipped(60)]);
      expect(await countOrders(models)).toEqual({ all: 6, unpaid: 0, paid: 1, shipped: 5 });
      await models.save([{ ...withdrawn, status: 'shipped', shippedAt: second(3_700), version: 3 }]);
      expect(await countOrders(models)).toEqual({ all: 6, unpaid: 0, paid: 0, shipped: 6 });
      await models.clear();
      expect(await countOrders(models)).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
    });

    it('BOARD1 countOrders() returns the same numbers of orders as the lists for the same search', async () => {
      const named = (name: string, status: 'unpaid' | 'paid' | 'cancelled') => sampleOrder({ name, status });
      await models.save([named('Nazrul', 'paid'), named('Nazrul Islam', 'unpaid'), named('Nazrul', 'cancelled')]);
      await models.save([named('Islam', 'paid'), sampleOrder({ status: 'shipped', email: 'nazrul@example.com' })]);
      for (const q of ['nazrul', 'islam', 'ISLAM naz', 'n', 'a', 'nobody', 'N%', '-']) {
        const listed = async (status?: 'unpaid' | 'paid' | 'shipped') =>
          (await shop.orderList({ ...OLDEST, q, status })).items.length;
        expect(await countOrders(models, q), q).toEqual({
          all: await listed(),
          unpaid: await listed('unpaid'),
          paid: await listed('paid'),
          shipped: await listed('shipped'),
        });
      }
    });

    it('BOARD1 FIND1 countOrders() returns null for a filter if more than 1,000 of its orders match the search', async () => {
      const { id: _, ...shipped } = sampleOrder({ status: 'shipped' });
      await models.save(Array.from({ length: MOST_COUNTED + 1 }, () => ({ ...shipped, id: freshId() })));
      await models.save([sampleOrder({ status: 'paid' }), sampleOrder({ status: 'paid', name: 'Nazrul', email: '' })]);
      expect(await countOrders(models, 'farida')).toEqual({ all: null, unpaid: 0, paid: 1, shipped: null });
      expect(await countOrders(models, 'nazrul')).toEqual({ all: 1, unpaid: 0, paid: 1, shipped: 0 });
    });

    it('BOARD2 ordersPlaced() counts the orders placed in a period, excluding cancelled orders', async () => {
      await models.save([0, 9, 10, 19, 20, 29].map((at) => sampleOrder({ createdAt: second(at) })));
      await models.save([sampleOrder({ createdAt: second(10), status: 'cancelled' })]);
      const between = (from: number, before: number) => shop.ordersPlaced(second(from), second(before));
      expect(await Promise.all([between(9, 10), between(10, 11), between(11, 20), between(20, 60)])).toEqual([
        1, 1, 1, 2,
      ]);
    });

    it('BOARD2 keptPoisha sums up what the shop keeps of all orders paid since a given time', async () => {
      const paid = (at: number, total: number, status: 'paid' | 'shipped' = 'paid') =>
        sampleOrder({ status, paidAt: second(at), total });
      const keptSince = (time: string) => models.sum(ordersPaid(time), 'keptPoisha');
      expect(await keptSince(second(0))).toBe(0);
      await models.save([paid(9, 1), paid(10, 20), paid(11, 300, 'shipped'), sampleOrder({ total: 4_000 })]);
      expect(await keptSince(second(10))).toBe(32_000);
      await models.save([
        { ...paid(12, 50_000), kept: 1_000.75 },
        { ...paid(12, 600_000), kept: 0 },
      ]);
      expect(await keptSince(second(10))).toBe(132_075);
    });

    it('BOARD2 the list of products low on stock contains those for which isLowStock() is true, except removed products', async () => {
      const products = [0, 4, 5, 7, 8, 20].flatMap((quantity) =>
        [1, 2, 3, 4, 30].map((minorder) => sampleProduct({ quantity, minorder })),
      );
      await models.save([...products, sampleProduct({ quantity: 0, removed: true })]);
      expect(await models.count(productList({ stock: 'low', sort: 'newest' }))).toBe(
        products.filter(isLowStock).length,
      );
    });
  });
}
