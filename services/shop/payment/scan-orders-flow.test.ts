import { describe, expect, it, vi } from 'vitest';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { Slice } from '../../engine/read-models/read-models.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { createDueWork } from './due-work-flow.ts';
import { HOUR, placed } from './paying-shop.fixture.ts';
import { PaymentUnavailable } from './payments.ts';
import { type OrderScanSettings, SCAN_INTERVAL_MS } from './scan-orders-flow.ts';
import { cancelled, freshShop, orderId, otherScan, shop } from './scanned-shop.fixture.ts';

freshShop();

type FindIds = OrderScanSettings['readModels']['findIds'];

/** Returns read models in which `expiring` finds the orders to expire, and `due` the orders with due work. */
function finding({ expiring = noOrders, due = noOrders }: { expiring?: FindIds; due?: FindIds }) {
  return { findIds: ((query, slice) => ('expires' in query.where ? expiring : due)(query, slice)) satisfies FindIds };
}
const noOrders: FindIds = async () => [];
const asStored: FindIds = (query, slice) => shop.readModels.findIds(query, slice);
/** Finds those of `orders` that come after a position, in the order of their ids. */
function among(orders: readonly OrderDocument[], { limit, after }: Slice = {}) {
  const found = orders.filter(({ id }) => id > (after?.id ?? '')).slice(0, limit);
  return found.map(({ id, version }) => ({ id, version, key: '' }));
}

describe('order scan', () => {
  /**
   * Returns the documents of `count` orders, each with one due refund that has failed once. Also returns a handler that
   * loads the matching order states.
   */
  function owingOrders(count: number) {
    const orders = Array.from({ length: count }, (_, index) => {
      const refund = { intent: `pi_${index}`, amount: 5, reason: 'already_paid' as const, failures: 1 };
      const owes = { intents: [], refunds: [refund] };
      return sampleOrder({ id: index.toString(16).padStart(24, '0'), owes });
    });
    const load = async (_decider: unknown, id: string) => {
      const intent = {
        intent: `pi_${Number.parseInt(id, 16)}`,
        attempt: 1,
        status: 'refund_due',
        failedRefunds: ['re_1'],
      };
      return { state: { status: 'paid', intents: [intent] } as never, version: 1 };
    };
    return { orders, handler: { ...shop.newHandler(), load } };
  }

  it('PAY6 successive scans reach all 600 orders with due work, and list each failed refund once', async () => {
    const { orders, handler } = owingOrders(600);
    const reached = new Set<string>();
    const now = shop.clock();
    const refund = async (id: string) => void reached.add(id);
    const scan = otherScan({
      handler,
      payments: { ...shop.newPayments(), refund },
      clock: () => now,
      readModels: finding({ due: async (_query, slice) => among(orders, slice) }),
    });
    for (let scans = 0; scans < 4; scans += 1) await scan.runOnce();
    expect(reached.size).toBe(600);
    // This order comes after more than a page of orders that aren't due yet.
    orders.push(...owingOrders(601).orders.slice(600));
    await scan.runOnce();
    expect(reached.size).toBe(601);
    expect(scan.failedRefunds().map((failed) => failed.orderId)).toEqual(orders.map(({ id }) => id));
  });

  it('PAY6 failed refunds are listed only after every order has been scanned, not after a scan that stops partway through the last page', async () => {
    const { orders, handler } = owingOrders(300);
    const now = shop.clock();
    const scan = otherScan({
      handler,
      payments: { ...shop.newPayments(), refund: async () => {} },
      clock: () => now,
      readModels: finding({ due: async (_query, slice) => among(orders, slice) }),
    });
    await scan.runOnce();
    expect(scan.failedRefunds()).toEqual([]);
    await scan.runOnce();
    expect(scan.failedRefunds()).toHaveLength(300);
  });

  it('PAY5 a scan of 2,000 orders that are all waiting for a retry loads none of them, and lets other work run between pages', async () => {
    const { orders, handler } = owingOrders(2_000);
    let [loads, turns, lists] = [0, 0, 0];
    const load = async (...args: Parameters<typeof handler.load>) => {
      loads += 1;
      return handler.load(...args);
    };
    const now = shop.clock();
    const turnsBetween: number[] = [];
    const scan = otherScan({
      handler: { ...handler, load } as never,
      payments: { ...shop.newPayments(), refund: async () => {} },
      clock: () => now,
      readModels: finding({
        async due(_query, slice) {
          lists += 1;
          turnsBetween.push(turns);
          setImmediate(() => {
            turns += 1;
          });
          return among(orders, slice);
        },
      }),
    });
    for (let scans = 0; scans < 11; scans += 1) await scan.runOnce();
    [loads, turns, lists] = [0, 0, 0];
    turnsBetween.length = 0;
    await scan.runOnce();
    expect({ loads, lists }).toEqual({ loads: 0, lists: 5 });
    expect(turnsBetween).toEqual([0, 1, 2, 3, 4]);
    orders[1_234] = { ...(orders[1_234] ?? sampleOrder()), version: 2 };
    await scan.runOnce();
    expect(loads).toBeGreaterThan(0);
  });

  it("after 5 calls have found Stripe unavailable, the scan doesn't call Stripe again until its next round", async () => {
    const { orders, handler } = owingOrders(8);
    let calls = 0;
    const refund = async () => {
      calls += 1;
      throw new PaymentUnavailable('Stripe is down');
    };
    const steps = createDueWork({ ...shop.scanSettings, handler, payments: { ...shop.newPayments(), refund } });
    for (const expected of [5, 8]) {
      steps.beginRound();
      for (const { id } of orders) await steps.takeDue(id);
      expect(calls).toBe(expected);
    }
  });

  it("after 5 calls have found Stripe unavailable, the scan doesn't ask Stripe about any more expiring orders in that round", async () => {
    let calls = 0;
    const settle = async () => {
      calls += 1;
      throw new PaymentUnavailable('Stripe is down');
    };
    const load = async (_decider: unknown, id: string) => {
      const state = {
        status: 'unpaid',
        createdAt: '2026-01-01T00:00:00.000Z',
        intents: [{ intent: `pi_${id}`, attempt: 1, status: 'open' }],
      };
      return { state: state as never, version: 1 };
    };
    const handler = { ...shop.newHandler(), load };
    const steps = createDueWork({ ...shop.scanSettings, handler, payments: { ...shop.newPayments(), settle } });
    steps.beginRound();
    for (let order = 0; order < 8; order += 1) await steps.reconcileBeforeExpiry(`${order}`);
    expect(calls).toBe(5);
  });

  describe('timing', () => {
    it('ORD6 scans run at startup and every 5 s, never two at once, and never after stop()', async () => {
      const tick = { every: 0, run: () => {}, stopped: 0 };
      const gates: (() => void)[] = [];
      let [now, most] = [0, 0];
      const expiring = async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise<void>((resolve) => gates.push(resolve));
        now -= 1;
        return [];
      };
      const every = (milliseconds: number, run: () => void) => {
        Object.assign(tick, { every: milliseconds, run });
        return () => {
          tick.stopped += 1;
        };
      };
      const scan = otherScan({ readModels: finding({ expiring, due: asStored }), every });
      scan.start();
      await vi.waitFor(() => expect(gates).toHaveLength(1));
      expect(tick.every).toBe(5_000);
      for (let ticks = 0; ticks < 3; ticks += 1) tick.run();
      gates[0]?.();
      await vi.waitFor(() => expect(gates).toHaveLength(2));
      const stopping = scan.stop();
      tick.run();
      gates[1]?.();
      await stopping;
      await scan.runOnce();
      expect({ most, scans: gates.length, stopped: tick.stopped }).toEqual({ most: 1, scans: 2, stopped: 1 });
    });

    it('ORD6 the scan runs every 5 s on its own timer, until stop() is called', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        let scanned = () => {};
        const nextScan = () => new Promise<void>((resolve) => (scanned = resolve));
        const expiring = async () => {
          scanned();
          return [];
        };
        const scan = otherScan({ readModels: finding({ expiring }) });
        const first = nextScan();
        scan.start();
        await first;
        const second = nextScan();
        vi.advanceTimersByTime(SCAN_INTERVAL_MS);
        await second;
        await scan.stop();
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    });

    it('ORD6 a failed scan is logged, and the next scan runs as usual', async () => {
      await shop.project();
      shop.advance(HOUR);
      let failures = 1;
      const expiring: FindIds = async (query, slice) => {
        if (failures-- > 0) throw new Error('the database is locked');
        return asStored(query, slice);
      };
      const scan = otherScan({ readModels: finding({ expiring, due: asStored }) });
      await scan.runOnce();
      expect(shop.lines.at(-1)).toContain('the database is locked');
      expect(await shop.history(orderId)).toEqual([placed]);
      await scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, cancelled('expired')]);
    });

    it('ORD6 a scan that is requested while a failing scan runs still takes place', async () => {
      const gates: (() => void)[] = [];
      let failures = 1;
      const expiring = async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        if (failures-- > 0) throw new Error('the database is locked');
        return [];
      };
      const scan = otherScan({ readModels: finding({ expiring }) });
      const first = scan.runOnce();
      await vi.waitFor(() => expect(gates).toHaveLength(1));
      const second = scan.runOnce();
      gates[0]?.();
      await vi.waitFor(() => expect(gates).toHaveLength(2));
      gates[1]?.();
      await Promise.all([first, second]);
      expect(shop.lines.at(-1)).toContain('the database is locked');
    });
  });
});
