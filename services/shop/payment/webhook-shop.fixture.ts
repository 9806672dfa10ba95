import { afterEach, beforeEach, expect } from 'vitest';
import { problemSchema } from '../../contracts/problems.ts';
import { eventBody, type PayingShop, placed, recorded, started, startPayingShop } from './paying-shop.fixture.ts';

export let shop: PayingShop;
export let orderId: string;
export let intent: string;

/** Before each test in a file, opens a shop with one order whose payment has been started. */
export function freshShop(): void {
  beforeEach(async () => {
    shop = await startPayingShop();
    orderId = await shop.place();
    intent = await shop.startPaying(orderId);
  });
  afterEach(() => shop.close());
}

export const succeeded = (id = intent) => eventBody('payment_intent.succeeded', id);
export const paidOnce = () => [placed, started(intent), recorded(intent)];

/** Creates a payment intent for this order directly through Stripe's API, and pays the intent. */
export async function payByHand(amount: number, currency: string): Promise<string> {
  const method = { enabled: true, allow_redirects: 'never' as const };
  const params = { amount, currency, metadata: { orderId }, automatic_payment_methods: method };
  const { id } = await shop.stripe.paymentIntents.create(params);
  await shop.pay(id);
  await shop.delivered();
  return id;
}

export async function problem(answer: Response): Promise<[number, string]> {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const { code, status } = problemSchema.parse(await answer.json());
  expect(status).toBe(answer.status);
  return [answer.status, code];
}
