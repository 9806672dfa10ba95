import { describe, expect, it } from 'vitest';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';

const open = testShops();

describe('payment intents', () => {
  it('C20 repeated payment requests for an order get the same client secret and append only one PaymentStarted event', async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop);
    const orderId = await place(2);
    const body = { orderId, totalPrice: 2000 };
    const answer = await shopper.call('POST', '/create-payment-intent', body);
    expect(answer).toMatchObject({ status: 200, body: { clientSecret: expect.stringMatching(/^pi_.+_secret_/) } });
    expect((await shopper.call('POST', '/create-payment-intent', body)).body).toEqual(answer.body);
    expect(await shop.events('order', orderId)).toMatchObject([
      { type: 'OrderPlaced' },
      { type: 'PaymentStarted', data: { attempt: 1, amount: 200_000 }, actor: shop.userId(shopper.email) },
    ]);
  });

  it("C20 a payment request whose total differs from the order's total gets a 422", async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop);
    const orderId = await place(2);
    const answer = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1999 });
    expect(answer).toMatchObject({ status: 422, body: { code: 'total_mismatch' } });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced']);
  });

  it('C20 an order whose total is below PAYMENT_MINIMUM can be placed but not paid for', async () => {
    const shop = await open();
    const { shopper, place } = await stockedShop(shop, { price: 99.99 });
    const orderId = await place();
    const answer = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 99 });
    expect(answer).toMatchObject({ status: 422, body: { code: 'amount_too_small', detail: 'At least 100 taka.' } });
  });

  it.each(['cancelled', 'paid'])('C20 starting a payment for a %s order is refused', async (status) => {
    const shop = await open();
    const { shopper, place, pay } = await stockedShop(shop);
    const orderId = await place();
    if (status === 'paid') await pay(orderId, 1000);
    else await shopper.call('DELETE', `/orders/${orderId}`);
    const answer = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
    expect(answer).toMatchObject({ status: 409, body: { code: `order_${status}` } });
  });

  it('C20 starting a payment for an unknown order gets a 404 that quotes the order id, even if the id is malformed', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    for (const orderId of ['f'.repeat(32), 'nothing', '', 'x'.repeat(1000)]) {
      const answer = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
      const detail = `There is no order ${orderId.slice(0, 64)}.`;
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', detail } });
    }
  });

  it.each([
    [new PaymentUnavailable('x'), 503, 'payment_unavailable'],
    [new PaymentProviderFailed('x'), 502, 'payment_provider_failed'],
  ])(
    "C20 a payment request or report that fails with %s gets that error's own status and problem code",
    async (error, status, code) => {
      const fails = () => Promise.reject(error);
      const shop = await open(() => ({ payments: { createIntent: fails, settle: fails } }));
      const { shopper, place } = await stockedShop(shop);
      const orderId = await place();
      const answers = [
        await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 }),
        await shopper.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId: 'pi_1' }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status, body: { code } });
    },
  );
});

describe('reporting a payment', () => {
  it('C17 PAY1 a payment confirmed by Stripe is recorded only once, even if it is reported twice', async () => {
    const shop = await open();
    const { shopper, place, startPaying } = await stockedShop(shop);
    const orderId = await place();
    const transactionId = await startPaying(orderId, 1000);
    await shop.stripe.paymentIntents.confirm(transactionId, { payment_method: 'pm_card_visa' });
    const report = () => shopper.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId });
    expect((await report()).body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1, version: 3 });
    expect((await report()).body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 0, version: 3 });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced', 'PaymentStarted', 'PaymentRecorded']);
    expect((await shopper.call('GET', `/orders/${orderId}`)).body).toMatchObject({ paid: true, transactionId });
  });

  it('C17 PAY1 reporting a payment intent that is not paid yet gets a 409 and records nothing', async () => {
    const shop = await open();
    const { shopper, place, startPaying } = await stockedShop(shop);
    const orderId = await place();
    const transactionId = await startPaying(orderId, 1000);
    const answer = await shopper.call('PATCH', `/orders/${orderId}`, { transactionId });
    expect(answer).toMatchObject({ status: 409, body: { code: 'payment_not_complete' } });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced', 'PaymentStarted']);
  });

  it("C17 reporting an unknown payment or another order's payment does not mark an order as paid", async () => {
    const shop = await open();
    const { shopper, place, pay } = await stockedShop(shop);
    const paid = await pay(await place(), 1000);
    const orderId = await place();
    for (const transactionId of [paid, 'pi_unknown']) {
      const answer = await shopper.call('PATCH', `/orders/${orderId}`, { order: orderId, transactionId });
      expect(answer).toMatchObject({ status: 422, body: { code: 'payment_mismatch' } });
    }
    const otherOrder = await shopper.call('PATCH', `/orders/${orderId}`, { order: 'other', transactionId: paid });
    expect(otherOrder).toMatchObject({ status: 422, body: { code: 'payment_mismatch' } });
    expect(await shop.history('order', orderId)).toEqual(['OrderPlaced']);
  });

  it('C17 PAY4 a payment of the wrong amount, or for an order that is already paid, is refused and becomes due for a refund', async () => {
    const shop = await open();
    const { shopper, place, pay } = await stockedShop(shop);
    const orderId = await place();
    const automatic_payment_methods = { enabled: true, allow_redirects: 'never' as const };
    async function reportOf(amount: number) {
      const params = { amount, currency: 'bdt', metadata: { orderId }, automatic_payment_methods };
      const { id } = await shop.stripe.paymentIntents.create(params);
      await shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
      return shopper.call('PATCH', `/orders/${orderId}`, { transactionId: id });
    }
    expect(await reportOf(99_900)).toMatchObject({ status: 422, body: { code: 'payment_mismatch' } });
    await pay(orderId, 1000);
    expect(await reportOf(100_000)).toMatchObject({ status: 409, body: { code: 'order_paid' } });
    const types = await shop.history('order', orderId);
    expect(types).toEqual(['OrderPlaced', 'RefundDue', 'PaymentStarted', 'PaymentRecorded', 'RefundDue']);
  });

  it('C17 PAY4 a payment for a cancelled order is refused and becomes due for a refund', async () => {
    const shop = await open();
    const { shopper, place, startPaying } = await stockedShop(shop);
    const orderId = await place();
    const transactionId = await startPaying(orderId, 1000);
    await shop.stripe.paymentIntents.confirm(transactionId, { payment_method: 'pm_card_visa' });
    await shopper.call('DELETE', `/orders/${orderId}`);
    const answer = await shopper.call('PATCH', `/orders/${orderId}`, { transactionId });
    expect(answer).toMatchObject({ status: 409, body: { code: 'order_cancelled' } });
    expect(await shop.history('order', orderId)).toEqual([
      'OrderPlaced',
      'PaymentStarted',
      'OrderCancelled',
      'RefundDue',
    ]);
  });
});
