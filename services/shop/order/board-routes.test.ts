import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boardCountsSchema, boardTodaySchema } from '../../contracts/order/order-answers.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { OrderView } from '../../contracts/order/order-view.ts';
import { sampleOrder, sampleProduct } from '../../engine/read-models/sample-documents.fixture.ts';
import { BEGIN, stockedShop, type TestShop, testShops } from '../../http/test-shop.fixture.ts';

const open = testShops();
const HOUR = 3_600_000;

/** Returns the time `hours` hours after the start of the test's clock, which starts at 10:05:06 in Dhaka. */
const after = (hours: number) => new Date(BEGIN + hours * HOUR).toISOString();

describe("the board's counts", () => {
  it("C24 BOARD1 each filter's count is correct after an order is placed, paid, shipped or cancelled, with or without a search", async () => {
    const shop = await open();
    const { admin, place, pay } = await stockedShop(shop, { price: 1_000 });
    const counts = async (q = '') => {
      shop.advance(1_000);
      return boardCountsSchema.parse((await admin.call('GET', `/board/counts?q=${q}`)).body);
    };
    expect(await counts()).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
    const orderId = await place(1);
    const other = await place(1);
    expect(await counts()).toEqual({ all: 2, unpaid: 2, paid: 0, shipped: 0 });
    await pay(orderId, 1_000);
    expect(await counts('rumi')).toEqual({ all: 2, unpaid: 1, paid: 1, shipped: 0 });
    await admin.call('PUT', `/orders/${orderId}`);
    expect(await counts()).toEqual({ all: 2, unpaid: 1, paid: 0, shipped: 1 });
    expect(await counts(orderId)).toEqual({ all: 1, unpaid: 0, paid: 0, shipped: 1 });
    expect(await counts('nobody')).toEqual({ all: 0, unpaid: 0, paid: 0, shipped: 0 });
    await admin.call('DELETE', `/orders/${other}`);
    expect(await counts()).toEqual({ all: 1, unpaid: 0, paid: 0, shipped: 1 });
  });

  it("BOARD1 the board counts the orders for a search at most once a second, and doesn't cache a failed count", async () => {
    let asked = 0;
    let failing = true;
    const shop = await open(({ readModels }) => ({
      readModels: {
        ...readModels,
        async countByValue(kind) {
          asked += 1;
          if (failing) throw new Error('away');
          return readModels.countByValue(kind);
        },
        async countUpTo(query, most) {
          if ('status' in query.where && query.where.status === 'paid') asked += 1;
          return readModels.countUpTo(query, most);
        },
      },
    }));
    const admin = await shop.admin();
    const ask = async (q = '') => (await admin.call('GET', `/board/counts?q=${q}`)).status;
    expect(await ask()).toBe(500);
    failing = false;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
    shop.advance(999);
    expect([await ask(), asked]).toEqual([200, 2]);
    shop.advance(1);
    expect([await ask(), asked]).toEqual([200, 3]);
    expect([await ask('mina'), asked]).toEqual([200, 4]);
  });
});

describe('reading selected orders', () => {
  it('Q3 READ1 one request returns the current state of up to 100 orders, including cancelled orders, and skips unknown ids', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
    const { admin, shopper, place, pay } = await stockedShop(shop, { price: 1_000 });
    const ids: string[] = [];
    for (let n = 0; n < 99; n += 1) ids.push(await place(1));
    const [first = '', second = ''] = ids;
    await pay(first, 1_000);
    await shopper.call('DELETE', `/orders/${second}`);
    const { status, body } = await admin.call('GET', `/board/orders?ids=${['f'.repeat(32), ...ids].join(',')}`);
    expect(status).toBe(200);
    const views = body as OrderView[];
    expect(views.map(({ _id }) => _id)).toEqual(ids);
    expect(views[0]?.paid).toBe(true);
    expect(views[1]?.cancelledAt).not.toBeNull();
    expect(views[2]).toEqual((await admin.call('GET', `/orders/${ids[2]}`)).body);
  });
});

describe("the summary of the shop's day", () => {
  it('C25 BOARD2 GET /board/today shows orders and revenue since midnight in Dhaka, the longest wait, low stock, and hourly orders over the last 24 hours', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const paid = (placed: number, total: number, changes: Partial<OrderDocument> = {}) =>
      sampleOrder({ createdAt: after(placed), paidAt: after(placed), total, status: 'paid', ...changes });
    await shop.core.readModels.save([
      // The test's clock starts 10 h 5 min 6 s after midnight in Dhaka.
      paid(-10, 1),
      paid(-10.09, 20),
      paid(-30, 300, { paidAt: after(-1), status: 'shipped' }),
      paid(-40, 4_000),
      sampleOrder({ createdAt: after(0) }),
      sampleOrder({ createdAt: after(-1), status: 'cancelled' }),
      sampleProduct({ quantity: 4 }),
      sampleProduct({ quantity: 5 }),
      sampleProduct({ quantity: 9, minorder: 5 }),
      sampleProduct({ quantity: 0, removed: true }),
    ]);
    const today = boardTodaySchema.parse((await admin.call('GET', '/board/today')).body);
    expect(today).toMatchObject({ orders: 2, revenue: 301, longestWaitSince: after(-40), waiting: 3, lowStock: 2 });
    expect(today.hours).toHaveLength(24);
    expect(today.hours[0]).toEqual({ hour: '2026-02-02T05:00:00.000Z', orders: 0 });
    expect(today.hours.filter(({ orders }) => orders > 0)).toEqual([
      { hour: '2026-02-02T17:00:00.000Z', orders: 1 },
      { hour: '2026-02-02T18:00:00.000Z', orders: 1 },
      { hour: '2026-02-03T04:00:00.000Z', orders: 1 },
    ]);
  });

  it('BOARD2 a payment that will be refunded does not count as revenue', async () => {
    const shop = await open();
    const { admin, place, pay, startPaying } = await stockedShop(shop, { price: 1_000 });
    const revenue = async () => {
      shop.advance(1_000);
      return boardTodaySchema.parse((await admin.call('GET', '/board/today')).body).revenue;
    };
    expect(await revenue()).toBe(0);
    await pay(await place(2), 2_000);
    expect(await revenue()).toBe(2_000);
    const cancelled = await place(1);
    const intent = await startPaying(cancelled, 1_000);
    await admin.call('DELETE', `/orders/${cancelled}`);
    await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    await admin.call('PATCH', `/orders/${cancelled}`, { order: cancelled, transactionId: intent });
    expect(await shop.history('order', cancelled)).toContain('RefundDue');
    expect(await revenue()).toBe(2_000);
  });
});

/** Returns an export's text, including the byte order mark, and the response's headers. */
async function exported(shop: TestShop, query = ''): Promise<{ text: string; headers: Headers }> {
  const { token } = await shop.admin();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${shop.url}/board/export${query}`, { headers });
  expect(response.status).toBe(200);
  return { text: Buffer.from(await response.arrayBuffer()).toString(), headers: response.headers };
}

describe('exporting orders from the board', () => {
  it('C26 BOARD3 an export is a named CSV file with one line per order that matches the filter, oldest first', async () => {
    const shop = await open();
    const orders = (['shipped', 'paid', 'unpaid', 'cancelled'] as const).map((status, index) =>
      sampleOrder({ status, createdAt: after(index), number: `MC-${1001 + index}`, name: index < 2 ? 'রুমি' : 'Mina' }),
    );
    const [shipped] = orders;
    await shop.core.readModels.save(orders);
    if (shipped) {
      const parcel = { carrier: 'redx', trackingNumber: 'RX-1' } as const;
      const times = { paidAt: after(1), shippedAt: after(2) };
      await shop.core.readModels.save([{ ...shipped, version: 2, ...times, parcel }]);
    }
    const { text, headers } = await exported(shop);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="micro-center-orders-2026-02-03.csv"',
      'cache-control': 'no-store',
    });
    const [head, first, ...others] = text.split('\r\n');
    expect(head).toBe(
      '\ufeffnumber,placed (Asia/Dhaka),paid,shipped,product,quantity,unit price,total,name,email,phone,address,status,carrier,tracking number',
    );
    expect(first).toBe(
      'MC-1001,2026-02-03 10:05:06,2026-02-03 11:05:06,2026-02-03 12:05:06,Tower One,2,4500.5,9001,রুমি,farida@example.com,01712345678,7 Lake Road,shipped,RedX,RX-1',
    );
    expect(others.map((line) => line.slice(0, 7))).toEqual(['MC-1002', 'MC-1003', '']);
    const numbers = async (query: string) => (await exported(shop, query)).text.match(/MC-\d+/g);
    expect(await numbers('?status=paid')).toEqual(['MC-1002']);
    expect(await numbers('?status=cancelled')).toEqual(['MC-1004']);
    expect(await numbers('?q=mina')).toEqual(['MC-1003']);
    expect(await numbers('?q=mina&status=paid')).toBeNull();
  });

  it('BOARD3 a spreadsheet never interprets an exported field as a formula, and commas, quotes and line breaks stay within their field', async () => {
    const shop = await open();
    const names = ['=1+1', '+8801', '-1', '@SUM(A1)', '\tx', '\r=1', 'a,b', 'say "hi"', '=A1,"x"', 'two\nlines', 'a=b'];
    names.push('＝1+1', 'x;=1+1');
    await shop.core.readModels.save(names.map((name, index) => sampleOrder({ name, createdAt: after(index) })));
    const { text } = await exported(shop);
    expect([...text.matchAll(/,9001,(.*?),farida@/gs)].map(([, field]) => field)).toEqual([
      ...["'=1+1", "'+8801", "'-1", "'@SUM(A1)", "'\tx", '"\'\r=1"'],
      ...['"a,b"', '"say ""hi"""', '"\'=A1,""x"""', '"two\nlines"', 'a=b', "'＝1+1", '"x;=1+1"'],
    ]);
  });

  it('BOARD3 the filter applies to every page of orders that an export reads', async () => {
    const shop = await open();
    const wanted = { status: 'paid', name: 'Nazrul' } as const;
    const others = [
      { ...wanted, status: 'shipped' },
      { ...wanted, name: 'Farida' },
    ] as const;
    const orders = Array.from({ length: 450 }, (_, index) => [
      sampleOrder({ ...wanted, createdAt: after(3 * index), number: `MC-${10_001 + index}` }),
      ...others.map((other, n) => sampleOrder({ ...other, createdAt: after(3 * index + n + 1), number: 'MC-1' })),
    ]);
    await shop.core.readModels.save(orders.flat());
    const { text } = await exported(shop, '?status=paid&q=nazrul');
    const numbers = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
    expect(numbers).toEqual(orders.map(([order]) => order?.number));
  });

  it('BOARD3 an export stops reading orders while its client receives no data, and after the client has disconnected', async () => {
    let pages = 0;
    const shop = await open(({ readModels }) => ({
      readModels: {
        ...readModels,
        async page(query, request) {
          pages += 1;
          return readModels.page(query, request);
        },
      },
    }));
    const address = 'x'.repeat(4_000);
    const many = Array.from({ length: 3_000 }, (_, index) => sampleOrder({ address, createdAt: after(index) }));
    await shop.core.readModels.save(many);
    const { token } = await shop.admin();
    const headers = { authorization: `Bearer ${token}` };
    const asked = request(`${shop.url}/board/export`, { headers });
    asked.on('error', () => {});
    asked.end();
    await new Promise((resolve) => asked.once('response', (response) => response.pause() && resolve(response)));
    // Sends other requests until the export has stopped reading pages, which happens once the socket's buffer is full.
    let before = -1;
    await expect
      .poll(async () => {
        const same = pages === before;
        before = pages;
        await shop.call('GET', '/healthz');
        return same;
      })
      .toBe(true);
    expect(before).toBeLessThan(many.length / 200);
    asked.destroy();
    for (let calm = 0; calm < 20; calm += 1) await shop.call('GET', '/healthz').then(() => setImmediate());
    expect(pages).toBeLessThanOrEqual(before + 1);
    expect((await exported(shop)).text.match(/farida@/g)).toHaveLength(many.length);
    expect(shop.lines.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it("BOARD3 an export fails with a 500 if the first page of orders can't be read, and is cut off if a later page can't be read", async () => {
    let failing = 1;
    const shop = await open(({ readModels }) => ({
      readModels: {
        ...readModels,
        async page(query, request) {
          failing -= 1;
          if (failing === 0) throw new Error('away');
          return readModels.page(query, request);
        },
      },
    }));
    await shop.core.readModels.save(
      Array.from({ length: 500 }, (_, index) => sampleOrder({ createdAt: after(index) })),
    );
    const admin = await shop.admin();
    expect(await admin.call('GET', '/board/export')).toMatchObject({ status: 500, body: { code: 'internal' } });
    failing = 2;
    await expect(admin.call('GET', '/board/export')).rejects.toThrow(/terminated|fetch failed/);
    expect((await admin.call('GET', '/board/export')).status).toBe(200);
  });
});
