import { expect, it, onTestFinished } from 'vitest';
import { Database } from '../../runtime/sqlite.ts';
import { startSimulator } from './simulator.fixture.ts';

/** Undoes the migration that tells when and to whom an object is listed. */
const LISTED_TO_ALL = 'ALTER TABLE objects DROP COLUMN listed_at; ALTER TABLE objects DROP COLUMN account;';

it('the Stripe simulator can still use a payment method that an older version stored in a different format', async () => {
  let running = await startSimulator();
  onTestFinished(() => running.close());
  const method = await running.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000009995', exp_month: 12, exp_year: 40 },
    billing_details: { name: 'Rina' },
  });
  running = await running.restart(({ dataFile }) => {
    const database = new Database(dataFile);
    const kept = "json_object('method', json(body), 'outcome', 'insufficient_funds')";
    database.exec(`UPDATE objects SET body = ${kept} WHERE kind = 'payment_method'`);
    database.exec(`${LISTED_TO_ALL} DROP TABLE later; PRAGMA user_version = 1`);
    database.close();
  });
  expect(await running.stripe.paymentMethods.retrieve(method.id)).toEqual(method);
  const intent = await running.stripe.paymentIntents.create({ amount: 125_000, currency: 'bdt' });
  await expect(running.stripe.paymentIntents.confirm(intent.id, { payment_method: method.id })).rejects.toMatchObject({
    decline_code: 'insufficient_funds',
  });
});

it('a charge from before there were balance transactions gets none, but its refund does', async () => {
  let running = await startSimulator();
  onTestFinished(() => running.close());
  const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method: 'pm_card_visa' };
  const charge = String((await running.stripe.paymentIntents.create(params)).latest_charge);
  running = await running.restart(({ dataFile }) => {
    const database = new Database(dataFile);
    database.exec(`
      ${LISTED_TO_ALL}
      DELETE FROM objects WHERE kind = 'balance_transaction';
      UPDATE objects SET body = json_remove(body, '$.balance_transaction') WHERE kind = 'charge';
      DROP TABLE later;
      PRAGMA user_version = 2;
    `);
    database.close();
  });
  expect((await running.stripe.charges.retrieve(charge)).balance_transaction).toBeNull();
  expect((await running.stripe.balance.retrieve()).pending).toMatchObject([{ amount: 0 }]);
  const refund = await running.stripe.refunds.create({ charge });
  const { data } = await running.stripe.balanceTransactions.list();
  expect(data).toMatchObject([{ id: refund.balance_transaction, type: 'refund', source: refund.id }]);
});
