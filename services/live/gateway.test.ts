import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackingPush } from '../contracts/packing.ts';
import type { Audience } from '../contracts/projection.ts';
import type { ClientToServerEvents, DocumentPush, ServerToClientEvents, ViewPush } from '../contracts/pushes.ts';
import type { ProductView, TrackingView } from '../contracts/views.ts';
import type { BroadcastListener } from '../engine/projector/broadcast.ts';
import { createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import { createLiveGateway, type LiveGateway } from './gateway.ts';

type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

const rahim = 'a'.repeat(32);
const karim = 'b'.repeat(32);
const callers: Record<string, string> = { rahim, karim, boss: 'c'.repeat(32), chief: 'd'.repeat(32), brief: rahim };
const AN_HOUR = 3_600_000;
const at = { appended: 1, projected: 2, pushed: 3 };

let server: Server;
let gateway: LiveGateway;
let admins: Set<string>;
let announce: BroadcastListener;
/** of the broadcast, by gateways that are open */
let subscriptions = 0;
let announcePacking: (push: PackingPush) => void;
/** called once a role was read, before it is answered; what it throws or waits for is the store's doing */
let afterRoleRead: () => unknown;
/** the tokens whose role was asked for, in order */
const asked: string[] = [];
let unread: number;
/** what each tracking token shows; the rest is refused */
let tracked: Record<string, TrackingView>;
const refused: string[] = [];
const clients: Client[] = [];
const broadcast = createInProcessBroadcast();

beforeEach(async () => {
  admins = new Set([callers.boss ?? '', callers.chief ?? '']);
  refused.length = 0;
  asked.length = 0;
  unread = 0;
  tracked = { link: trackedOrder('rahims', 3), other: trackedOrder('karims', 1) };
  afterRoleRead = () => {};
  await start();
});

/** Opens a gateway whose roles are read again no sooner than anything in a test but a push asks for it. */
async function start(roleCheckMs = AN_HOUR): Promise<void> {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = await createLiveGateway({
    server,
    broadcast: {
      ...broadcast,
      async subscribe(listener) {
        announce = listener;
        const unsubscribe = await broadcast.subscribe(listener);
        subscriptions += 1;
        return () => {
          subscriptions -= 1;
          unsubscribe();
        };
      },
    },
    async authenticate(token) {
      const userId = callers[token];
      if (!userId) return null;
      const role = admins.has(userId) ? 'admin' : 'customer';
      asked.push(token);
      await afterRoleRead();
      return { userId, role, expiresAt: Date.now() + (token === 'brief' ? 150 : 3_600_000) };
    },
    async track(token) {
      const view = tracked[token];
      asked.push(token);
      await afterRoleRead();
      return view ? { view, endsAt: Number.POSITIVE_INFINITY } : null;
    },
    packing(listener) {
      announcePacking = listener;
      return () => {};
    },
    clock: Date.now,
    onRefused: (reason) => refused.push(reason),
    onUnread: () => {
      unread += 1;
    },
    resyncJitterMs: 1,
    roleCheckMs,
    roleRetryMs: 20,
  });
}

async function stop(): Promise<void> {
  for (const client of clients.splice(0)) client.disconnect();
  await gateway.close();
  await new Promise((resolve) => server.close(resolve));
}
afterEach(stop);

/** Opens the gateway anew, with roles read again this often. */
async function checkRolesEvery(milliseconds: number): Promise<void> {
  await stop();
  await start(milliseconds);
}

/** A connected client and everything that it was told. */
async function connect(auth: Record<string, unknown> = {}) {
  const { port } = server.address() as AddressInfo;
  const client: Client = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth, reconnection: false });
  clients.push(client);
  const views: ViewPush[] = [];
  const resyncs: string[] = [];
  const lives: boolean[] = [];
  const packing: PackingPush[] = [];
  client.on('view', (push) => views.push(push));
  client.on('packing', (push) => packing.push(push));
  client.on('resync', ({ reason }) => resyncs.push(reason));
  client.on('live', ({ live }) => lives.push(live));
  await new Promise<void>((resolve, reject) => {
    client.once('connect', resolve);
    client.once('connect_error', reject);
  });
  return { client, views, packing, resyncs, lives };
}

/** A client that keeps to no map of events. */
function untyped(client: Client): Socket {
  return client as unknown as Socket;
}

function trackedOrder(orderId: string, version: number): TrackingView {
  return {
    _id: orderId,
    number: 'MC-1042',
    product: 'Tower One',
    img1: '',
    quantity: 1,
    status: 'placed',
    version,
    placedAt: '2026-01-01T00:00:00.000Z',
    confirmedAt: null,
    shippedAt: null,
    cancelledAt: null,
    carrier: null,
    trackingNumber: null,
  };
}

function publish(kind: DocumentPush['kind'], id: string, version: number, audiences: readonly Audience[]): void {
  broadcast.publish({ push: { kind, id, version, view: null, at } as DocumentPush, audiences });
}

/** A change of a product's stock alone. */
function publishStock(id: string, version: number): void {
  broadcast.publish({ push: { kind: 'product', id, version, view: null, at }, audiences: ['everyone'], paced: true });
}

const sampleView: ProductView = {
  _id: 'p',
  name: 'Tower One',
  img1: '',
  img2: '',
  processor: '',
  gpu: '',
  rated: '',
  description: '',
  price: 1000,
  quantity: 5,
  minorder: 1,
  addedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
};

/** A push to everyone arrives after all that was published before it, so it ends the wait without a sleep. */
async function untilSeen(views: readonly ViewPush[]): Promise<string[]> {
  publish('review', 'mark', 1, ['everyone']);
  await expect.poll(() => views.some((push) => push.id === 'mark')).toBe(true);
  return views.filter((push) => push.id !== 'mark').map((push) => push.id);
}

describe('live gateway', () => {
  it('PACK1 LIVE3 the other admins are told who packs what, and nobody else', async () => {
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

  it('LIVE3 a visitor sees the catalogue, a customer also own orders, an admin all orders', async () => {
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

  it('LIVE3 an admin who owns an order is told of it once', async () => {
    const admin = await connect({ token: 'boss' });
    publish('order', 'own', 1, [`user:${callers.boss}`, 'admins']);
    expect(await untilSeen(admin.views)).toEqual(['own']);
  });

  it('LIVE2 rooms are joined before the connection is answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      const customer = await connect({ token: 'rahim' });
      publish('order', `o${round}`, 1, [`user:${rahim}`]);
      expect(await untilSeen(customer.views)).toEqual([`o${round}`]);
    }
  });

  it('S5 AUTH7 a connection under a name that is not the shop’s is refused', async () => {
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

  it('LIVE3 a malformed handshake and a refused token get no connection, and the token is not logged', async () => {
    await expect(connect({ token: 17 })).rejects.toThrow('malformed');
    await expect(connect({ token: 'x'.repeat(5000) })).rejects.toThrow('malformed');
    await expect(connect({ token: 'forged' })).rejects.toThrow('unauthenticated');
    expect(refused).toEqual(['malformed', 'malformed', 'unauthenticated']);
    expect(gateway.sockets()).toBe(0);
  });

  it('LIVE3 a socket lives no longer than its token', async () => {
    const { client } = await connect({ token: 'brief' });
    await expect.poll(() => client.connected).toBe(false);
  });

  it("T8 LIVE3 a push of a user changes what that user's sockets may see, and says so", async () => {
    const customer = await connect({ token: 'rahim' });
    admins.add(rahim);
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    admins.delete(rahim);
    publish('user', rahim, 3, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed', 'roles_changed']);
    publish('order', 'karims-2', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(customer.views)).toEqual([rahim, 'karims', rahim]);
  });

  it('LIVE3 a role that ends while its socket is let in is not kept by it', async () => {
    afterRoleRead = () => {
      afterRoleRead = () => {};
      admins.clear();
      publish('user', callers.boss ?? '', 2, [`user:${callers.boss}`]);
    };
    const former = await connect({ token: 'boss' });
    await expect.poll(() => former.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(former.views)).toEqual([]);
  });

  it('LIVE3 roles are read again now and then, pushed or not', async () => {
    await checkRolesEvery(50);
    const former = await connect({ token: 'boss' });
    admins.clear();
    await expect.poll(() => former.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(former.views)).toEqual([]);
  });

  it('E8 LIVE3 a connection is authenticated once', async () => {
    await Promise.all([connect({ token: 'rahim' }), connect({ token: 'boss' }), connect()]);
    await untilSeen((await connect({ token: 'karim' })).views);
    expect(asked.toSorted()).toEqual(['boss', 'karim', 'rahim']);
  });

  it('E8 LIVE3 roles are asked for side by side, once for all sockets of a token, and never twice at a time', async () => {
    await checkRolesEvery(20);
    const tokens = ['rahim', 'rahim', 'karim', 'boss'];
    await Promise.all(tokens.map((token) => connect({ token })));
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    afterRoleRead = () => held;
    asked.length = 0;
    await expect.poll(() => asked.length).toBe(3);
    let periods = 0;
    const ticking = setInterval(() => {
      periods += 1;
    }, 20);
    await expect.poll(() => periods).toBeGreaterThan(5);
    clearInterval(ticking);
    expect(asked.toSorted()).toEqual(['boss', 'karim', 'rahim']);
    letGo();
    await expect.poll(() => asked.length).toBeGreaterThan(3);
  });

  it('T9 E8 LIVE3 a socket whose role cannot be read keeps what it sees, and is asked for again soon', async () => {
    const [admin, customer] = [await connect({ token: 'boss' }), await connect({ token: 'rahim' })];
    afterRoleRead = () => {
      throw new Error('The store does not answer.');
    };
    asked.length = 0;
    publish('user', callers.boss ?? '', 2, [`user:${callers.boss}`]);
    await expect.poll(() => asked.length).toBeGreaterThan(2);
    expect(unread).toBeGreaterThan(0);
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(admin.views)).toEqual([callers.boss, 'karims']);
    expect([admin.client.connected, customer.client.connected]).toEqual([true, true]);
    // By the time that roles can be read again this one has ended.
    admins.clear();
    afterRoleRead = () => {};
    await expect.poll(() => admin.resyncs).toEqual(['roles_changed']);
    publish('order', 'karims-2', 1, [`user:${karim}`, 'admins']);
    await untilSeen(customer.views);
    expect(admin.views.map(({ id }) => id)).not.toContain('karims-2');
  });

  it('V25 LIVE3 a role that cannot be read once more, after it could, is asked for again as well', async () => {
    const { resyncs } = await connect({ token: 'boss' });
    const fails = () => {
      throw new Error('The store does not answer.');
    };
    for (const role of ['admin', 'customer'] as const) {
      afterRoleRead = fails;
      unread = 0;
      publish('user', callers.boss ?? '', role === 'admin' ? 2 : 3, [`user:${callers.boss}`]);
      await expect.poll(() => unread).toBeGreaterThan(0);
      afterRoleRead = () => {};
      asked.length = 0;
      if (role === 'customer') admins.clear();
      await expect.poll(() => asked.length).toBeGreaterThan(0);
    }
    await expect.poll(() => resyncs).toEqual(['roles_changed']);
  });

  it('T9 E8 LIVE3 a socket whose role cannot be read lives no longer than its token all the same', async () => {
    const { client } = await connect({ token: 'brief' });
    afterRoleRead = () => {
      throw new Error('The store does not answer.');
    };
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => client.connected).toBe(false);
  });

  it('E8 LIVE3 of two answers about one socket the one that was asked for last counts', async () => {
    const customer = await connect({ token: 'rahim' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The first answer, of a customer, is on its way while the second one overtakes it.
    afterRoleRead = () => held;
    asked.length = 0;
    publish('user', rahim, 2, [`user:${rahim}`]);
    await expect.poll(() => asked.length).toBe(1);
    admins.add(rahim);
    afterRoleRead = () => {};
    publish('user', rahim, 3, [`user:${rahim}`]);
    await expect.poll(() => customer.resyncs).toEqual(['roles_changed']);
    letGo();
    publish('order', 'karims', 1, [`user:${karim}`, 'admins']);
    expect(await untilSeen(customer.views)).toContain('karims');
    expect(customer.resyncs).toEqual(['roles_changed']);
  });

  it('S1 E10 LIVE3 a socket whose token is refused by now is cut, by a push of its user or within the period', async () => {
    const rahims = callers.rahim ?? '';
    try {
      const pushed = await connect({ token: 'rahim' });
      callers.rahim = '';
      publish('user', rahims, 2, [`user:${rahims}`]);
      await expect.poll(() => pushed.client.connected).toBe(false);
      callers.rahim = rahims;
      await checkRolesEvery(20);
      const checked = await connect({ token: 'rahim' });
      callers.rahim = '';
      await expect.poll(() => checked.client.connected).toBe(false);
    } finally {
      callers.rahim = rahims;
    }
  });

  it('LIVE3 RATE1 a socket that sends what it should not is cut, and the others go on', async () => {
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

  it('LIVE5 sockets are told when pushes may be missed, and to fetch again once they flow', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    announce.live(false);
    await expect.poll(() => visitor.lives).toEqual([true, false]);
    const late = await connect();
    await expect.poll(() => late.lives).toEqual([false]);
    expect(visitor.resyncs).toEqual([]);
    announce.live(true);
    await expect.poll(() => [visitor.lives.at(-1), visitor.resyncs]).toEqual([true, ['recovered']]);
    await expect.poll(() => late.resyncs).toEqual(['recovered']);
  });

  it('LIVE5 a gap while all flows is told as one, and so are several in a row', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    for (const live of [false, true, false, true]) announce.live(live);
    await expect.poll(() => visitor.resyncs).toEqual(['recovered']);
    await untilSeen(visitor.views);
    expect([visitor.lives, visitor.resyncs]).toEqual([[true, false, false, true], ['recovered']]);
  });

  it('T36 LIVE5 a gateway that is closed hears no more of the broadcast, live or not', async () => {
    for (const live of [true, false]) {
      expect(subscriptions).toBe(1);
      announce.live(live);
      await stop();
      expect(subscriptions, `live: ${live}`).toBe(0);
      await start();
    }
  });

  it('LIVE5 a recovery that does not last is not told', async () => {
    const visitor = await connect();
    await expect.poll(() => visitor.lives).toEqual([true]);
    for (const live of [false, true, false]) announce.live(live);
    await expect.poll(() => visitor.lives).toEqual([true, false, false]);
    await untilSeen(visitor.views);
    expect(visitor.resyncs).toEqual([]);
    announce.live(true);
    await expect.poll(() => visitor.resyncs).toEqual(['recovered']);
    expect(visitor.lives).toEqual([true, false, false, true]);
  });

  it('LIVE6 a rush on one product is some pushes of its stock, of which the last is the last, and orders pass it', async () => {
    const [visitor, admin] = await Promise.all([connect(), connect({ token: 'boss' })]);
    for (let version = 1; version <= 300; version += 1) {
      publishStock('rushed', version);
      publishStock(`other${version % 40}`, version);
    }
    publish('order', 'rahims', 1, [`user:${rahim}`, 'admins']);
    const last = (views: readonly ViewPush[]) => views.findLast(({ id }) => id === 'rushed')?.version;
    await expect.poll(() => [last(visitor.views), last(admin.views)]).toEqual([300, 300]);
    expect(admin.views[0]).toMatchObject({ kind: 'order', id: 'rahims' });
    expect(visitor.views).toHaveLength(41);
    expect(new Set(visitor.views.map(({ id }) => id)).size).toBe(41);
    expect(visitor.views.every(({ at }) => at.pushed >= 3 && at.appended === 1)).toBe(true);
  });

  it('LIVE6 LIVE4 a socket that falls behind is told that it is not live and dropped, and nobody waits for it', async () => {
    const [slow, quick] = [await connect(), await connect()];
    const { ws } = slow.client.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } };
    ws.pause();
    const large = { ...sampleView, description: 'ত'.repeat(30_000) };
    let version = 0;
    while (gateway.sockets() > 1) {
      version += 1;
      broadcast.publish({
        push: { kind: 'product', id: 'large', version, view: { ...large, version }, at },
        audiences: ['everyone'],
      });
      await expect.poll(() => quick.views.at(-1)?.version, { interval: 1 }).toBe(version);
    }
    expect(refused).toEqual(['too_slow']);
    ws.resume();
    await expect.poll(() => slow.client.connected).toBe(false);
    expect(slow.lives).toEqual([true, false]);
    publish('review', 'after', 1, ['everyone']);
    expect((await untilSeen(quick.views)).slice(version)).toEqual(['after']);
    expect(slow.views.map(({ id }) => id)).not.toContain('after');
    expect([quick.lives, quick.client.connected]).toEqual([[true], true]);
  });

  it('LIVE6 a large burst in one go drops nobody who takes it', async () => {
    const visitor = await connect();
    const large = { ...sampleView, description: 'x'.repeat(70_000) };
    for (let version = 1; version <= 50; version += 1) {
      const push = { kind: 'product', id: `p${version}`, version, view: { ...large, version }, at } as const;
      broadcast.publish({ push, audiences: ['everyone'] });
    }
    expect(await untilSeen(visitor.views)).toHaveLength(50);
    expect(refused).toEqual([]);
  });

  it('LIVE1 stamps the time at which a push left', async () => {
    const visitor = await connect();
    const before = Date.now();
    publish('product', 'p1', 4, ['everyone']);
    await expect.poll(() => visitor.views.length).toBe(1);
    expect(visitor.views[0]).toMatchObject({ version: 4, at: { appended: 1, projected: 2 } });
    expect(visitor.views[0]?.at.pushed).toBeGreaterThanOrEqual(before);
  });
});

describe('a tracking link', () => {
  const changeOrder = (id: string, version: number) => {
    tracked.link = trackedOrder(id, version);
    publish('order', id, version, [`user:${rahim}`, 'admins']);
  };

  it('TRACK4 LIVE1 shows its order as it is now, and nothing else that is pushed', async () => {
    const [tracker, customer] = [await connect({ tracking: 'link' }), await connect({ token: 'rahim' })];
    publish('product', 'p1', 1, ['everyone']);
    publish('order', 'karims', 2, [`user:${karim}`, 'admins']);
    changeOrder('rahims', 4);
    expect(await untilSeen(customer.views)).toEqual(['p1', 'rahims']);
    await expect.poll(() => tracker.views.length).toBe(1);
    expect(tracker.views).toEqual([
      {
        kind: 'tracking',
        id: 'rahims',
        version: 4,
        view: trackedOrder('rahims', 4),
        at: expect.objectContaining({ appended: 1 }),
      },
    ]);
    expect(customer.views.map(({ kind }) => kind)).not.toContain('tracking');
    expect(tracker.lives).toEqual([true]);
  });

  it('TRACK4 an order that nobody tracks is not read, and one that many track is read once', async () => {
    await Promise.all([connect({ tracking: 'link' }), connect({ tracking: 'link' }), connect({ tracking: 'link' })]);
    asked.length = 0;
    const [visitor, tracker] = [await connect(), await connect({ tracking: 'link' })];
    asked.length = 0;
    publish('order', 'karims', 2, [`user:${karim}`, 'admins']);
    changeOrder('rahims', 4);
    await untilSeen(visitor.views);
    await expect.poll(() => tracker.views.length).toBe(1);
    expect(asked).toEqual(['link']);
  });

  it('TRACK2 a link that was withdrawn shows that it has ended, is cut, and is not let in again', async () => {
    const [tracker, other] = [await connect({ tracking: 'link' }), await connect({ tracking: 'other' })];
    delete tracked.link;
    publish('order', 'rahims', 4, [`user:${rahim}`, 'admins']);
    await expect.poll(() => tracker.client.connected).toBe(false);
    expect(tracker.views).toMatchObject([{ kind: 'tracking', id: 'rahims', version: 4, view: null }]);
    expect(other.client.connected).toBe(true);
    await expect(connect({ tracking: 'link' })).rejects.toThrow('unauthenticated');
    expect(refused).toEqual(['unauthenticated']);
  });

  it('TRACK2 a link that ends by time, or whose push was lost, is cut within the period', async () => {
    await checkRolesEvery(20);
    const tracker = await connect({ tracking: 'link' });
    tracked.link = trackedOrder('rahims', 4);
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
    delete tracked.link;
    await expect.poll(() => tracker.client.connected).toBe(false);
  });

  it('TRACK4 LIVE2 a change while its socket is let in is shown to it', async () => {
    afterRoleRead = () => {
      afterRoleRead = () => {};
      changeOrder('rahims', 4);
    };
    const tracker = await connect({ tracking: 'link' });
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
  });

  it('TRACK4 T9 while the store is away a tracker stays, and then sees what it missed', async () => {
    const tracker = await connect({ tracking: 'link' });
    afterRoleRead = () => {
      throw new Error('The store does not answer.');
    };
    changeOrder('rahims', 4);
    await expect.poll(() => unread).toBeGreaterThan(0);
    expect(tracker.client.connected).toBe(true);
    afterRoleRead = () => {};
    await expect.poll(() => tracker.views.map(({ version }) => version)).toEqual([4]);
  });

  it('TRACK1 an access token beside it, or none at all, gives no more and no less', async () => {
    await expect(connect({ tracking: 'link', token: 'rahim' })).rejects.toThrow('malformed');
    await expect(connect({ tracking: '' })).rejects.toThrow('malformed');
    await expect(connect({ tracking: 'rahim' })).rejects.toThrow('unauthenticated');
    await expect(connect({ token: 'link' })).rejects.toThrow('unauthenticated');
  });
});

describe('what a client says', () => {
  /** Resolves once the server has closed the connection. */
  const cutOff = (client: Client) => expect.poll(() => client.connected, { timeout: 5_000 }).toBe(false);

  it('S7 RATE1 one word that no contract names ends the connection, and no other', async () => {
    const { client: quiet } = await connect();
    const { client } = await connect();
    untyped(client).emit('order', { quantity: 1 });
    await cutOff(client);
    expect(quiet.connected).toBe(true);
    await expect.poll(() => gateway.sockets()).toBe(1);
    expect(refused).toEqual(['unknown_message']);
  });

  it('S7 RATE1 a connection that sends packets without end is cut, whatever they are', async () => {
    const { client } = await connect();
    const engine = client.io.engine as unknown as { _sendPacket(type: 'pong'): void };
    const pongs = setInterval(() => {
      for (let n = 0; n < 10; n += 1) engine._sendPacket('pong');
    }, 5);
    await cutOff(client);
    clearInterval(pongs);
    expect(refused).toContain('too_many_packets');
  });
});
