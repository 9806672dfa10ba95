import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClientToServerEvents, ServerToClientEvents } from '../contracts/pushes.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { plainIdentity } from './plain-identity.fixture.ts';
import { addProduct, orderOf, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

/** The ids of the accounts that the identity provider was asked to delete. The provider never responds. */
const asked: string[] = [];
const silent = {
  ...plainIdentity,
  deleteAccount(uid: string) {
    asked.push(uid);
    return new Promise<never>(() => {});
  },
};

const data = freshDataDir();
let shop: LightShop;

beforeAll(async () => {
  shop = await startLightShop(data.path, {}, () => {}, { identity: silent });
});
afterAll(async () => {
  await shop.stop();
  data.remove();
});

it("FEED3 ERASE1 an identity provider that never responds to an account deletion does not delay pushes of other customers' orders", async () => {
  const admin = await signIn(shop.url, LIGHT_ADMIN);
  const productId = await addProduct(admin);
  const [leaver, buyer] = [await signIn(shop.url, 'leaver@shop.test'), await signIn(shop.url, 'buyer@shop.test')];
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(shop.url, {
    transports: ['websocket'],
    auth: { token: buyer.token },
  });
  await expect.poll(() => socket.connected).toBe(true);
  const pushed = new Promise<number>((resolve) =>
    socket.on('view', ({ kind }) => kind === 'order' && resolve(performance.now())),
  );
  expect((await leaver.call('DELETE', `/users/${leaver.email}`)).status).toBe(200);
  await expect.poll(() => asked.length, { timeout: 5_000 }).toBeGreaterThan(0);

  const placedAt = performance.now();
  expect((await buyer.call('POST', '/orders', orderOf(buyer, productId))).status).toBe(201);
  const delay = (await pushed) - placedAt;
  expect(delay).toBeLessThan(1_000);
  console.info(`another customer's order was pushed after ${delay.toFixed(0)} ms while an erasure got no response`);
  socket.disconnect();
});
