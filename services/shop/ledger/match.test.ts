import { describe, expect, it } from 'vitest';
import { digitsOf, minus, plus, total } from '../../contracts/ledger/amounts.ts';
import type { BalanceDocument } from '../../contracts/ledger/balance-document.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { sampleBalance, sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import {
  differencesOf,
  recordedEntries,
  settlementOf,
  statedEntries,
  unacceptedEntries,
  withRefundsAsOne,
} from './match.ts';

const refund = { intent: 'pi_1', currency: 'bdt', grant: null, failure: null } as const;
const order: OrderDocument = sampleOrder({
  status: 'paid',
  total: 1_000,
  transactionId: 'pi_1',
  moneyBack: {
    grants: [],
    refunds: [{ ...refund, refund: 're_1', amount: 30_000, status: 'succeeded' }],
    disputes: [],
  },
});
const charge = sampleBalance({ intent: 'pi_1', source: 'ch_1', shown: { amount: 100_000, currency: 'bdt' } });
const back = sampleBalance({
  intent: 'pi_1',
  source: 're_1',
  category: 'refund',
  shown: { amount: -30_000, currency: 'bdt' },
});
const differences = (recorded: OrderDocument, stated: readonly BalanceDocument[]) =>
  differencesOf(recordedEntries(recorded, statedEntries(stated)), statedEntries(stated));
const withRefunds = (...refunds: NonNullable<OrderDocument['moneyBack']>['refunds']): OrderDocument => ({
  ...order,
  moneyBack: { grants: [], refunds, disputes: [] },
});
const made = { ...refund, refund: 're_1', amount: 30_000, status: 'succeeded' } as const;

describe('LEDGER2 matching what the orders recorded with what Stripe states', () => {
  it('there is no difference if both sides have the same movements, in any order', () => {
    expect(differences(order, [back, charge])).toEqual([]);
    expect(differences(sampleOrder(), [])).toEqual([]);
  });

  it('a movement that is missing in the statement is named, and the difference is its amount', () => {
    const missing = { cause: 'not_stated', movement: 'refund', about: 're_1', difference: { bdt: -30_000 } };
    expect(differences(order, [charge])).toEqual([missing]);
  });

  it('a movement that is missing on the order is named', () => {
    const missing = { cause: 'not_recorded', movement: 'refund', about: 're_1', difference: { bdt: 30_000 } };
    expect(differences(withRefunds(), [charge, back])).toEqual([missing]);
  });

  it('a movement that the statement has twice is named', () => {
    const doubled = { cause: 'doubled', movement: 'charge', about: 'pi_1', difference: { bdt: -100_000 } };
    expect(differences(order, [charge, { ...charge, id: 'other' }, back])).toEqual([doubled]);
  });

  it('a movement that the order has twice is named', () => {
    const doubled = { cause: 'doubled', movement: 'refund', about: 're_1', difference: { bdt: -30_000 } };
    expect(differences(withRefunds(made, made), [charge, back])).toEqual([doubled]);
  });

  it('a movement that the statement has with another amount is named', () => {
    const altered = { cause: 'altered', movement: 'charge', about: 'pi_1', difference: { bdt: 1 } };
    expect(differences(order, [{ ...charge, shown: { amount: 99_999, currency: 'bdt' } }, back])).toEqual([altered]);
  });

  it('a movement that the order has with another amount or in another currency is named', () => {
    const altered = { cause: 'altered', movement: 'refund', about: 're_1' };
    expect(differences(withRefunds({ ...made, amount: 30_001 }), [charge, back])).toEqual([
      { ...altered, difference: { bdt: -1 } },
    ]);
    expect(differences(withRefunds({ ...made, currency: 'usd' }), [charge, back])).toEqual([
      { ...altered, difference: { bdt: 30_000, usd: -30_000 } },
    ]);
  });

  it('a payment that a bank took back, and a movement of a kind that the shop does not know, are named', () => {
    const taken = sampleBalance({
      ...charge,
      category: 'charge_failure',
      shown: { amount: -100_000, currency: 'bdt' },
    });
    const odd = sampleBalance({ ...back, source: 'ch_1', category: 'partial_capture_reversal' });
    expect(differences(withRefunds(), [charge, taken, odd])).toEqual([
      { cause: 'not_recorded', movement: 'charge_failure', about: 'pi_1', difference: { bdt: 100_000 } },
      { cause: 'not_recorded', movement: 'other', about: 'ch_1', difference: { bdt: 30_000 } },
    ]);
  });

  it('a pending refund is in both sides as soon as Stripe has taken its money, and in neither before', () => {
    const pending = withRefunds({ ...made, status: 'pending' });
    expect(differences(pending, [charge, back])).toEqual([]);
    expect(differences(pending, [charge])).toEqual([]);
  });

  it('a refund that failed is in neither side, and a dispute that was won is in both', () => {
    const undone = sampleBalance({ ...back, category: 'refund_failure', shown: { amount: 30_000, currency: 'bdt' } });
    expect(differences(withRefunds({ ...made, status: 'failed' }), [charge, back, undone])).toEqual([]);
    const dispute = { dispute: 'dp_1', intent: 'pi_1', amount: 100_000, currency: 'bdt', status: 'won' };
    const disputes = [{ ...dispute, withdrawn: true, reinstated: true, refundable: true }];
    const stated = (category: string, amount: number) =>
      sampleBalance({ category, intent: 'pi_1', source: 'dp_1', shown: { amount, currency: 'bdt' } });
    const won = { ...order, moneyBack: { grants: [], refunds: [], disputes } };
    expect(differences(won, [charge, stated('dispute', -100_000), stated('dispute_reversal', 100_000)])).toEqual([]);
  });

  it('money that an order could not accept matches once all of it went back, in however many refunds', () => {
    const unpaid = sampleOrder({ status: 'cancelled' });
    const late = { intent: 'pi_2', amount: 100_000, currency: 'bdt' };
    const paidLate = sampleBalance({ intent: 'pi_2', source: 'ch_2', shown: { amount: 100_000, currency: 'bdt' } });
    const returned = (source: string, amount: number) =>
      sampleBalance({ ...back, intent: 'pi_2', source, shown: { amount: -amount, currency: 'bdt' } });
    const found = (isRefunded: boolean, ...refunds: BalanceDocument[]) => {
      const stated = withRefundsAsOne(statedEntries([paidLate, ...refunds]), 'pi_2');
      return differencesOf(unacceptedEntries(unpaid, { ...late, isRefunded }), stated);
    };
    expect(found(true, returned('re_2', 100_000))).toEqual([]);
    expect(found(true, returned('re_2', 30_000), returned('re_3', 70_000))).toEqual([]);
    const missing = { cause: 'not_recorded', movement: 'refund', about: 'pi_2', difference: { bdt: 30_000 } };
    expect(found(false, returned('re_2', 30_000))).toEqual([missing]);
  });
});

describe('LEDGER2 amounts of several currencies', () => {
  it('have the decimals that Stripe gives each currency', () => {
    expect(['bdt', 'usd', 'ugx', 'isk', 'jpy', 'krw', 'kwd', 'tnd'].map(digitsOf)).toEqual([2, 2, 2, 2, 0, 0, 3, 3]);
  });

  it('are added up by currency only', () => {
    const bdt = { amount: 5, currency: 'bdt' };
    expect(total([bdt, { amount: 7, currency: 'usd' }, bdt])).toEqual({ bdt: 10, usd: 7 });
    expect(plus({ bdt: 1 }, { usd: 1 }, { bdt: -1 })).toEqual({ usd: 1 });
    expect(minus({ bdt: 3 }, { bdt: 3, usd: 2 })).toEqual({ usd: -2 });
  });

  it('fee and net stay in the currency in which Stripe settles', () => {
    expect(settlementOf([charge, { ...charge, currency: 'eur', amount: 90, fee: 10, net: 80 }])).toEqual({
      amount: { eur: 90, usd: 82 },
      fee: { eur: 10, usd: 32 },
      net: { eur: 80, usd: 50 },
    });
  });
});
