import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, startSimulator } from './simulator.fixture.ts';

let running: Running;
beforeEach(async () => {
  running = await startSimulator();
});
afterEach(() => running.close());

const PAID = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
const ALL = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];
const types = () => running.receiver.events.map((event) => event.type);
const open = () => running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });

describe('webhooks', () => {
  it("each webhook event is signed and delivered once, and equals the API's event except for pending_webhooks", async () => {
    const intent = await running.stripe.paymentIntents.create(PAID);
    await running.stripe.refunds.create({ payment_intent: intent.id });
    expect((await running.settled()).settled).toBe(true);
    expect(types().sort()).toEqual([...ALL, 'refund.created', 'charge.refunded'].sort());
    const delivered = running.receiver.events.find((event) => event.type === 'payment_intent.succeeded');
    expect(delivered).toMatchObject({ object: 'event', livemode: false, data: { object: { id: intent.id } } });
    const kept = await running.stripe.events.retrieve(delivered?.id ?? '');
    expect(kept).toEqual({ ...delivered, pending_webhooks: 0 });
    const listed = await running.stripe.events.list({ types: ['payment_intent.succeeded', 'refund.created'] });
    expect(listed.data.map((event) => event.type)).toEqual(['refund.created', 'payment_intent.succeeded']);
  });

  it('only events of subscribed types are delivered to the webhook endpoint, but events of all types are stored', async () => {
    await running.close();
    running = await startSimulator({ webhookEvents: ['payment_intent.succeeded'] });
    await running.stripe.paymentIntents.create(PAID);
    await running.settled();
    expect(types()).toEqual(['payment_intent.succeeded']);
    const kept = await running.stripe.events.list();
    expect(kept.data.map((event) => event.type).sort()).toEqual([...ALL].sort());
    expect(kept.data.every((event) => event.pending_webhooks === 0)).toBe(true);
  });

  it('webhooks report a declined card, a 3-D Secure challenge and a cancellation', async () => {
    const { paymentIntents } = running.stripe;
    const { id } = await open();
    await paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }).catch(() => {});
    await paymentIntents.confirm(id, { payment_method: 'pm_card_threeDSecure2Required' });
    await paymentIntents.cancel(id);
    await running.settled();
    expect(types()).toEqual(
      expect.arrayContaining([
        'payment_intent.created',
        'charge.failed',
        'payment_intent.payment_failed',
        'payment_intent.requires_action',
        'payment_intent.canceled',
      ]),
    );
  });

  it.each([500, 302, 0])(
    'a webhook delivery is retried after a response with status %i, where 0 stands for a broken connection',
    async (status) => {
      running.receiver.answer = (_event, attempt) => (attempt < 3 ? status : 200);
      await open();
      const { deliveries } = await running.settled();
      expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 3 }]);
      expect(types()).toEqual(Array(3).fill('payment_intent.created'));
    },
  );

  it('a webhook delivery is retried if no response arrives in time', async () => {
    await running.close();
    running = await startSimulator({ webhookTimeoutMs: 1_000 });
    running.receiver.answer = (_event, attempt) => (attempt === 1 ? new Promise(() => {}) : 200);
    await open();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('a webhook delivery is abandoned after the maximum number of attempts', async () => {
    running.receiver.answer = () => 503;
    await open();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'abandoned', attempts: 5 }]);
    expect(running.receiver.events).toHaveLength(5);
  });

  it('undelivered webhook events survive a restart of the Stripe simulator', async () => {
    running.receiver.answer = () => 500;
    await running.faults({ delayMs: 600_000 });
    await open();
    await running.faults({ reorder: 5 });
    await open();
    running.receiver.answer = () => 200;
    running = await running.restart();
    const pending = async () => (await running.stripe.events.list()).data.map((event) => event.pending_webhooks);
    await expect.poll(pending).toEqual([0, 1]);
    expect(running.receiver.events).toHaveLength(1);
  });

  it('failed webhook deliveries are retried as soon as the Stripe simulator has restarted', async () => {
    await running.close();
    running = await startSimulator({ retry: { firstMs: 600_000 } });
    running.receiver.answer = (_event, attempt) => (attempt === 1 ? 500 : 200);
    await open();
    await expect.poll(async () => (await running.stripe.events.list()).data[0]?.pending_webhooks).toBe(1);
    await expect.poll(() => running.receiver.events.length).toBe(1);
    running = await running.restart();
    expect((await running.settled()).settled).toBe(true);
    expect(running.receiver.events).toHaveLength(2);
  });

  it('a delivery attempt that is interrupted by stopping the Stripe simulator does not count toward the maximum number of attempts', async () => {
    await running.close();
    running = await startSimulator({ retry: { attempts: 1 } });
    running.receiver.answer = (_event, attempt) => (attempt === 1 ? new Promise(() => {}) : 200);
    await open();
    await expect.poll(() => running.receiver.events.length).toBe(1);
    running = await running.restart();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });
});

describe('faults', () => {
  it('the duplicate fault delivers the given number of copies of each webhook event in parallel', async () => {
    await running.faults({ duplicate: 3 });
    let present = 0;
    let together = () => {};
    const allThere = new Promise<void>((resolve) => {
      together = resolve;
    });
    running.receiver.answer = async () => {
      present += 1;
      if (present === 3) together();
      await allThere;
      return 200;
    };
    await open();
    expect((await running.settled()).deliveries).toHaveLength(3);
    expect(new Set(running.receiver.events.map((event) => event.id)).size).toBe(1);
    expect(present).toBe(3);
  });

  it('while the drop fault is on, webhook events are not delivered, but the API still returns them', async () => {
    await running.faults({ drop: true });
    const intent = await running.stripe.paymentIntents.create(PAID);
    const { settled, deliveries } = await running.settled();
    expect(settled).toBe(true);
    expect(deliveries.map((delivery) => delivery.state)).toEqual(['dropped', 'dropped', 'dropped']);
    expect(running.receiver.events).toEqual([]);
    const events = await running.stripe.events.list({ type: 'payment_intent.succeeded' });
    expect(events.data[0]?.data.object).toMatchObject({ id: intent.id });
    await running.faults({});
    await open();
    await running.settled();
    expect(types()).toEqual(['payment_intent.created']);
  });

  it('the delayMs fault delays webhook delivery by the given number of milliseconds', async () => {
    await running.faults({ delayMs: 150 });
    const before = Date.now();
    await open();
    await running.settled();
    expect(Date.now() - before).toBeGreaterThanOrEqual(150);
    expect(types()).toEqual(['payment_intent.created']);
  });

  it('the reorder fault collects the given number of webhooks, sends them newest first, and retries a failed one before sending the next', async () => {
    await running.faults({ reorder: 3 });
    running.receiver.answer = (event, attempt) => (event.type === 'charge.succeeded' && attempt === 1 ? 500 : 200);
    await running.stripe.paymentIntents.create(PAID);
    await running.settled();
    const [created, charged, succeeded] = ALL;
    expect(types()).toEqual([succeeded, charged, charged, created]);
  });

  it('the reorder fault still sends the remaining webhooks after one of them has been abandoned', async () => {
    await running.faults({ reorder: 3 });
    running.receiver.answer = ({ type }) => (type === 'charge.succeeded' ? 500 : 200);
    await running.stripe.paymentIntents.create(PAID);
    expect((await running.settled()).settled).toBe(true);
    const [created, charged, succeeded] = ALL;
    expect(types()).toEqual([succeeded, ...Array(5).fill(charged), created]);
  });

  it('turning off the reorder fault sends the webhooks that were being held', async () => {
    await running.faults({ reorder: 10 });
    await running.stripe.paymentIntents.create(PAID);
    expect(running.receiver.events).toEqual([]);
    await running.faults({});
    expect((await running.settled()).settled).toBe(true);
    expect(types()).toEqual([...ALL].reverse());
  });
});
