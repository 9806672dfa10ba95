import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import type { StoredEvent } from '../contracts/events.ts';
import { streamName } from '../contracts/ids.ts';
import { personExportSchema } from '../contracts/people/person-export.ts';
import { userIdOf } from '../identity/user-id.ts';
import { checkInvariants } from './check-invariants.fixture.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { addProduct, call, orderList, orderOf, type Person, productOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const EMAIL = 'rokeya.begum@shop.test';
const NAME = 'Rokeya Begum';
const PHONE = '01655443322';
const ADDRESS = 'Flat 5C, Mirpur Road, Dhaka';
/** the new delivery address that orders are later changed to */
const MOVED = 'House 11, Zindabazar, Sylhet';
/** the name shown below this account's reviews */
const REVIEWER = 'rokeya.begum';
const PERSONAL = [EMAIL, NAME, PHONE, ADDRESS, MOVED, REVIEWER];

/** Lists the PERSONAL texts found in each file of a directory, including SQLite's free pages and WAL. */
function hits(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = join(directory, name);
    if (!statSync(file).isFile()) return [];
    const content = readFileSync(file);
    return PERSONAL.filter((text) => content.includes(text)).map((text) => `${name}: ${text}`);
  });
}

describe('erasing a person', () => {
  const data = freshDataDir();
  let shop: LightShop;
  let admin: Person;
  let productId: string;

  beforeAll(async () => {
    shop = await startLightShop(data.path);
    admin = await signIn(shop.url, LIGHT_ADMIN);
    productId = await addProduct(admin);
  });
  afterAll(async () => {
    await shop.stop();
    data.remove();
  });

  async function place(person: Person): Promise<string> {
    const order = { ...orderOf(person, productId), name: NAME, phone: PHONE, address: ADDRESS };
    return createdSchema.parse((await person.call('POST', '/orders', order)).body).insertedId;
  }

  async function startPaying(person: Person, orderId: string): Promise<string> {
    const answer = await person.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
    return String((answer.body as { clientSecret: string }).clientSecret).replace(/_secret_.*$/, '');
  }

  async function pay(person: Person, orderId: string): Promise<void> {
    const intent = await startPaying(person, orderId);
    await shop.stripe.paymentIntents.confirm(intent, {
      payment_method_data: {
        type: 'card',
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
        billing_details: { name: NAME, email: EMAIL },
      } as never,
      receipt_email: EMAIL,
    });
    expect((await person.call('PATCH', `/orders/${orderId}`, { transactionId: intent })).status).toBe(200);
  }

  async function events(): Promise<StoredEvent[]> {
    return (await shop.core.log.readAll(null, 10_000)).events;
  }

  /** Returns sums over the whole log: payments and refunds in poisha, and order totals in taka. Also lists the paid orders. */
  async function ledger() {
    const all = await shop.core.sealing.openAll(await events());
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    return {
      recorded: sum(all.map((event) => (event.type === 'PaymentRecorded' ? event.data.amount : 0))),
      refunded: sum(all.map((event) => (event.type === 'PaymentRefunded' ? event.data.amount : 0))),
      totals: sum(all.map((event) => (event.type === 'OrderPlaced' ? event.data.draft.total : 0))),
      paid: all.filter(({ type }) => type === 'PaymentRecorded').map(({ subject }) => subject),
    };
  }

  it('ERASE1 ORD9 erasing a person removes their data from every file, keeps order and payment totals, and lets the person return as a new customer', async () => {
    const person = await signIn(shop.url, EMAIL);
    await person.call('PUT', `/users/${EMAIL}`, { phone: PHONE, address: ADDRESS, education: NAME, social: EMAIL });
    const [shipped, cancelled, unpaid] = [await place(person), await place(person), await place(person)];
    await pay(person, shipped);
    await startPaying(person, unpaid);
    for (const id of [shipped, unpaid]) await person.call('PUT', `/orders/${id}/delivery`, { address: MOVED });
    await person.call('DELETE', `/orders/${cancelled}`);
    const review = { name: 'Tower One', ratings: 5, username: REVIEWER, description: 'Runs cool.' };
    const posted = createdSchema.parse((await person.call('POST', '/reviews', review)).body).insertedId;

    const tooEarly = await person.call('DELETE', `/users/${EMAIL}`);
    expect(tooEarly).toMatchObject({ status: 409, body: { code: 'order_on_its_way' } });
    await admin.call('PUT', `/orders/${shipped}`);
    for (const address of [ADDRESS, MOVED]) expect(hits(data.path)).toContain(`shop.sqlite-wal: ${address}`);
    const before = await ledger();

    expect(await person.call('DELETE', `/users/${EMAIL}`)).toMatchObject({ status: 200, body: { deletedCount: 1 } });
    expect((await person.call('GET', `/users/${EMAIL}`)).status).toBe(401);
    const userId = userIdOf(EMAIL, shop.secrets.userId);
    const lastOfUser = async () => (await shop.core.log.readStream(streamName('user', userId), 0, 100)).at(-1)?.type;
    await expect.poll(lastOfUser, { timeout: 15_000 }).toBe('ErasureCompleted');
    await expect.poll(() => hits(data.path), { timeout: 15_000 }).toEqual([]);

    expect(await ledger()).toEqual(before);
    expect(await shop.core.vault.find(userId)).toBeNull();
    for (const id of [shipped, cancelled, unpaid]) {
      const order = { name: 'erased', email: 'erased', phone: 'erased', address: 'erased' };
      expect((await admin.call('GET', `/orders/${id}`)).body).toMatchObject(order);
    }
    expect(await shop.core.readModels.get('order', unpaid)).toMatchObject({ status: 'cancelled' });
    expect((await call(shop.url, 'GET', `/reviews/${posted}`)).body).toMatchObject({ username: 'erased' });
    expect((await admin.call('GET', `/users?q=${EMAIL}`)).body).toEqual([]);
    expect((await admin.call('GET', `/orders?q=${PHONE}`)).body).toEqual([]);
    expect((await admin.call('DELETE', `/users/${EMAIL}`)).status).toBe(404);

    const kept = await Promise.all([shipped, cancelled, unpaid].map((id) => shop.core.readModels.get('order', id)));
    const streams = new Set((await events()).map(({ subject }) => subject));
    expect(streams).toContain(`order-${shipped}`);

    const back = await signIn(shop.url, EMAIL);
    expect(orderList(await back.call('GET', `/individual?email=${EMAIL}`))).toEqual([]);
    const bought = await place(back);
    await pay(back, bought);
    await admin.call('PUT', `/orders/${bought}`);
    expect(orderList(await back.call('GET', `/individual?email=${EMAIL}`))).toMatchObject([
      { _id: bought, name: NAME, address: ADDRESS, phone: PHONE, status: 'shipped' },
    ]);
    expect(await ledger()).toEqual({
      recorded: before.recorded + 100_000,
      refunded: before.refunded,
      totals: before.totals + 1_000,
      paid: [...before.paid, streamName('order', bought)],
    });
    await expect.poll(async () => productOf(await call(shop.url, 'GET', `/products/${productId}`)).quantity).toBe(98);
    expect(await Promise.all([shipped, cancelled, unpaid].map((id) => shop.core.readModels.get('order', id)))).toEqual(
      kept,
    );
    const { faults } = await checkInvariants(shop.core, [userIdOf(LIGHT_ADMIN, shop.secrets.userId)]);
    expect(faults).toEqual([]);
    console.info(
      `the ledger before and after the erasure: ${JSON.stringify(before)}; later: ${JSON.stringify(await ledger())}`,
    );
  });

  it('ERASE1 ORD9 a customer can export all data stored about them, and other customers can neither export that data nor delete the account', async () => {
    const email = 'jahanara@shop.test';
    const person = await signIn(shop.url, email);
    await person.call('PUT', `/users/${email}`, { phone: PHONE, address: ADDRESS });
    const [paid, cancelled] = [await place(person), await place(person)];
    await pay(person, paid);
    await person.call('PUT', `/orders/${paid}/delivery`, { address: MOVED });
    await person.call('DELETE', `/orders/${cancelled}`);
    await person.call('POST', '/reviews', { name: 'Tower One', ratings: 4, username: REVIEWER, description: 'Fine.' });
    const answer = await person.call('GET', `/users/${email}/export`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="micro-center-my-data.json"');
    const exported = personExportSchema.parse(answer.body);
    expect(exported.profile).toMatchObject({ email, phone: PHONE, address: ADDRESS });
    expect(exported.orders.map(({ order }) => order._id).sort()).toEqual([paid, cancelled].sort());
    expect(exported.orders.find(({ order }) => order._id === paid)?.order).toMatchObject({ address: MOVED });
    expect(exported.events.find(({ type }) => type === 'DeliveryChanged')).toMatchObject({
      data: { personal: { address: MOVED } },
    });
    const [payment] = exported.orders.find(({ order }) => order._id === paid)?.payments ?? [];
    expect(payment).toMatch(/^pi_/);
    expect(exported.reviews).toMatchObject([{ username: 'jahanara', description: 'Fine.' }]);
    const types = exported.events.map(({ type }) => type);
    for (const type of ['UserRegistered', 'ProfileChanged', 'OrderPlaced', 'PaymentRecorded', 'ReviewPosted']) {
      expect(types).toContain(type);
    }
    expect(JSON.stringify(exported)).not.toContain(EMAIL);
    const stranger = await signIn(shop.url, 'stranger@shop.test');
    expect((await stranger.call('GET', `/users/${email}/export`)).status).toBe(403);
    expect((await stranger.call('DELETE', `/users/${email}`)).status).toBe(403);
  });

  it("ERASE1 the last admin's account cannot be deleted", async () => {
    expect(await admin.call('DELETE', `/users/${LIGHT_ADMIN}`)).toMatchObject({
      status: 409,
      body: { code: 'last_admin' },
    });
  });
});
