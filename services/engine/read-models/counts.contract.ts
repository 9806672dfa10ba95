import { describe, expect, it } from 'vitest';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { isLowStock } from '../../contracts/product/stock.ts';
import { OLDEST, type StartReadModels, useReadModels } from './read-models.fixture.ts';
import { MOST_COUNTED, type ReadModels } from './read-models.ts';
import { freshId, sampleOrder, sampleProduct, second } from './sample-documents.fixture.ts';

export function countsContract(adapter: string, start: StartReadModels): void {
  describe(`ReadModels: ${adapter}: counts`, () => {
    let models: ReadModels;
    useReadModels(start, (opened) => {
      models = opened;
    });

    it('O6 shippedInADay() counts orders paid since a given time, and how many were shipped within a day, ignoring unshipped orders paid less than a day ago', async () => {
      const paid = (paidAt: string, shippedAt: string | null) =>
        sampleOrder({ status: shippedAt === null ? 'paid' : 'shipped', paidAt, shippedAt });
      await models.save([
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
        paid('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:01.000Z'),
        paid('2026-02-03T12:00:00.000Z', '2026-02-03T12:00:01.000Z'),
        paid('2026-02-02T11:59:59.000Z', null),
        // The next two orders aren't counted. The first was paid less than a day ago and isn't shipped, and the second
        // was paid before `since`.
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

    it('BOARD1 countOrders() returns the current number of orders in each status, and never counts cancelled orders', async () => {
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

    it('BOARD1 countOrders() counts shipped orders of any age correctly as shipments are recorded and withdrawn', async () => {
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

    it('BOARD1 countOrders() returns the same numbers of orders as the lists for the same search', async () => {
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

    it('BOARD1 FIND1 countOrders() returns null for a filter if more than 1,000 of its orders match the search', async () => {
      const { id: _, ...shipped } = sampleOrder({ status: 'shipped' });
      await models.save(Array.from({ length: MOST_COUNTED + 1 }, () => ({ ...shipped, id: freshId() })));
      await models.save([sampleOrder({ status: 'paid' }), sampleOrder({ status: 'paid', name: 'Nazrul', email: '' })]);
      expect(await models.countOrders('farida')).toEqual({ all: null, unpaid: 0, paid: 1, shipped: null });
      expect(await models.countOrders('nazrul')).toEqual({ all: 1, unpaid: 0, paid: 1, shipped: 0 });
    });

    it('BOARD2 ordersPlacedBetween() counts the orders placed between each pair of consecutive times, excluding cancelled orders', async () => {
      await models.save([0, 9, 10, 19, 20, 29].map((at) => sampleOrder({ createdAt: second(at) })));
      await models.save([sampleOrder({ createdAt: second(10), status: 'cancelled' })]);
      expect(await models.ordersPlacedBetween([9, 10, 11, 20, 60].map(second))).toEqual([1, 1, 1, 2]);
    });

    it('BOARD2 totalPaidSince() returns what the shop keeps of all orders paid since a given time', async () => {
      const paid = (at: number, total: number, status: 'paid' | 'shipped' = 'paid') =>
        sampleOrder({ status, paidAt: second(at), total });
      expect(await models.totalPaidSince(second(0))).toBe(0);
      await models.save([paid(9, 1), paid(10, 20), paid(11, 300, 'shipped'), sampleOrder({ total: 4_000 })]);
      expect(await models.totalPaidSince(second(10))).toBe(320);
      await models.save([
        { ...paid(12, 50_000), kept: 1_000.75 },
        { ...paid(12, 600_000), kept: 0 },
      ]);
      expect(await models.totalPaidSince(second(10))).toBe(1_320);
    });

    it('BOARD2 countLowStock() counts the products for which isLowStock() is true, excluding removed products', async () => {
      const products = [0, 4, 5, 7, 8, 20].flatMap((quantity) =>
        [1, 2, 3, 4, 30].map((minorder) => sampleProduct({ quantity, minorder })),
      );
      await models.save([...products, sampleProduct({ quantity: 0, removed: true })]);
      expect(await models.countLowStock()).toBe(products.filter(isLowStock).length);
    });
  });
}
