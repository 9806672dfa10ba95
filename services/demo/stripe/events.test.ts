import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, refusalOf, sdk, startSimulator } from './simulator.fixture.ts';

const DAY = 86_400_000;
let running: Running;
let now = Date.UTC(2030, 0, 1, 12);
beforeEach(async () => {
  running = await startSimulator({}, () => now);
});
afterEach(() => running.close());

const PAID = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
const pay = () => running.stripe.paymentIntents.create(PAID);
const ALL = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];

describe('the list of events', () => {
  it('the list of events can be paged through in both directions, and limited to a time', async () => {
    await pay();
    const first = now;
    now += DAY;
    await pay();
    const ids = (await running.stripe.events.list()).data.map(({ id }) => id);
    expect(ids).toHaveLength(6);
    const walked: string[] = [];
    for await (const { id } of running.stripe.events.list({ limit: 2 })) walked.push(id);
    expect(walked).toEqual(ids);
    const newer = await running.stripe.events.list({ limit: 2, ending_before: ids[4] ?? '' });
    expect(newer).toMatchObject({ has_more: true, data: [{ id: ids[2] }, { id: ids[3] }] });
    const later = await running.stripe.events.list({ created: { gt: Math.floor(first / 1000) } });
    expect(later.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const earlier = await running.stripe.events.list({ created: { lte: Math.floor(first / 1000) } });
    expect(earlier.data.map(({ id }) => id)).toEqual(ids.slice(3));
    expect((await refusalOf(running.stripe.events.list({ starting_after: 'evt_none' }))).param).toBe('starting_after');
  });

  it('the list of events can be limited to at most 20 types, or to a group of types', async () => {
    await pay();
    const named = await running.stripe.events.list({ types: ['charge.succeeded', 'refund.created'] });
    expect(named.data.map(({ type }) => type)).toEqual(['charge.succeeded']);
    const group = await running.stripe.events.list({ type: 'payment_intent.*' });
    expect(group.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded', 'payment_intent.created']);
    expect((await running.stripe.events.list({ type: 'charge.succeede?' as never })).data).toEqual([]);
    const types = Array.from({ length: 20 }, (_, index) => `charge.type_${index}`);
    expect((await running.stripe.events.list({ types })).data).toEqual([]);
    expect((await refusalOf(running.stripe.events.list({ types: [...types, 'charge.updated'] }))).param).toBe('types');
  });

  it('the list of events goes back 30 days', async () => {
    await pay();
    now += 30 * DAY;
    expect((await running.stripe.events.list()).data).toHaveLength(3);
    now += 1_000;
    expect((await running.stripe.events.list()).data).toEqual([]);
    expect((await running.stripe.events.list({ created: { gte: 0 } })).data).toEqual([]);
  });

  it('the list of events can be limited to events whose webhooks were not delivered', async () => {
    await running.faults({ dropTypes: ['payment_intent.succeeded'] });
    await pay();
    expect((await running.settled()).settled).toBe(true);
    expect(running.receiver.events.map(({ type }) => type).sort()).toEqual(
      ALL.filter((type) => type !== 'payment_intent.succeeded').sort(),
    );
    const missed = await running.stripe.events.list({ delivery_success: false });
    expect(missed.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
    const delivered = await running.stripe.events.list({ delivery_success: true });
    expect(delivered.data).toHaveLength(2);
  });

  it('an event counts as undelivered while its webhook is in flight, and after the last attempt', async () => {
    await running.close();
    running = await startSimulator({ retry: { attempts: 1 } }, () => now);
    let refuse = () => {};
    running.receiver.answer = () =>
      new Promise((resolve) => {
        refuse = () => resolve(503);
      });
    await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });
    expect((await running.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
    await expect.poll(() => running.receiver.events.length).toBe(1);
    refuse();
    expect((await running.settled()).deliveries).toMatchObject([{ state: 'abandoned' }]);
    expect((await running.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  });
});

describe('faults of the lists', () => {
  it('the next GETs of lists and of the balance fail as often as the faults say, and other calls do not', async () => {
    const { latest_charge } = await pay();
    await running.faults({ rateLimits: 1, listFailures: 2 });
    const patient = sdk(running.port, undefined, 2);
    expect((await refusalOf(patient.balanceTransactions.list())).type).toBe('StripeRateLimitError');
    expect((await running.stripe.charges.retrieve(String(latest_charge))).paid).toBe(true);
    expect((await refusalOf(patient.events.list())).statusCode).toBe(500);
    expect((await refusalOf(patient.balance.retrieve())).statusCode).toBe(500);
    expect((await patient.events.list()).data).toHaveLength(3);
  });
});
