import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

const data = freshDataDir();
let shop: LightShop;

beforeAll(async () => {
  shop = await startLightShop(data.path);
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

it("LIVE3 closing an account immediately disconnects its sockets but not other users' sockets, and a new account with the same e-mail address can connect", async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const closed = await signIn(shop.url, 'mina@shop.test');
  const other = await signIn(shop.url, 'rumi@shop.test');
  const connect = (token: string) => io(shop.url, { transports: ['websocket'], auth: { token }, reconnection: false });
  const [cut, kept] = [connect(closed.token), connect(other.token)];
  await expect.poll(() => cut.connected && kept.connected).toBe(true);

  expect((await admin.call('POST', '/users/mina@shop.test/release')).status).toBe(200);
  await expect.poll(() => cut.connected, { timeout: 5_000 }).toBe(false);

  const refused = connect(closed.token);
  const reason = await new Promise<string>((resolve) =>
    refused.once('connect_error', ({ message }) => resolve(message)),
  );
  expect(reason).toBe('unauthenticated');
  const next = connect((await signIn(shop.url, 'mina@shop.test')).token);
  await expect.poll(() => next.connected).toBe(true);
  expect(kept.connected).toBe(true);
  for (const socket of [kept, next]) socket.disconnect();
});
