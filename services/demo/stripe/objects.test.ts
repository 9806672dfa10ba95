import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Running, startSimulator } from './simulator.fixture.ts';

/**
 * Stripe's published sample objects. Their API version is older than the SDK's, because Stripe hasn't published newer
 * ones. The SDK's types, which the simulator's objects must match too, cover the difference.
 */
const published = z
  .object({ apiVersion: z.string(), resources: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(readFileSync(new URL('./stripe-objects.fixture.json', import.meta.url), 'utf8')));

/** Fields that Stripe documents and the SDK's types have, but that the published samples leave out. */
const NOT_IN_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  dispute: ['evidence_details.submission_method'],
  payment_intent: [
    'automatic_payment_methods.allow_redirects',
    'last_payment_error.charge',
    'last_payment_error.code',
    'last_payment_error.decline_code',
    'last_payment_error.doc_url',
    'last_payment_error.message',
    'last_payment_error.payment_method',
    'next_action.use_stripe_sdk',
  ],
  refund: ['failure_balance_transaction', 'failure_reason', 'pending_reason'],
};

/** The fields that the shop reads. Each object has to have all of them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  balance: ['available', 'pending'],
  balance_transaction: [
    'amount',
    'available_on',
    'created',
    'currency',
    'exchange_rate',
    'fee',
    'fee_details',
    'net',
    'reporting_category',
    'source',
    'status',
    'type',
  ],
  charge: ['amount', 'amount_refunded', 'balance_transaction', 'currency', 'disputed', 'payment_intent', 'status'],
  dispute: [
    'amount',
    'balance_transactions',
    'charge',
    'currency',
    'evidence_details',
    'is_charge_refundable',
    'payment_intent',
    'reason',
    'status',
  ],
  event: ['api_version', 'created', 'data', 'livemode', 'pending_webhooks', 'request', 'type'],
  payment_intent: [
    'amount',
    'amount_received',
    'client_secret',
    'currency',
    'last_payment_error',
    'latest_charge',
    'metadata',
    'next_action',
    'status',
  ],
  payment_method: ['billing_details', 'card', 'type'],
  refund: ['amount', 'balance_transaction', 'charge', 'currency', 'metadata', 'payment_intent', 'reason', 'status'],
};

/** The objects whose fields depend on what they contain, so the samples say nothing about other contents. */
const OPEN = ['event.data.object', 'charge.metadata', 'payment_intent.metadata', 'refund.metadata', 'dispute.metadata'];

let running: Running;
beforeAll(async () => {
  running = await startSimulator();
});
afterAll(() => running.close());

const pay = (payment_method: string) =>
  running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt', confirm: true, payment_method });

/** Makes at least one object of each kind in each state that adds fields to it. */
async function makeObjects(): Promise<{ object: string }[]> {
  const { stripe } = running;
  const paid = await pay('pm_card_visa');
  const charge = String(paid.latest_charge);
  await pay('pm_card_chargeDeclined').catch(() => {});
  await pay('pm_card_threeDSecure2Required');
  await pay('pm_card_processingThenSucceeds');
  await running.faults({ refundStatus: 'pending' });
  const refund = await stripe.refunds.create({
    charge,
    amount: 10_000,
    reason: 'duplicate',
    metadata: { order: 'o1' },
  });
  await running.control(`refunds/${refund.id}`, { status: 'failed' });
  await stripe.refunds.create({ charge, amount: 10_000 });
  const disputed = await running.control(`charges/${charge}/disputes`, { reason: 'fraudulent' });
  await running.control(`disputes/${disputed.body.id}`, { decision: 'respond' });
  await running.control(`disputes/${disputed.body.id}`, { decision: 'win' });
  const lists = await Promise.all([
    stripe.paymentIntents.list({ limit: 100 }),
    stripe.charges.list({ limit: 100 }),
    stripe.refunds.list({ limit: 100 }),
    stripe.disputes.list({ limit: 100 }),
    stripe.balanceTransactions.list({ limit: 100 }),
    stripe.events.list({ limit: 100 }),
  ]);
  const { lastResponse: _, ...balance } = await stripe.balance.retrieve();
  const { lastResponse: __, ...method } = await stripe.paymentMethods.retrieve(String(paid.payment_method));
  const events = lists[5].data.map(({ data }) => data.object as unknown as { object: string });
  return [...lists.flatMap(({ data }): { object: string }[] => data), ...events, balance, method];
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns the fields of `given` that the sample lacks, or that have another JSON type there. A null matches any type. */
function differences(given: unknown, sample: unknown, path: string): string[] {
  if (given === null || sample === null || OPEN.includes(path)) return [];
  if (Array.isArray(given) && Array.isArray(sample)) {
    return sample.length === 0 ? [] : given.flatMap((one) => differences(one, sample[0], `${path}[]`));
  }
  if (!isObject(given) || !isObject(sample) || Array.isArray(given) !== Array.isArray(sample)) {
    return typeof given === typeof sample && isObject(given) === isObject(sample) ? [] : [`${path}: another type`];
  }
  return Object.entries(given).flatMap(([name, value]) =>
    name in sample ? differences(value, sample[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

it("the local Stripe's objects have only fields of Stripe's published samples, with the same JSON types, and all fields that the shop reads", async () => {
  const objects = await makeObjects();
  const kinds = [...new Set(objects.map(({ object }) => object))].sort();
  expect(kinds).toEqual(Object.keys(published.resources).sort());
  const found = objects.flatMap((one) => differences(one, published.resources[one.object], one.object));
  const known = Object.entries(NOT_IN_SAMPLES).flatMap(([kind, paths]) => paths.map((path) => `${kind}.${path}`));
  expect([...new Set(found)].sort()).toEqual(known.sort());
  for (const one of objects) {
    expect((NEEDED[one.object] ?? []).filter((field) => !(field in one))).toEqual([]);
  }
});
