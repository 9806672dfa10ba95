import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import {
  announcePacking,
  type Client,
  callers,
  clients,
  connect,
  freshGateway,
  gateway,
  karim,
  publish,
  rahim,
  refused,
  server,
  untilSeen,
  untyped,
} from './live-gateway.fixture.ts';

freshGateway();

describe('live gateway', () => {
  it('PACK1 LIVE3 only the other admins are told which order an admin is packing', async () => {
    const [visitor, customer, mina, admin] = await Promise.all([
      connect(),
      connect({ token: 'rahim' }),
      connect({ token: 'boss' }),
      connect({ token: 'chief' }),
    ]);
    const claim = { order: 'o1', by: { id: callers.boss ?? '', name: 'Mina' }, left: 120_000 };
    const release = { order: 'o1', by: null, left: null };
    announcePacking(claim);
    announcePacking(release);
    for (const { views } of [visitor, customer, mina, admin]) await untilSeen(views);
    expect([visitor.packing, customer.packing]).toEqual([[], []]);
    expect([mina.packing, admin.packing]).toEqual([[release], [claim, release]]);
  });

  it("LIVE3 every socket receives pushes about products, a customer's socket also about that customer's orders, and an admin's socket about all orders", async () => {
    const [visitor, customer, admin] = await Promise.all([
      connect(),
      connect({ token: 'rahim' }),
      connect({ token: 'boss' }),
    ]);
    publish('product', 'p1', 1, ['everyone']);
    publish('order', 'rahims', 1, [`user:${rahim}`, 'admins']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(visitor.views)).toEqual(['p1']);
    expect(await untilSeen(customer.views)).toEqual(['p1', 'rahims']);
    expect(await untilSeen(admin.views)).toEqual(['p1', 'rahims', 'karims']);
  });

  it('LIVE3 an admin receives each push about their own order only once', async () => {
    const admin = await connect({ token: 'boss' });
    publish('order', 'own', 1, [`user:${callers.boss}`, 'admins']);
    expect(await untilSeen(admin.views)).toEqual(['own']);
  });

  it('LIVE2 a socket joins its rooms before its client is connected, so the client misses no push', async () => {
    for (let round = 0; round < 20; round += 1) {
      const customer = await connect({ token: 'rahim' });
      publish('order', `o${round}`, 1, [`user:${rahim}`]);
      expect(await untilSeen(customer.views)).toEqual([`o${round}`]);
    }
  });

  it('AUTH7 a connection whose Host header names another host is refused', async () => {
    const { port } = server.address() as AddressInfo;
    const asUnder = (host: string): Client =>
      io(`http://127.0.0.1:${port}`, { transports: ['websocket'], extraHeaders: { host }, reconnection: false });
    const [own, other] = [asUnder('localhost'), asUnder('evil.example')];
    clients.push(own, other);
    const kept = new Promise<void>((resolve) => other.once('connect_error', () => resolve()));
    await expect.poll(() => own.connected).toBe(true);
    await kept;
    expect(other.connected).toBe(false);
  });

  it('LIVE3 a connection with a malformed handshake or an invalid token is refused, and the token is not reported with the refusal', async () => {
    await expect(connect({ token: 17 })).rejects.toThrow('malformed');
    await expect(connect({ token: 'x'.repeat(5000) })).rejects.toThrow('malformed');
    await expect(connect({ token: 'forged' })).rejects.toThrow('unauthenticated');
    expect(refused).toEqual(['malformed', 'malformed', 'unauthenticated']);
    expect(gateway.sockets()).toBe(0);
  });

  it('LIVE3 a socket is closed when its token expires', async () => {
    const { client } = await connect({ token: 'brief' });
    await expect.poll(() => client.connected).toBe(false);
  });

  it('LIVE3 RATE1 a socket that sends an invalid message is disconnected, and other sockets stay connected', async () => {
    const [customer, noisy, broken, large] = await Promise.all([
      connect({ token: 'rahim' }),
      connect(),
      connect(),
      connect(),
    ]);
    for (const event of ['view', 'join', '__proto__']) untyped(noisy.client).emit(event, { room: 'admins' }, 'admins');
    broken.client.io.engine.send('9{"not":"a packet"');
    untyped(large.client).emit('join', 'x'.repeat(20_000));
    const loud = [noisy, broken, large];
    await expect.poll(() => loud.filter(({ client }) => client.connected)).toEqual([]);
    publish('order', 'rahims', 1, [`user:${rahim}`, 'admins']);
    expect(await untilSeen(customer.views)).toEqual(['rahims']);
    expect(noisy.views).toEqual([]);
  });

  it('LIVE1 a push carries the time at which it was sent', async () => {
    const visitor = await connect();
    const before = Date.now();
    publish('product', 'p1', 4, ['everyone']);
    await expect.poll(() => visitor.views.length).toBe(1);
    expect(visitor.views[0]).toMatchObject({ version: 4, at: { appended: 1, projected: 2 } });
    expect(visitor.views[0]?.at.pushed).toBeGreaterThanOrEqual(before);
  });
});
