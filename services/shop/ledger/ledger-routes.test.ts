import { describe, expect, it } from 'vitest';
import type { EventData } from '../../contracts/events.ts';
import type { Ledger, LedgerPeriod } from '../../contracts/ledger/ledger.ts';
import { type TestShop, testShops } from '../../http/test-shop.fixture.ts';
import { orderDecider } from '../order/decide-order.ts';
import { shipping } from '../order/shipping-shop.fixture.ts';
import { balanceDecider } from './balance.ts';
import { balanceIdOf } from './read-balance-flow.ts';

const open = testShops();
const META = { actor: 'system:test', correlationId: 'test' };
type Stated = EventData<'BalanceRecorded'>;

async function ledger(shop: TestShop) {
  const shipped = await shipping(shop);
  const { handler, clock } = shop.dependencies;
  const ago = (hours: number) => new Date(clock() - hours * 3_600_000).toISOString();
  const now = () => ago(0);
  const day = (days = 0) => ago(days * 24 - 6).slice(0, 10);
  const charge = (orderId: string, more: Partial<Stated> = {}): Stated => ({
    transaction: `txn_${orderId}`,
    category: 'charge',
    amount: 820,
    fee: 54,
    net: 766,
    currency: 'usd',
    exchangeRate: 0.0082,
    source: `ch_${orderId}`,
    shown: { amount: 100_000, currency: 'bdt' },
    intent: `pi_${orderId}`,
    orderId,
    createdAt: now(),
    availableOn: now(),
    ...more,
  });
  const state = (stated: Stated) => {
    const meta = { ...META, cause: `balance:${stated.transaction}`, time: now() };
    return handler.execute(balanceDecider, balanceIdOf(stated.transaction), { type: 'RecordBalance', stated }, meta);
  };
  const refund = (orderId: string, amount: number, refundId = 're_1', hours = 0) => {
    const reported = { refund: refundId, intent: `pi_${orderId}`, amount, currency: 'bdt' } as const;
    const command = {
      type: 'ReportRefund',
      reported: { ...reported, status: 'succeeded', grant: null, failure: null },
    } as const;
    return handler.execute(orderDecider, orderId, command, { ...META, cause: refundId, time: ago(hours) });
  };
  const read = async (query = '') => {
    shop.advance(1_001);
    const answer = await shipped.admin.call('GET', `/ledger?from=${day(60)}&to=${day()}${query}`);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as Ledger;
  };
  /** Pays for an order, `hours` ago. */
  const paid = async (hours = 0) => {
    const orderId = await shipped.place(1, shipped.shopper);
    const settle = { type: 'SettlePayment', intent: `pi_${orderId}`, amount: 100_000, currency: 'bdt' } as const;
    await handler.execute(orderDecider, orderId, settle, { ...META, cause: 'settle', time: ago(hours) });
    return orderId;
  };
  return { ...shipped, paid, charge, state, refund, read, day, ago };
}

describe('LEDGER2 the ledger', () => {
  it('an order whose charge Stripe states is matched, with fee and net in the currency in which Stripe settles', async () => {
    const shop = await open();
    const { paid, charge, state, read } = await ledger(shop);
    const orderId = await paid();
    await state(charge(orderId));
    const { rows, ...sums } = await read();
    expect(rows).toMatchObject([{ id: orderId, state: 'matched', difference: {}, causes: [] }]);
    expect(sums).toEqual({
      isWhole: true,
      open: 0,
      reading: { until: null, problem: null },
      recorded: { bdt: 100_000 },
      stated: { bdt: 100_000 },
      difference: {},
      settlement: { amount: { usd: 820 }, fee: { usd: 54 }, net: { usd: 766 } },
    });
  });

  it('rows that differ come first, each with its causes, and can be shown alone', async () => {
    const shop = await open();
    const { paid, charge, state, refund, read } = await ledger(shop);
    const [good, bad] = [await paid(), await paid()];
    await state(charge(good));
    await state(charge(bad, { shown: { amount: 99_000, currency: 'bdt' } }));
    await refund(bad, 100);
    const { rows, open: count } = await read();
    expect(rows.map(({ id, state: at }) => [id, at])).toEqual([
      [bad, 'open'],
      [good, 'matched'],
    ]);
    expect(rows[0]?.causes).toEqual([
      { cause: 'altered', movement: 'charge', about: `pi_${bad}`, difference: { bdt: 1_000 } },
      { cause: 'not_stated', movement: 'refund', about: 're_1', difference: { bdt: -100 } },
    ]);
    expect(count).toBe(1);
    expect((await read('&show=open')).rows.map(({ id }) => id)).toEqual([bad]);
  });

  it('a charge that Stripe has not stated yet is pending for two days, and after that it is open', async () => {
    const shop = await open();
    const { paid, charge, state, read, ago } = await ledger(shop);
    await state(charge(await paid(100), { createdAt: ago(100) }));
    const [recent, late] = [await paid(47), await paid(49)];
    const { rows } = await read();
    expect(rows.find(({ id }) => id === recent)?.state).toBe('pending');
    expect(rows.find(({ id }) => id === late)?.state).toBe('open');
  });

  it('a refund that Stripe has not stated yet is pending for two days of its own, however old the payment is', async () => {
    const shop = await open();
    const { paid, charge, state, refund, read, ago } = await ledger(shop);
    const [recent, late] = [await paid(500), await paid(500)];
    for (const id of [recent, late]) await state(charge(id, { createdAt: ago(500) }));
    await refund(recent, 100, 're_1', 47);
    await refund(late, 100, 're_2', 49);
    const { rows } = await read();
    expect(rows.find(({ id }) => id === recent)?.state).toBe('pending');
    expect(rows.find(({ id }) => id === late)?.state).toBe('open');
  });

  it('an order that was paid before the oldest transaction that Stripe states is before the ledger', async () => {
    const shop = await open();
    const { paid, charge, state, read } = await ledger(shop);
    const old = await paid(72);
    await state(charge(await paid()));
    const { rows, open: count } = await read();
    expect(rows.find(({ id }) => id === old)?.state).toBe('before');
    expect(count).toBe(0);
  });

  it('LEDGER4 money without an order is listed with the order that Stripe names, until an admin says what it is or it went back', async () => {
    const shop = await open();
    const { admin, charge, state, read } = await ledger(shop);
    const lost = 'f'.repeat(32);
    const stated = charge(lost);
    await state(stated);
    const [row] = (await read()).rows;
    expect(row).toMatchObject({ order: null, state: 'unmatched', namedOrder: lost, difference: { bdt: -100_000 } });
    const set = (note: string) => admin.call('PUT', `/ledger/${row?.id}/aside`, { note });
    expect(await set('Paid by hand for the fair')).toMatchObject({ status: 200, body: { modifiedCount: 1 } });
    expect((await read()).rows).toMatchObject([{ state: 'aside', note: 'Paid by hand for the fair' }]);
    await set('');
    expect((await read()).rows).toMatchObject([{ state: 'unmatched' }]);
    const back = { category: 'refund', source: 're_9', shown: { amount: -100_000, currency: 'bdt' } };
    await state({ ...stated, ...back, transaction: 'txn_back' });
    expect((await read()).rows).toMatchObject([{ state: 'matched', difference: {} }]);
  });

  it('PAY4 money that an order could not accept is a row of its own, and matches once it was refunded', async () => {
    const shop = await open();
    const { paid, charge, state, read } = await ledger(shop);
    const orderId = await paid();
    await state(charge(orderId));
    const intent = 'pi_second';
    const { handler, clock } = shop.dependencies;
    const meta = (cause: string) => ({ ...META, cause, time: new Date(clock()).toISOString() });
    const settle = { type: 'SettlePayment', intent, amount: 100_000, currency: 'bdt' } as const;
    await handler.execute(orderDecider, orderId, settle, meta('settle-second'));
    const second = charge(orderId, { transaction: 'txn_second', source: 'ch_second', intent });
    await state(second);
    const rows = async () => (await read()).rows.map((row) => [row.intent, row.order?.id, row.state]);
    const first = [`pi_${orderId}`, orderId, 'matched'];
    expect(await rows()).toEqual(expect.arrayContaining([first, [intent, orderId, 'matched']]));
    await state({
      ...second,
      transaction: 'txn_back',
      category: 'refund',
      source: 're_9',
      shown: { amount: -100_000, currency: 'bdt' },
    });
    expect(await rows()).toEqual([[intent, orderId, 'open'], first]);
    const made = { type: 'RecordRefund', intent, refund: 're_9', amount: 100_000 } as const;
    await handler.execute(orderDecider, orderId, made, meta('refund-second'));
    expect(await rows()).toEqual(expect.arrayContaining([first, [intent, orderId, 'matched']]));
  });

  it('two charges in different currencies are never added up', async () => {
    const shop = await open();
    const { paid, charge, state, read } = await ledger(shop);
    await state(charge(await paid()));
    await state(charge('e'.repeat(32), { shown: { amount: 500, currency: 'usd' } }));
    expect(await read()).toMatchObject({ stated: { bdt: 100_000, usd: 500 }, difference: { usd: -500 } });
  });

  it('LEDGER5 days and months sum up what Stripe states, by Dhaka time', async () => {
    const shop = await open();
    const { admin, charge, state } = await ledger(shop);
    const one = 'd'.repeat(32);
    const at = (createdAt: string, more: Partial<Stated>) => state(charge(one, { createdAt, ...more }));
    await at('2026-03-01T17:59:59.000Z', { transaction: 'txn_1' });
    await at('2026-03-01T18:00:00.000Z', { transaction: 'txn_2' });
    await at('2026-04-01T00:00:00.000Z', {
      transaction: 'txn_3',
      category: 'refund',
      shown: { amount: -40_000, currency: 'bdt' },
      amount: -328,
      fee: 0,
      net: -328,
    });
    const periods = async (by: string) =>
      (await admin.call('GET', `/ledger/periods?from=2026-03-01&to=2026-04-30&by=${by}`)).body as LedgerPeriod[];
    const none = { charged: {}, refunded: {}, disputed: {}, fee: {}, other: {}, net: {}, paidOut: {} };
    const day = { ...none, charged: { bdt: 100_000 }, fee: { usd: 54 }, net: { usd: 766 } };
    const refunded = { ...none, refunded: { bdt: -40_000 }, net: { usd: -328 } };
    expect(await periods('day')).toEqual([
      { period: '2026-03-01', ...day },
      { period: '2026-03-02', ...day },
      { period: '2026-04-01', ...refunded },
    ]);
    expect(await periods('month')).toEqual([
      { period: '2026-03', ...day, charged: { bdt: 200_000 }, fee: { usd: 108 }, net: { usd: 1_532 } },
      { period: '2026-04', ...refunded },
    ]);
  });

  it('LEDGER5 a payout is not part of what a day left with Stripe, and each category has its own sum', async () => {
    const shop = await open();
    const { admin, charge, state } = await ledger(shop);
    const at = '2026-03-01T10:00:00.000Z';
    const moved = (transaction: string, category: string, amount: number, more: Partial<Stated> = {}) => {
      const nothing = { shown: null, intent: null, orderId: null, source: null, fee: 0 };
      return state(
        charge('f'.repeat(32), { transaction, category, amount, net: amount, createdAt: at, ...nothing, ...more }),
      );
    };
    await state(charge('a'.repeat(32), { createdAt: at }));
    await moved('txn_payout', 'payout', -766);
    await moved('txn_instant', 'payout', -100, { fee: 2, net: -102 });
    await moved('txn_returned', 'payout_reversal', 50);
    await moved('txn_radar', 'fee', -200);
    await moved('txn_reserve', 'risk_reserved_funds', -30);
    const answer = await admin.call('GET', '/ledger/periods?from=2026-03-01&to=2026-03-01&by=day');
    expect(answer.body).toEqual([
      {
        period: '2026-03-01',
        charged: { bdt: 100_000 },
        refunded: {},
        disputed: {},
        fee: { usd: 54 + 200 + 2 },
        other: { usd: -30 },
        net: { usd: 766 - 200 - 30 - 2 },
        paidOut: { usd: 766 + 100 - 50 },
      },
    ]);
  });

  it('LEDGER5 the export has one line for each row, and no field that a spreadsheet would run', async () => {
    const shop = await open();
    const { admin, paid, charge, state, day } = await ledger(shop);
    await state(charge(await paid()));
    await state(charge('c'.repeat(32)));
    const answer = await admin.call('GET', `/ledger/export?from=${day()}&to=${day()}`);
    const lines = String(answer.body).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('order,state,currency,recorded,stated,difference,settlement currency,settled,fee,net,');
    expect(lines[1]).toMatch(/,MC-\d+,matched,bdt,1000,1000,0,usd,8\.2,0\.54,7\.66,pi_/);
    expect(lines[2]).toContain(',,unmatched,bdt,0,1000,-1000,usd,8.2,0.54,7.66,');
  });

  it('LEDGER5 a row with several currencies has a line for each, so that each currency can be summed up', async () => {
    const shop = await open();
    const { admin, paid, charge, state, day } = await ledger(shop);
    const orderId = await paid();
    const stated = charge(orderId);
    await state(stated);
    const euros = { currency: 'eur', amount: -300, fee: 0, net: -300, shown: { amount: -40_050, currency: 'bdt' } };
    await state({ ...stated, ...euros, transaction: 'txn_back', category: 'refund', source: 're_1' });
    const answer = await admin.call('GET', `/ledger/export?from=${day()}&to=${day()}`);
    const lines = String(answer.body).trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(2, 11).join())).toEqual([
      'open,bdt,1000,599.5,400.5,eur,-3,0,-3',
      'open,,,,,usd,8.2,0.54,7.66',
    ]);
  });

  it('a period of more than 92 days is refused', async () => {
    const shop = await open();
    const { admin } = await ledger(shop);
    const answer = await admin.call('GET', '/ledger?from=2026-01-01&to=2026-06-01');
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });
});
