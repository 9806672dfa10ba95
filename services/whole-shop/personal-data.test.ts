import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { Database } from '../runtime/sqlite.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { addProduct, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const EMAIL = 'shirin.akter@shop.test';
const PERSONAL = {
  email: EMAIL,
  name: 'shirin.akter',
  orderName: 'Shirin Akter Mim',
  phone: '01799887766',
  address: 'Holding 42, Kazi Nazrul Road, Rajshahi',
  education: 'Rajshahi University of Engineering',
  social: 'linkedin.example/in/shirin-mim',
  username: 'Shirin the reviewer',
};

const data = freshDataDir();
let shop: LightShop;
const pushed: string[] = [];

beforeAll(async () => {
  shop = await startLightShop(data.path);
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

it('LOG3 LIVE3 TRACK1 after an order was placed, paid for and shipped, no stored event, key file or push to strangers contains personal data in plain text', async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const stranger = await signIn(shop.url, 'stranger@shop.test');
  const sockets = [{}, { token: stranger.token }].map((auth) => io(shop.url, { transports: ['websocket'], auth }));
  for (const socket of sockets) socket.onAny((...message) => pushed.push(JSON.stringify(message)));
  await expect.poll(() => sockets.every(({ connected }) => connected)).toBe(true);

  const productId = await addProduct(admin);
  const shopper = await signIn(shop.url, EMAIL);
  const { phone, address, education, social, username } = PERSONAL;
  await shopper.call('PUT', `/users/${EMAIL}`, { phone, address, education, social });
  const body = { ...orderOf(shopper, productId), name: PERSONAL.orderName, phone, address };
  const keyed = { 'idempotency-key': `${EMAIL} ${phone}` };
  const place = async () => createdSchema.parse((await shopper.call('POST', '/orders', body, keyed)).body).insertedId;
  const orderId = await place();
  expect(await place()).toBe(orderId);
  const { token: tracking } = (await shopper.call('POST', `/orders/${orderId}/tracking`)).body as { token: string };
  const tracker = io(shop.url, { transports: ['websocket'], auth: { tracking } });
  const tracked: string[] = [];
  tracker.onAny((...message) => pushed.push(JSON.stringify(message)));
  tracker.on('view', ({ kind, id, view }) => tracked.push(`${kind} ${id} ${view?.status}`));
  await expect.poll(() => tracker.connected).toBe(true);
  const paying = await shopper.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
  const intent = String((paying.body as { clientSecret: string }).clientSecret).replace(/_secret_.*$/, '');
  await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  expect((await shopper.call('PATCH', `/orders/${orderId}`, { transactionId: intent })).status).toBe(200);
  expect((await admin.call('PUT', `/orders/${orderId}`)).status).toBe(200);
  const second = createdSchema.parse((await shopper.call('POST', '/orders', body)).body).insertedId;
  expect((await shopper.call('DELETE', `/orders/${second}`)).status).toBe(200);
  await admin.call('PUT', `/users/admin/${EMAIL}`);
  const review = { name: 'Tower One', ratings: 5, username, description: 'Runs cool.' };
  expect((await shopper.call('POST', '/reviews', review)).status).toBe(201);

  await expect.poll(() => pushed.some((message) => message.includes('Runs cool.'))).toBe(true);
  await expect.poll(() => tracked.at(-1)).toBe(`tracking ${orderId} shipped`);
  expect(tracked.filter((shown) => !shown.startsWith(`tracking ${orderId} `))).toEqual([]);
  expect(pushed.filter((message) => message.includes(intent) || message.includes(tracking))).toEqual([]);
  await shopper.call('DELETE', `/orders/${orderId}/tracking`);
  await expect.poll(() => [tracker.connected, tracked.at(-1)]).toEqual([false, `tracking ${orderId} undefined`]);
  tracker.disconnect();
  for (const socket of sockets) socket.disconnect();
  // A review and its author's name are public (REV1). All other personal data must stay secret.
  const { username: _, name: _public, ...secret } = PERSONAL;
  for (const [field, value] of Object.entries(secret)) {
    expect(
      pushed.filter((message) => message.includes(value)),
      `push: ${field}`,
    ).toEqual([]);
  }

  const database = new Database(join(data.path, 'shop.sqlite'), { readOnly: true });
  const events = database.prepare('SELECT stream, version, commit_id, cause, body FROM events').all();
  database.close();
  const types = new Set(events.map((row) => JSON.parse((row as { body: string }).body).type));
  for (const type of [
    'StockReduced',
    'OrderPlaced',
    'ProfileChanged',
    'OrderShipped',
    'ReviewPosted',
    'AdminGranted',
  ]) {
    expect(types).toContain(type);
  }
  const written = JSON.stringify(events);
  const keys = readdirSync(data.path).filter((name) => name.startsWith('keys.sqlite'));
  const kept = Buffer.concat(keys.map((name) => readFileSync(join(data.path, name))));
  for (const [field, value] of Object.entries(PERSONAL)) {
    expect(written.includes(value), `event log: ${field}`).toBe(false);
    expect(kept.includes(value), `keys: ${field}`).toBe(false);
  }
});

it('LOG3 only the owner can read the data directory and its files', () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const files = readdirSync(data.path);
  for (const name of ['shop.sqlite', 'shop.sqlite-wal', 'shop.sqlite-shm', 'stripe.sqlite', 'lock.sqlite']) {
    expect(files).toContain(name);
  }
  expect(Object.fromEntries(files.map((name) => [name, mode(join(data.path, name))]))).toEqual(
    Object.fromEntries(files.map((name) => [name, '600'])),
  );
  expect(mode(data.path)).toBe('700');
});
