import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AMOUNT, placed, refundDue, started } from './paying-shop.fixture.ts';
import { SCAN_INTERVAL_MS } from './scan-orders-flow.ts';
import {
  breaking,
  cancelled,
  freshShop,
  MINUTE,
  orderId,
  otherScan,
  refunded,
  refundOf,
  shop,
} from './scanned-shop.fixture.ts';

freshShop();

describe('order scan', () => {
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

    it('a cancelled order is refunded once, however many copies of the shop scan it', async () => {
      await projectOnly();
      await Promise.all([otherScan().runOnce(), otherScan().runOnce(), otherScan().runOnce()]);
      expect(await shop.history(orderId)).toEqual(await done());
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual(await done());
      expect((await shop.readModels.get('order', orderId))?.owes).toEqual({ intents: [], refunds: [] });
    });

    it('a cancelled order is refunded as soon as its events are handled, without waiting for a scan', async () => {
      await shop.project();
      await vi.waitFor(async () => expect(await shop.history(orderId)).toHaveLength(due().length + 1), 5_000);
      expect(await shop.history(orderId)).toEqual(await done());
    });

    it('a scan records a refund that was made by hand in Stripe', async () => {
      const { id } = await shop.stripe.refunds.create({ payment_intent: intent });
      await shop.runAll();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, id)]);
    });

    it('if a process crashes between making a refund in Stripe and recording it, the next scan finds and records that refund', async () => {
      await projectOnly();
      await otherScan({ handler: breaking((_id, cause) => cause.startsWith('refund:')) }).runOnce();
      expect(await shop.history(orderId)).toEqual(due());
      const made = await refundOf(intent);
      await otherScan().runOnce();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, made)]);
    });

    it('a refund is eventually made despite a Stripe error, an outage and a lost response', async () => {
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

    it('a failed refund is retried with growing delays, not on every scan', async () => {
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
      expect(second - first, 'PAY4: only this shop can return the money').toBeLessThanOrEqual(2 * SCAN_INTERVAL_MS);
      expect(tries.length).toBeGreaterThan(6);
      expect(tries.length).toBeLessThan(20);
    });

    /** Stops the shop's own scan and projects the log, so that only the test's scans run. */
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
    /** Scans again after the longest retry delay. */
    async function later(): Promise<void> {
      shop.advance(10 * MINUTE);
      await shop.runAll();
    }
    /** Waits until Stripe's webhooks have been delivered, then projects the log, runs the policies and scans the orders. */
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

    it.each(['pending', 'requires_action'])('PAY6 a %s refund stays due until it succeeds', async (status) => {
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

    it('PAY6 a failed refund is recorded and logged, and the next refund uses a new idempotency key', async () => {
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

    it('PAY6 after three failed refunds, the shop logs that a manual refund is needed, and records that refund once it is made in Stripe', async () => {
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

    it('PAY6 a refund that Stripe refuses to make is listed with its words until it is made', async () => {
      await shop.faults({ refundRefusal: 'Insufficient funds in your Stripe balance to refund this amount.' });
      await shop.runAll();
      await later();
      await shop.scan.runOnce();
      expect(shop.scan.failedRefunds()).toMatchObject([
        { orderId, intent, failures: 0, refusal: expect.stringContaining('Insufficient funds in your Stripe balance') },
      ]);
      await shop.faults({});
      await later();
      await later();
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, await refundOf(intent))]);
      expect(shop.scan.failedRefunds()).toEqual([]);
    });

    it('PAY6 a refund recorded as successful becomes due again if a webhook later reports that it failed', async () => {
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

    it('PAY6 after a partial refund by hand, the shop refunds the rest', async () => {
      await shop.stripe.refunds.create({ payment_intent: intent, amount: AMOUNT - 100 });
      await shop.runAll();
      const [, rest] = await refunds();
      expect(rest?.amount).toBe(100);
      expect(await shop.history(orderId)).toEqual([...due(), refunded(intent, rest?.id ?? '')]);
    });
  });
});
