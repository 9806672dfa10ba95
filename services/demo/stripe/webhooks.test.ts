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
  it('delivers each event once, signed and equal to the event that the API returns', async () => {
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

  it('delivers only the types that the endpoint subscribes to, but stores the others too', async () => {
    await running.close();
    running = await startSimulator({ webhookEvents: ['payment_intent.succeeded'] });
    await running.stripe.paymentIntents.create(PAID);
    await running.settled();
    expect(types()).toEqual(['payment_intent.succeeded']);
    const kept = await running.stripe.events.list();
    expect(kept.data.map((event) => event.type).sort()).toEqual([...ALL].sort());
    expect(kept.data.every((event) => event.pending_webhooks === 0)).toBe(true);
  });

  it('sends events about declines, 3-D Secure and cancellation', async () => {
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

  it.each([500, 302, 0])('retries after a response of %i (0: broken connection)', async (status) => {
    running.receiver.answer = (_event, attempt) => (attempt < 3 ? status : 200);
    await open();
    const { deliveries } = await running.settled();
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 3 }]);
    expect(types()).toEqual(Array(3).fill('payment_intent.created'));
  });

  it('retries when no response arrives in time', async () => {
    await running.close();
    running = await startSimulator({ webhookTimeoutMs: 1_000 });
    running.receiver.answer = (_event, attempt) => (attempt === 1 ? new Promise(() => {}) : 200);
    await open();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('gives up after the last attempt', async () => {
    running.receiver.answer = () => 503;
    await open();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'abandoned', attempts: 5 }]);
    expect(running.receiver.events).toHaveLength(5);
  });

  it('keeps undelivered events across a restart', async () => {
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

  it('retries failed deliveries immediately after a restart', async () => {
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

  it('E14 does not count an attempt that was cut off when the simulator stopped', async () => {
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
  it('duplicate: delivers each event n times in parallel', async () => {
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

  it('drop: delivers nothing, but the API still returns the event', async () => {
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

  it('delayMs: delays the delivery', async () => {
    await running.faults({ delayMs: 150 });
    const before = Date.now();
    await open();
    await running.settled();
    expect(Date.now() - before).toBeGreaterThanOrEqual(150);
    expect(types()).toEqual(['payment_intent.created']);
  });

  it('reorder: holds deliveries until there are enough, then sends newest first, even after a failure', async () => {
    await running.faults({ reorder: 3 });
    running.receiver.answer = (event, attempt) => (event.type === 'charge.succeeded' && attempt === 1 ? 500 : 200);
    await running.stripe.paymentIntents.create(PAID);
    await running.settled();
    const [created, charged, succeeded] = ALL;
    expect(types()).toEqual([succeeded, charged, charged, created]);
  });

  it('reorder: after an abandoned delivery, the next ones are still sent', async () => {
    await running.faults({ reorder: 3 });
    running.receiver.answer = ({ type }) => (type === 'charge.succeeded' ? 500 : 200);
    await running.stripe.paymentIntents.create(PAID);
    expect((await running.settled()).settled).toBe(true);
    const [created, charged, succeeded] = ALL;
    expect(types()).toEqual([succeeded, ...Array(5).fill(charged), created]);
  });

  it('reorder: turning it off releases the held deliveries', async () => {
    await running.faults({ reorder: 10 });
    await running.stripe.paymentIntents.create(PAID);
    expect(running.receiver.events).toEqual([]);
    await running.faults({});
    expect((await running.settled()).settled).toBe(true);
    expect(types()).toEqual([...ALL].reverse());
  });
});
