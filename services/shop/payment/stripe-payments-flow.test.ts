import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { SECRET_KEY } from '../../demo/stripe/simulator.fixture.ts';
import { META, startPayingShop } from './paying-shop.fixture.ts';
import { PaymentUnavailable } from './payments.ts';
import { createStripeClient } from './stripe-client-flow.ts';
import { createStripePayments } from './stripe-payments-flow.ts';

it('PAY1 a call fails with PaymentUnavailable within 8 s if Stripe accepts the connection but never responds', async () => {
  const shop = await startPayingShop();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const stripe = createStripeClient({ secretKey: SECRET_KEY, simulatorUrl: `http://127.0.0.1:${port}` });
  const payments = createStripePayments({
    stripe,
    handler: shop.handler,
    clock: Date.now,
    logger: { warn: () => {}, error: () => {} },
  });
  // This payment intent is created by the Stripe simulator, which responds, unlike the silent server.
  const paying = await shop.place();
  const intent = await shop.startPaying(paying);
  await shop.cancel(paying);
  const steps = [
    payments.createIntent(await shop.place(), META),
    payments.settle('pi_nobody', META),
    payments.settleRefunds('pi_nobody', META),
    payments.withdraw(paying, intent, META),
  ];
  const began = Date.now();
  await Promise.all(steps.map((step) => expect(step).rejects.toThrow(PaymentUnavailable)));
  expect(Date.now() - began).toBeLessThan(8_000);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  await shop.close();
}, 20_000);
