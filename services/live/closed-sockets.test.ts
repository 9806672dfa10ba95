import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import { bytesKept } from '../runtime/heap.fixture.ts';
import { createLiveGateway, type LiveGateway } from './gateway.ts';
import { createSocketIoTransport } from './socket-io-transport.ts';

const admin = 'a'.repeat(32);
const AN_HOUR = 3_600_000;
const at = { appended: 1, projected: 2, pushed: 3 };
const broadcast = createInProcessBroadcast();

let server: Server;
let gateway: LiveGateway;
/** called each time a role is read; can delay the read or make it fail */
let roleRead: () => unknown;
let unread: number;
/** the number of role reads that are blocked */
let held: number;
/** the number of listeners for packing pushes */
let packers: number;
const refused: string[] = [];
const clients: Socket[] = [];

beforeEach(async () => {
  roleRead = () => {};
  [unread, packers, refused.length] = [0, 0, 0];
  await start();
});
afterEach(stop);

async function start(roleRetryMs = 20): Promise<void> {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = await createLiveGateway({
    openTransport: (listener) => createSocketIoTransport(listener, { server, clock: Date.now }),
    broadcast,
    async authenticate() {
      await roleRead();
      return { userId: admin, role: 'admin', tokenExpiresAt: Date.now() + AN_HOUR };
    },
    track: async () => null,
    packing() {
      packers += 1;
      return () => {
        packers -= 1;
      };
    },
    clock: Date.now,
    onRefused: (reason) => refused.push(reason),
    onUnread: () => {
      unread += 1;
    },
    roleCheckMs: AN_HOUR,
    roleRetryMs,
  });
}

async function stop(): Promise<void> {
  for (const client of clients.splice(0)) client.disconnect();
  await gateway.close();
  await new Promise((resolve) => server.close(resolve));
}

/** Starts connecting a client without waiting for the connection. */
function open(): Socket {
  const { port } = server.address() as AddressInfo;
  const client = io(`http://127.0.0.1:${port}`, {
    ...{ transports: ['websocket'], auth: { token: 'admin' }, reconnection: false, forceNew: true },
  });
  clients.push(client);
  return client;
}

async function connect(): Promise<Socket> {
  const client = open();
  await expect.poll(() => client.connected).toBe(true);
  return client;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** Blocks role reads from now on. @returns a function that unblocks them */
function holdRoles(): () => void {
  let letGo = () => {};
  const letting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  held = 0;
  roleRead = () => {
    held += 1;
    return letting;
  };
  return letGo;
}

function publishUser(version: number): void {
  const push = { kind: 'user', id: admin, version, view: null, at } as const;
  broadcast.publish({ push, audiences: [`user:${admin}`] });
}

describe('a socket that has closed', () => {
  it("LIVE3 closing a socket clears the timer for its token's expiry", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const many = await Promise.all(Array.from({ length: 20 }, connect));
    expect(timers()).toBeGreaterThanOrEqual(before + 20);
    for (const client of many) client.disconnect();
    await expect.poll(timers).toBeLessThan(before + 10);
  });

  it('LIVE3 a socket that closes while its token is checked leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const letGo = holdRoles();
    const many = Array.from({ length: 20 }, open);
    await expect.poll(() => held).toBe(20);
    for (const client of many) client.disconnect();
    await expect.poll(connections).toBe(0);
    const before = timers();
    letGo();
    await connect();
    expect(timers()).toBeLessThan(before + 10);
  });

  it('LIVE3 a closed socket whose role could not be read is forgotten, so a failed role read of a later socket is reported', async () => {
    const fails = () => {
      throw new Error('The store does not answer.');
    };
    const former = await connect();
    roleRead = fails;
    publishUser(2);
    await expect.poll(() => unread).toBeGreaterThan(0);
    former.disconnect();
    await expect.poll(gateway.sockets).toBe(0);
    roleRead = () => {};
    await connect();
    const before = unread;
    roleRead = fails;
    publishUser(3);
    await expect.poll(() => unread).toBeGreaterThan(before);
  });
});

describe('a push during handshakes', () => {
  const SOCKETS = 40;
  const PUSHES = 5_000;

  /** Returns how many bytes the heap grows by when a busy day's orders are pushed. */
  const bytesOfPushes = () =>
    bytesKept(async () => {
      for (let n = 0; n < PUSHES; n += 1) {
        const push = { kind: 'order', id: `order${n}`, version: 1, view: null, at } as const;
        broadcast.publish({ push, audiences: [] });
      }
      await new Promise(setImmediate);
    });

  it('LIVE2 a push during handshakes is not stored for sockets that are already connected or that disconnected during their handshake', async () => {
    const inside = await Promise.all(Array.from({ length: SOCKETS }, connect));
    const letGo = holdRoles();
    const leaving = Array.from({ length: SOCKETS }, () => open());
    await expect.poll(connections).toBe(2 * SOCKETS);
    await expect.poll(() => held).toBe(SOCKETS);
    for (const client of leaving) client.disconnect();
    await expect.poll(connections).toBe(SOCKETS);
    letGo();
    expect(await bytesOfPushes()).toBeLessThan(2_000_000);
    expect(inside.every(({ connected }) => connected)).toBe(true);
  });
});

describe('a gateway that is closed', () => {
  it('LIVE2 a closed gateway disconnects its sockets, even during a handshake, and no longer listens for packing pushes', async () => {
    const inside = await connect();
    const letGo = holdRoles();
    const entering = open();
    await expect.poll(() => held).toBe(1);
    expect(packers).toBe(1);
    await gateway.close();
    await expect.poll(() => inside.connected).toBe(false);
    await expect.poll(connections).toBe(0);
    letGo();
    expect([entering.connected, packers]).toEqual([false, 0]);
  });

  it('LIVE3 LIVE6 no timer is left running after a gateway is closed while a role read and a push are pending', async () => {
    await stop();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      await start(AN_HOUR);
      const client = await connect();
      const ended = new Promise((resolve) => client.once('disconnect', resolve));
      roleRead = () => {
        throw new Error('The store does not answer.');
      };
      publishUser(2);
      await expect.poll(() => unread).toBe(1);
      broadcast.publish({
        push: { kind: 'product', id: 'p', version: 1, view: null, at },
        audiences: ['everyone'],
        paced: true,
      });
      await gateway.close();
      expect(await ended).toBe('io server disconnect');
      // This loop doesn't use expect.poll, which would advance the fake timers.
      for (let turn = 0; vi.getTimerCount() > 0 && turn < 10_000; turn += 1) await new Promise(setImmediate);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a socket that received a large burst', () => {
  it('LIVE6 a socket that received a large burst is still dropped once it falls behind', async () => {
    const seen = new Set<string>();
    const slow = await connect();
    slow.on('view', ({ id }: { id: string }) => seen.add(id));
    const large = 'x'.repeat(70_000);
    const publish = (id: string) =>
      broadcast.publish({
        push: { kind: 'product', id, version: 1, view: { description: large } as never, at },
        audiences: ['everyone'],
      });
    for (let n = 0; n < 50; n += 1) publish(`burst${n}`);
    await expect.poll(() => seen.size).toBe(50);
    const { ws } = slow.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } };
    ws.pause();
    for (let n = 0; refused.length === 0 && n < 1_000; n += 1) {
      publish(`later${n}`);
      await new Promise(setImmediate);
    }
    expect(refused).toEqual(['too_slow']);
    ws.resume();
    await expect.poll(() => slow.connected).toBe(false);
  });
});
