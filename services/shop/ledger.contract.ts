import { describe, expect, it } from 'vitest';
import { type StartReadModels, useReadModels } from '../engine/read-models/read-models.fixture.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { sampleBalance, sampleOrder, second } from '../engine/read-models/sample-documents.fixture.ts';
import { askingShop } from './shop-read-models.fixture.ts';

export function ledgerContract(adapter: string, start: StartReadModels): void {
  describe(`The shop's queries: ${adapter}: the ledger`, () => {
    let models: ReadModels;
    let shop: ReturnType<typeof askingShop>;
    useReadModels(start, (opened) => {
      models = opened;
      shop = askingShop(models);
    });
    const idsOf = (documents: readonly { id: string }[]) => documents.map(({ id }) => id);

    it('LEDGER1 balancesBetween() finds the transactions between two times, page by page, oldest first', async () => {
      const at = (seconds: number) => sampleBalance({ createdAt: second(seconds) });
      const [early, first, late, end] = [at(9), at(10), at(12), at(20)];
      const same = [at(11), at(11), at(11)].sort((one, other) => (one.id < other.id ? -1 : 1));
      await models.save([end, late, ...same, first, early]);
      const page = await shop.balancesBetween(second(10), second(20), 3);
      expect(idsOf(page)).toEqual(idsOf([first, ...same.slice(0, 2)]));
      const last = page[2];
      const after = { key: last?.createdAt ?? '', id: last?.id ?? '' };
      expect(idsOf(await shop.balancesBetween(second(10), second(20), 3, after))).toEqual(
        idsOf([...same.slice(2), late]),
      );
    });

    it('LEDGER1 balancesOf() finds all transactions about some payment intents, oldest first', async () => {
      const about = (intent: string | null, seconds: number) => sampleBalance({ intent, createdAt: second(seconds) });
      const [charge, refund, other] = [about('pi_1', 1), about('pi_1', 5), about('pi_2', 3)];
      await models.save([refund, charge, other, about('pi_3', 2), about(null, 2)]);
      expect(idsOf(await shop.balancesOf(['pi_1', 'pi_2', 'pi_9']))).toEqual(idsOf([charge, other, refund]));
      expect(await shop.balancesOf([])).toEqual([]);
      expect(await models.get('balance', charge.id)).toEqual(charge);
    });

    it('LEDGER1 ordersPaid() finds the orders that were paid between two times, page by page', async () => {
      const paid = (seconds: number) => sampleOrder({ status: 'paid', paidAt: second(seconds) });
      const [early, one, two, late] = [paid(9), paid(10), paid(15), paid(20)];
      await models.save([late, two, sampleOrder(), one, early]);
      expect(idsOf(await shop.ordersPaid(second(10), second(20), 1))).toEqual([one.id]);
      const after = { key: second(10), id: one.id };
      expect(idsOf(await shop.ordersPaid(second(10), second(20), 1, after))).toEqual([two.id]);
    });
  });
}
