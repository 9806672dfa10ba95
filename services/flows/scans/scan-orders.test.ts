import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import {
  AMOUNT,
  abandoned,
  HOUR,
  META,
  type PayingShop,
  placed,
  recorded,
  refundDue,
  started,
  startPayingShop,
} from '../payments/paying-shop.fixture.ts';
import { PaymentUnavailable } from '../payments/payments.ts';
import { createOwedSteps } from './owed-steps.ts';
import { createOrderScan, type OrderScanSettings, SCAN_INTERVAL_MS } from './scan-orders.ts';

const MINUTE = 60_000;

describe('scan of orders', () => {
  let shop: PayingShop;
  let orderId: string;
  beforeEach(async () => {
    shop = await startPayingShop();
    orderId = await shop.place();
  });
  afterEach(() => shop.close());

  const cancelled = (reason = 'customer') => ({
    type: 'OrderCancelled',
    reason,
    productId: shop.productId,
    quantity: 2,
  });
  const refunded = (intent: string, refund: string) => ({ type: 'PaymentRefunded', intent, amount: AMOUNT, refund });
  const stockEvents = async () => (await shop.history(shop.productId, 'product')).slice(1);
  /** The one refund of an intent at Stripe. */
  async function refundOf(intent: string): Promise<string> {
    const { data } = await shop.stripe.refunds.list({ payment_intent: intent });
    expect(data.map(({ amount, status }) => ({ amount, status }))).toEqual([{ amount: AMOUNT, status: 'succeeded' }]);
    return data[0]?.id ?? '';
  }
  /** A scan in a process of its own. */
  function otherScan(changes: Partial<OrderScanSettings> = {}) {
    const handler = changes.handler ?? shop.newHandler();
    return createOrderScan({ ...shop.scanSettings, handler, payments: shop.newPayments(handler), ...changes });
  }
  /** A handler that fails for what `breaks` names. */
  function breaking(breaks: (id: string, cause: string) => boolean): CommandHandler {
    const own = shop.newHandler();
    return {
      ...own,
      async execute(decider, id, command, meta, options) {
        if (breaks(id, meta.cause)) throw new Error('killed');
        return own.execute(decider, id, command, meta, options);
      },
    };
  }

  describe('ORD6 expiry', () => {
    it('cancels an unpaid order once its time is over, and its stock goes back once', async () => {
      await shop.project();
      shop.advance(HOUR - MINUTE);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed]);
      shop.advance(MINUTE);
      await Promise.all([shop.scan.runOnce(), otherScan().runOnce(), otherScan().runOnce()]);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, cancelled('expired')]);
      const returned = { type: 'StockReturned', orderId, quantity: 2 };
      expect(await stockEvents()).toEqual([{ type: 'StockReduced' }, returned]);
    });

    it('leaves a paid order alone', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.pay(intent);
      await shop.delivered();
      await shop.project();
      shop.advance(2 * HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('asks Stripe first: an order paid in time whose webhook was lost is paid', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.project();
      shop.advance(HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('closes the open intent, so that it cannot be paid any more', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.project();
      shop.advance(HOUR);
      await shop.runAll();
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired'), abandoned(intent)]);
      await expect(shop.pay(intent)).rejects.toThrow();
    });

    it('PAY4 money that comes for an expired order goes back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      shop.advance(HOUR);
      await otherScan({ payments: { ...shop.newPayments(), withdraw: async () => {} } }).runOnce();
      await shop.pay(intent);
      await shop.delivered();
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([
        placed,
        started(intent),
        cancelled('expired'),
        refundDue(intent, 'order_expired'),
        refunded(intent, await refundOf(intent)),
      ]);
    });

    it('happens while Stripe is down too, and what was open is closed once Stripe is back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      await shop.stopStripe();
      shop.advance(HOUR);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired')]);
      await shop.restartStripe();
      await shop.faults({ drop: true });
      shop.advance(MINUTE);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled('expired'), abandoned(intent)]);
    });

    it("one order's failure does not stop the others", async () => {
      const other = await shop.place();
      await shop.project();
      shop.advance(HOUR);
      await otherScan({ handler: breaking((id) => id === orderId) }).runOnce();
      expect(await shop.history(orderId)).toEqual([placed]);
      expect(await shop.history(other)).toEqual([placed, cancelled('expired')]);
      expect(shop.lines.join('')).toContain(orderId);
    });
  });

  describe('PAY4 refunds', () => {
    let intent: string;
    const due = () => [placed, started(intent), cancelled(), refundDue(intent, 'order_cancelled')];
    const done = async () => [...due(), refunded(intent, await refundOf(intent))];
    beforeEach(async () => {
      intent = await shop.startPaying(orderId);
      await shop.cancel(orderId);
      await shop.pay(intent);
      await shop.delivered();
      expect(await shop.history(orderId)).toEqual(due());
    });

    it('gives the money of a cancelled order back, once, in any number of copies', async () => {
      await projectOnly();
      await Promise.all([otherScan().runOnce(), otherScan().runOnce(), otherScan().runOnce()]);
      expect(await shop.history(orderId)).toEqual(await done());
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual(await done());
      expect((await shop.readModels.get('order', orderId))?.owes).toEqual({ intents: [], refunds: [] });
    });

    it('follows the event at once, without waiting for a scan', async () => {
      await shop.project();
      await vi.waitFor(async () => expect(await shop.history(orderId)).toHaveLength(due().length + 1), 5_000);
      expect(await shop.history(orderId)).toEqual(await done());
    });

    it('takes a refund made by hand as done', async () => {
      const { id } = await shop.stripe.refunds.create({ payment_intent: intent });
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, id)]);
    });

    it('cut between Stripe and the log, the refund is found again and recorded', async () => {
      await projectOnly();
      await otherScan({ handler: breaking((_id, cause) => cause.startsWith('refund:')) }).runOnce();
      expect(await shop.history(orderId)).toEqual(due());
      const made = await refundOf(intent);
      await otherScan().runOnce();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, made)]);
    });

    it('is made in the end though Stripe fails, loses an answer, or is down', async () => {
      await projectOnly();
      await shop.faults({ apiFailures: 1 });
      await otherScan().runOnce();
      await shop.stopStripe();
      await otherScan().runOnce();
      expect(await shop.history(orderId)).toEqual(due());
      await shop.restartStripe();
      await shop.faults({ lostAnswers: 1 });
      await otherScan().runOnce();
      expect(await shop.history(orderId)).toEqual(await done());
    });

    it('a failed refund is tried again after a while, not at every scan', async () => {
      await projectOnly();
      const tries: number[] = [];
      const refund = async () => {
        tries.push(shop.clock());
        throw new Error('Stripe refused');
      };
      const scan = otherScan({ payments: { ...shop.newPayments(), refund } });
      for (let scans = 0; scans < 720; scans += 1) {
        await scan.runOnce();
        shop.advance(SCAN_INTERVAL_MS);
      }
      const [first = 0, second = Number.NaN] = tries;
      expect(second - first, 'V24 PAY4: only this shop can return the money').toBeLessThanOrEqual(2 * SCAN_INTERVAL_MS);
      expect(tries.length).toBeGreaterThan(6);
      expect(tries.length).toBeLessThan(20);
    });

    /** Projects without anything that follows: the scans of the test are the only ones. */
    async function projectOnly(): Promise<void> {
      await shop.scan.stop();
      await shop.project();
    }
  });

  describe('PAY6 refunds that do not succeed', () => {
    let intent: string;
    const due = () => [placed, started(intent), cancelled(), refundDue(intent, 'order_cancelled')];
    const failure = (refund: string, attempt: number, reason = 'lost_or_stolen_card') => ({
      type: 'RefundFailed',
      intent,
      amount: AMOUNT,
      reason: 'order_cancelled',
      refund,
      attempt,
      failure: reason,
    });
    const refunds = async () => (await shop.stripe.refunds.list({ payment_intent: intent })).data.reverse();
    /** Scans again after the longest pause between two tries. */
    async function later(): Promise<void> {
      shop.advance(10 * MINUTE);
      await shop.runAll();
    }
    /** Stripe's webhooks arrive, and what follows from them happens. */
    async function heard(): Promise<void> {
      await shop.delivered();
      await shop.runAll();
    }

    beforeEach(async () => {
      intent = await shop.startPaying(orderId);
      await shop.cancel(orderId);
      await shop.pay(intent);
      await shop.delivered();
    });

    it.each(['pending', 'requires_action'])('E6 PAY6 one that is %s stays owed until it succeeds', async (status) => {
      await shop.faults({ refundStatus: status });
      await shop.runAll();
      await later();
      expect(await shop.history(orderId)).toEqual(due());
      expect((await shop.readModels.get('order', orderId))?.owes.refunds).toHaveLength(1);
      const [only, ...others] = await refunds();
      expect(others).toEqual([]);
      await shop.changeRefund(only?.id ?? '', 'succeeded');
      await later();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, only?.id ?? '')]);
    });

    it('E6 PAY6 T12 one that failed is recorded and logged, and another one is made under a key of its own', async () => {
      await shop.faults({ refundStatus: 'failed' });
      await shop.runAll();
      await shop.faults({ refundStatus: 'succeeded' });
      const [first] = await refunds();
      expect(await shop.history(orderId)).toEqual([...due(), failure(first?.id ?? '', 1)]);
      await shop.scan.runOnce();
      expect(shop.scan.failedRefunds()).toEqual([{ orderId, intent, failures: 1 }]);
      expect(shop.lines.join('')).toContain('a refund failed; another one is made');
      await later();
      const [, second] = await refunds();
      expect(await shop.history(orderId)).toEqual([
        ...due(),
        failure(first?.id ?? '', 1),
        refunded(intent, second?.id ?? ''),
      ]);
      await later();
      expect(shop.scan.failedRefunds()).toEqual([]);
    });

    it('E6 PAY6 after three failures a person is asked, and what that person does at Stripe is found', async () => {
      await shop.faults({ refundStatus: 'canceled' });
      for (let tries = 0; tries < 6; tries += 1) await later();
      const failures = (await refunds()).map(({ id }, index) => failure(id, index + 1, 'canceled'));
      expect(failures).toHaveLength(3);
      expect(await shop.history(orderId)).toEqual([...due(), ...failures]);
      expect(shop.scan.failedRefunds()).toEqual([{ orderId, intent, failures: 3 }]);
      expect(shop.lines.join('')).toContain('a refund failed; a person has to give the money back');
      await shop.faults({});
      const { id } = await shop.stripe.refunds.create({ payment_intent: intent });
      await later();
      expect(await shop.history(orderId)).toEqual([...due(), ...failures, refunded(intent, id)]);
    });

    it('E6 PAY6 one that succeeded and failed days later is due again, as the webhook says', async () => {
      await shop.runAll();
      const [first] = await refunds();
      const made = [...due(), refunded(intent, first?.id ?? '')];
      expect(await shop.history(orderId)).toEqual(made);
      await shop.faults({ duplicate: 3 });
      await shop.changeRefund(first?.id ?? '', 'failed');
      await shop.delivered();
      expect(await shop.history(orderId)).toEqual([...made, failure(first?.id ?? '', 1)]);
      await shop.project();
      expect(await shop.readModels.get('order', orderId)).toMatchObject({
        refundedAt: null,
        owes: { refunds: [{ intent, amount: AMOUNT, reason: 'order_cancelled', failures: 1 }] },
      });
      await later();
      await heard();
      const [, second] = await refunds();
      expect(await shop.history(orderId)).toEqual([
        ...made,
        failure(first?.id ?? '', 1),
        refunded(intent, second?.id ?? ''),
      ]);
    });

    it('E6 PAY6 part of the money is not all of it', async () => {
      await shop.stripe.refunds.create({ payment_intent: intent, amount: AMOUNT - 100 });
      await shop.runAll();
      const [, rest] = await refunds();
      expect(rest?.amount).toBe(100);
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, rest?.id ?? '')]);
    });
  });

  describe('PAY5 reconciling', () => {
    it('finds a payment whose webhook was lost', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      shop.advance(30_000);
      await Promise.all([shop.scan.runOnce(), otherScan().runOnce()]);
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('asks ever more seldom for an intent that nobody pays, and at least every 10 minutes', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.project();
      const asked: number[] = [];
      const settle = async () => {
        asked.push(shop.clock());
        return { kind: 'not_complete', orderId, status: 'requires_payment_method' } as const;
      };
      const begin = shop.clock();
      const scan = otherScan({ payments: { ...shop.newPayments(), settle } });
      for (let scans = 0; scans < 700; scans += 1) {
        await scan.runOnce();
        shop.advance(SCAN_INTERVAL_MS);
      }
      expect(asked.length).toBeGreaterThan(5);
      expect(asked.length).toBeLessThan(15);
      expect((asked[0] ?? 0) - begin).toBeGreaterThanOrEqual(25_000);
      const gaps = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
      expect(Math.min(...gaps), 'V24 PAY5: its webhook comes first').toBeGreaterThanOrEqual(30_000);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE + 2 * SCAN_INTERVAL_MS);
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
    });

    it('closes the open intent of a cancelled order', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.cancel(orderId);
      await shop.runAll();
      expect((await shop.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
      expect(await shop.history(orderId)).toEqual([placed, started(intent), cancelled(), abandoned(intent)]);
    });

    it('an order cancelled just after it was paid, unheard: the money goes back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.cancel(orderId);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([
        placed,
        started(intent),
        cancelled(),
        refundDue(intent, 'order_cancelled'),
        refunded(intent, await refundOf(intent)),
      ]);
      expect(await stockEvents()).toEqual([{ type: 'StockReduced' }, { type: 'StockReturned', orderId, quantity: 2 }]);
    });

    it('closes the open intent of an order that another intent paid', async () => {
      const intent = await shop.startPaying(orderId);
      const method = { enabled: true, allow_redirects: 'never' as const };
      const params = { amount: AMOUNT, currency: 'bdt', metadata: { orderId }, automatic_payment_methods: method };
      const { id: other } = await shop.stripe.paymentIntents.create(params);
      await shop.faults({ drop: true });
      await shop.pay(other);
      await shop.payments.settle(other, META);
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(other), abandoned(intent)]);
    });

    it('T28 ORD6 PAY5 Stripe is asked again right before an expiry, however lately it was asked', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.project();
      shop.advance(HOUR - 5_000);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      // Paid in the last seconds, within the back-off of the answer above.
      await shop.pay(intent);
      shop.advance(6_000);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });

    it('while Stripe is down nothing is appended, and the payment is found once it is back', async () => {
      const intent = await shop.startPaying(orderId);
      await shop.faults({ drop: true });
      await shop.pay(intent);
      await shop.project();
      await shop.stopStripe();
      shop.advance(MINUTE);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent)]);
      await shop.restartStripe();
      shop.advance(MINUTE);
      await shop.scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, started(intent), recorded(intent)]);
    });
  });

  /** Orders that each owe one refund, which failed before, as documents, and a handler whose streams say the same. */
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

  it('T4 PAY6 reaches every one of 600 orders that owe something, and names each refund that failed once', async () => {
    const { orders, handler } = owingOrders(600);
    const reached = new Set<string>();
    const now = shop.clock();
    const refund = async (id: string) => void reached.add(id);
    const scan = otherScan({
      handler,
      payments: { ...shop.newPayments(), refund },
      clock: () => now,
      readModels: {
        ordersToExpire: async () => [],
        ordersOwing: async (_placedBy, afterId, limit) => orders.filter(({ id }) => id > afterId).slice(0, limit),
      },
    });
    for (let scans = 0; scans < 4; scans += 1) await scan.runOnce();
    expect(reached.size).toBe(600);
    // Behind more than a page of what is not due yet.
    orders.push(...owingOrders(601).orders.slice(600));
    await scan.runOnce();
    expect(reached.size).toBe(601);
    expect(scan.failedRefunds().map((failed) => failed.orderId)).toEqual(orders.map(({ id }) => id));
  });

  it('E22 PAY5 of 2,000 orders that wait for their next try a scan reads none, and others have their turn meanwhile', async () => {
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
      readModels: {
        ordersToExpire: async () => [],
        async ordersOwing(_placedBy, afterId, limit) {
          lists += 1;
          turnsBetween.push(turns);
          setImmediate(() => {
            turns += 1;
          });
          return orders.filter(({ id }) => id > afterId).slice(0, limit);
        },
      },
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

  it('T11 leaves a Stripe that is not available alone after 5 calls, until the next run', async () => {
    const { orders, handler } = owingOrders(8);
    let calls = 0;
    const refund = async () => {
      calls += 1;
      throw new PaymentUnavailable('Stripe is down');
    };
    const steps = createOwedSteps({ ...shop.scanSettings, handler, payments: { ...shop.newPayments(), refund } });
    for (const expected of [5, 8]) {
      steps.beginRound();
      for (const { id } of orders) await steps.takeDue(id);
      expect(calls).toBe(expected);
    }
  });

  it('T11 asks a Stripe that is not available for 5 orders that expire, and no more in this run', async () => {
    let calls = 0;
    const settle = async () => {
      calls += 1;
      throw new PaymentUnavailable('Stripe is down');
    };
    const load = async (_decider: unknown, id: string) => {
      const draft = { placedAt: '2026-01-01T00:00:00.000Z' };
      const state = { status: 'unpaid', draft, intents: [{ intent: `pi_${id}`, attempt: 1, status: 'open' }] };
      return { state: state as never, version: 1 };
    };
    const handler = { ...shop.newHandler(), load };
    const steps = createOwedSteps({ ...shop.scanSettings, handler, payments: { ...shop.newPayments(), settle } });
    steps.beginRound();
    for (let order = 0; order < 8; order += 1) await steps.reconcileBeforeExpiry(`${order}`);
    expect(calls).toBe(5);
  });

  describe('timing', () => {
    it('ORD6 scans at the start and every 5 s, never twice at once, and no more after stop()', async () => {
      const tick = { every: 0, run: () => {}, stopped: 0 };
      const gates: (() => void)[] = [];
      let [now, most] = [0, 0];
      const ordersToExpire = async () => {
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
      const ordersOwing = shop.readModels.ordersOwing.bind(shop.readModels);
      const scan = otherScan({ readModels: { ordersToExpire, ordersOwing }, every });
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

    it('ORD6 scans every 5 s by its own timer, until stop()', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        let scanned = () => {};
        const nextScan = () => new Promise<void>((resolve) => (scanned = resolve));
        const ordersToExpire = async () => {
          scanned();
          return [];
        };
        const scan = otherScan({ readModels: { ordersToExpire, ordersOwing: async () => [] } });
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

    it('ORD6 a scan that fails is logged, and the next one runs', async () => {
      await shop.project();
      shop.advance(HOUR);
      let failures = 1;
      const ordersToExpire: OrderScanSettings['readModels']['ordersToExpire'] = async (...args) => {
        if (failures-- > 0) throw new Error('the database is locked');
        return shop.readModels.ordersToExpire(...args);
      };
      const ordersOwing = shop.readModels.ordersOwing.bind(shop.readModels);
      const scan = otherScan({ readModels: { ordersToExpire, ordersOwing } });
      await scan.runOnce();
      expect(shop.lines.at(-1)).toContain('the database is locked');
      expect(await shop.history(orderId)).toEqual([placed]);
      await scan.runOnce();
      expect(await shop.history(orderId)).toEqual([placed, cancelled('expired')]);
    });
  });
});
