import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createdSchema, paymentIntentAnswerSchema } from '../contracts/answers.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { addProduct, call, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const data = freshDataDir();
let shop: LightShop;
beforeAll(async () => {
  shop = await startLightShop(data.path, { logLevel: 'silent' });
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

const readyz = z.object({ ready: z.literal(true), checks: z.object({ unrecordedMoney: z.array(z.unknown()) }) });

async function shown(): Promise<unknown[]> {
  return readyz.parse((await call(shop.url, 'GET', '/readyz')).body).checks.unrecordedMoney;
}

it('E17 PAY3 /readyz lists a payment for an order that is missing from the log, until the payment is refunded', async () => {
  const buyer = await signIn(shop.url, 'rahim@shop.test');
  const productId = await addProduct(await signIn(shop.url, LIGHT_ADMIN));
  const placed = await buyer.call('POST', '/orders', orderOf(buyer, productId));
  const orderId = createdSchema.parse(placed.body).insertedId;
  const started = await buyer.call('POST', '/create-payment-intent', { orderId, totalPrice: 1_000 });
  const intent = paymentIntentAnswerSchema.parse(started.body).clientSecret.split('_secret_')[0] ?? '';
  await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  const paid = await buyer.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId: intent });
  expect(paid.status).toBe(200);
  expect(await shown()).toEqual([]);

  const lost = randomBytes(12).toString('hex');
  const { id } = await shop.stripe.paymentIntents.create({
    amount: 70_000,
    currency: 'bdt',
    metadata: { orderId: lost },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  await shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  const missing = { what: 'paid_for_missing_order', orderId: lost, intent: id, amount: 70_000 };
  await expect.poll(shown).toEqual([missing]);
  await shop.stripe.refunds.create({ payment_intent: id });
  await expect.poll(shown).toEqual([]);
});
