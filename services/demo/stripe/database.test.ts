import BetterSqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { startSimulator } from './simulator.fixture.ts';

it('the Stripe simulator can still use a payment method that an older version stored in a different format', async () => {
  let running = await startSimulator();
  onTestFinished(() => running.close());
  const method = await running.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000009995', exp_month: 12, exp_year: 40 },
    billing_details: { name: 'Rina' },
  });
  running = await running.restart(({ dataFile }) => {
    const database = new BetterSqlite(dataFile);
    const kept = "json_object('method', json(body), 'outcome', 'insufficient_funds')";
    database.exec(`UPDATE objects SET body = ${kept} WHERE kind = 'payment_method'; PRAGMA user_version = 1`);
    database.close();
  });
  expect(await running.stripe.paymentMethods.retrieve(method.id)).toEqual(method);
  const intent = await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });
  await expect(running.stripe.paymentIntents.confirm(intent.id, { payment_method: method.id })).rejects.toMatchObject({
    decline_code: 'insufficient_funds',
  });
});
