import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../contracts/ledger/ledger.ts';
import { restoreBackup } from '../embedded/backup/restore-backup.ts';
import { takeBackup } from '../embedded/backup/take-backup.ts';
import { systemClock } from '../runtime/clock.ts';
import { loadSecrets } from '../runtime/data-dir.ts';
import { createLogger } from '../runtime/log.ts';
import { LIGHT_ADMIN, startLightShop } from './light-shop.fixture.ts';
import { addProduct, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';
import { startStripeBesideShop } from './stripe-beside-shop.fixture.ts';

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

async function ledgerOf(admin: Person) {
  const { body } = await admin.call('GET', `/ledger?from=${day(-1)}&to=${day(1)}`);
  return (body as Ledger).rows.map(({ id, order, namedOrder, state }) => ({ id, order: order?.id, namedOrder, state }));
}

it('BACKUP1 LEDGER3 LEDGER4 a restored shop reads again what happened at Stripe since the backup, and lists the payment of an order that the backup lacks until it was refunded', async () => {
  const [data, elsewhere] = [freshDataDir(), freshDataDir()];
  onTestFinished(data.remove);
  onTestFinished(elsewhere.remove);
  let url = '';
  const courier = { lost: 0, copies: 1, longestDelayMs: 0 };
  const provider = await startStripeBesideShop(elsewhere.path, loadSecrets(data.path), {
    courier,
    decisionMs: 1_000,
    shopUrl: () => url,
  });
  onTestFinished(provider.stop);
  /** A shop reads Stripe's lists as soon as it starts. */
  const start = async (path: string) => {
    const shop = await startLightShop(path, { logLevel: 'silent' }, () => {}, { stripePort: provider.port });
    url = shop.url;
    return { stop: shop.stop, admin: await signIn(url, LIGHT_ADMIN), buyer: await signIn(url, 'rahim@shop.test') };
  };
  const buy = async (buyer: Person, product: string) => {
    const placed = await buyer.call('POST', '/orders', orderOf(buyer, product));
    const { insertedId: id } = placed.body as { insertedId: string };
    const asked = await buyer.call('POST', '/create-payment-intent', { orderId: id, totalPrice: 1_000 });
    const intent = (asked.body as { clientSecret: string }).clientSecret.split('_secret')[0] ?? '';
    await provider.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const paid = async () => ((await buyer.call('GET', `/orders/${id}`)).body as { paid: boolean }).paid;
    await expect.poll(paid).toBe(true);
    return { id, intent };
  };

  const before = await start(data.path);
  const product = await addProduct(before.admin);
  const kept = await buy(before.buyer, product);
  const directory = join(elsewhere.path, 'backup');
  await takeBackup({ dataDir: data.path, directory, clock: systemClock });
  const lost = await buy(before.buyer, product);
  await provider.stripe.refunds.create({ payment_intent: kept.intent, amount: 30_000 });
  await before.stop();

  const target = join(elsewhere.path, 'restored');
  await restoreBackup({ directory, dataDir: target, clock: systemClock, logger: createLogger('silent') });
  const restored = await start(target);
  const row = { id: expect.any(String), order: undefined, namedOrder: lost.id };
  const matched = expect.objectContaining({ id: kept.id, state: 'matched' });
  await expect.poll(() => ledgerOf(restored.admin)).toEqual([{ ...row, state: 'unmatched' }, matched]);
  const { body } = await restored.admin.call('GET', `/orders/${kept.id}`);
  expect(body).toMatchObject({ paid: true, moneyBack: { returned: 300, left: 700 } });

  await provider.stripe.refunds.create({ payment_intent: lost.intent });
  await restored.stop();
  const again = await start(target);
  await expect
    .poll(() => ledgerOf(again.admin))
    .toEqual(expect.arrayContaining([{ ...row, state: 'matched' }, matched]));
  await again.stop();
}, 60_000);
