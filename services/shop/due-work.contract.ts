import { describe, expect, it } from 'vitest';
import { ids, type StartReadModels, useReadModels } from '../engine/read-models/read-models.fixture.ts';
import type { ReadModels, Slice } from '../engine/read-models/read-models.ts';
import { sampleMail, sampleOrder, sampleUser, second } from '../engine/read-models/sample-documents.fixture.ts';
import { ordersWithDueWork } from './order/order-documents.ts';
import { askingShop } from './shop-read-models.fixture.ts';

export function dueWorkContract(adapter: string, start: StartReadModels): void {
  describe(`The shop's queries: ${adapter}: due work`, () => {
    let models: ReadModels;
    let shop: ReturnType<typeof askingShop>;
    useReadModels(start, (opened) => {
      models = opened;
      shop = askingShop(models);
    });

    it('ORD6 ordersToExpire() finds the unpaid orders that have expired, earliest first', async () => {
      const orders = [40, 10, 30, 20].map((at) => sampleOrder({ expiresAt: second(at) }));
      const other = (status: 'paid' | 'cancelled') => sampleOrder({ status, expiresAt: second(1) });
      await models.save([...orders, other('paid'), other('cancelled'), sampleOrder({ expiresAt: null })]);
      const due = async (at: number, limit = 10) =>
        (await shop.ordersToExpire(second(at), limit)).map((order) => order.expiresAt);
      expect(await due(9)).toEqual([]);
      expect(await due(30)).toEqual([10, 20, 30].map(second));
      expect(await due(100, 2)).toEqual([10, 20].map(second));
      await models.save(orders.map((order) => ({ ...order, version: 2, status: 'paid' as const, expiresAt: null })));
      expect(await due(100)).toEqual([]);
    });

    it('FEED2 ordersWithDueWork() finds orders with an open payment intent or a due refund, even cancelled orders, in pages', async () => {
      const refund = { intent: 'pi_2', amount: 5, reason: 'order_cancelled' } as const;
      const owing = [
        sampleOrder({ owes: { intents: ['pi_1'], refunds: [] } }),
        sampleOrder({ owes: { intents: [], refunds: [refund] }, status: 'cancelled' }),
        sampleOrder({ owes: { intents: ['pi_3'], refunds: [refund] }, status: 'paid' }),
      ];
      await models.save([...owing, sampleOrder(), sampleOrder({ status: 'cancelled' })]);
      const found = (slice: Slice) => models.findIds(ordersWithDueWork(second(0)), slice);
      const all = await found({});
      expect(ids(all).sort()).toEqual(ids(owing).sort());
      expect(await found({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await found({ limit: 2, after: all[1] })).toEqual(all.slice(2));
      await models.save(owing.map((order) => ({ ...order, version: 2, owes: { intents: [], refunds: [] } })));
      expect(await found({})).toEqual([]);
    });

    it('FEED2 PAY5 ordersWithDueWork() finds an unpaid order only once it is old enough, and any other order immediately', async () => {
      const owes = { intents: ['pi_1'], refunds: [] };
      const old = sampleOrder({ owes, createdAt: second(10), version: 3 });
      const others = (['paid', 'shipped', 'cancelled'] as const).map((status) =>
        sampleOrder({ owes, createdAt: second(90), version: 4, status }),
      );
      await models.save([old, ...others, sampleOrder({ owes, createdAt: second(11) })]);
      const atOnce = others.map(({ id }) => ({ id, version: 4, key: '' }));
      const sorted = (orders: readonly { id: string }[]) => [...orders].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(await shop.ordersWithDueWork(second(9))).toEqual(sorted(atOnce));
      expect(await shop.ordersWithDueWork(second(10))).toEqual([
        ...sorted(atOnce),
        { id: old.id, version: 3, key: second(10) },
      ]);
    });

    it('MAIL1 mailsToSend() finds the unsent e-mails whose claims have expired, in order of expiry', async () => {
      const [late, early, open, sent] = [sampleMail(20), sampleMail(10), sampleMail(40), sampleMail(null)];
      await models.save([late, early, open, sent]);
      expect(ids(await shop.mailsToSend(second(9), 10))).toEqual([]);
      expect(ids(await shop.mailsToSend(second(20), 10))).toEqual([early.id, late.id]);
      expect(await shop.mailsToSend(second(20), 1)).toEqual([early]);
      await models.save([sampleMail(null, { id: early.id, version: 2 }), sampleMail(30, { id: late.id, version: 2 })]);
      expect(ids(await shop.mailsToSend(second(20), 10))).toEqual([]);
      expect(ids(await shop.mailsToSend(second(30), 10))).toEqual([late.id]);
    });

    it('AUTH2 allAdmins finds all current admins, but not of former admins', async () => {
      const users = [sampleUser({ role: 'admin' }), sampleUser({ role: 'admin' }), sampleUser()];
      expect(await shop.allAdmins()).toEqual([]);
      await models.save(users);
      expect(await shop.allAdmins()).toEqual([users[0]?.id, users[1]?.id].sort());
      await models.save(users.slice(0, 1).map((user) => ({ ...user, version: 2, role: 'customer' as const })));
      expect(await shop.allAdmins()).toEqual([users[1]?.id]);
    });
  });
}
