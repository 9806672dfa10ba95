import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientToServerEvents, Handshake, ServerToClientEvents } from '../../contracts/pushes.ts';
import type { TrackingView } from '../../contracts/tracking/tracking-view.ts';
import type { Broadcast } from '../../engine/projector/broadcast.ts';
import { createLiveGateway, type LiveGateway } from '../../live/gateway.ts';
import { createSocketIoTransport } from '../../live/socket-io-transport.ts';
import { type OwnRedis, startOwnRedis } from '../test-servers/own-redis.fixture.ts';
import { type BroadcastProcesses, broadcastProcesses, PATIENCE, pushOf } from './redis-broadcast.fixture.ts';

type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

/** A running copy of the live role, with one page connected to it. */
interface LiveCopy {
  readonly gateway: LiveGateway;
  readonly server: Server;
  readonly port: number;
  readonly client: Client;
  /** everything that the page has received, in order */
  readonly told: readonly string[];
}

let own: OwnRedis;
let processes: BroadcastProcesses;
let publisher: Broadcast;
let copies: readonly LiveCopy[];
/** the token of the only valid tracking link, and the view that it gives access to */
let shared: { token: string | null; readonly view: TrackingView };

async function startCopy(): Promise<LiveCopy> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway = await createLiveGateway({
    openTransport: (listener) => createSocketIoTransport(listener, { server, clock: Date.now }),
    broadcast: processes.subscriber(),
    authenticate: async () => null,
    track: async (token) => (token === shared.token ? { view: shared.view, endsAt: Number.POSITIVE_INFINITY } : null),
    clock: Date.now,
    resyncJitterMs: 50,
  });
  await expect.poll(() => gateway.live(), PATIENCE).toBe(true);
  const { port } = server.address() as AddressInfo;
  const client = pageOf(port);
  const told: string[] = [];
  client.on('view', ({ id, version }) => told.push(`${id} ${version}`));
  client.on('live', ({ live }) => told.push(live ? 'live' : 'not live'));
  client.on('resync', ({ reason }) => told.push(`resync: ${reason}`));
  await expect.poll(() => told, PATIENCE).toEqual(['live']);
  return { gateway, server, port, client, told };
}

function pageOf(port: number, auth: Handshake = {}): Client {
  return io(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false, auth });
}

beforeEach(async () => {
  own = await startOwnRedis();
  processes = broadcastProcesses(own.url);
  shared = { token: 'link', view: trackedOrder };
  publisher = await processes.publisher();
  copies = [await startCopy(), await startCopy()];
});

afterEach(async () => {
  for (const { client, gateway, server } of copies) {
    client.disconnect();
    await gateway.close();
    await new Promise((resolve) => server.close(resolve));
  }
  await processes.dispose();
  await own.remove();
});

const trackedOrder: TrackingView = {
  _id: 'o',
  number: 'MC-1042',
  product: 'Tower One',
  img1: '',
  quantity: 1,
  status: 'placed',
  version: 1,
  placedAt: '2026-01-01T00:00:00.000Z',
  confirmedAt: null,
  shippedAt: null,
  cancelledAt: null,
  carrier: null,
  trackingNumber: null,
};

const everyPageIsTold = async (expected: readonly string[]) => {
  for (const { told } of copies) await expect.poll(() => told, PATIENCE).toEqual(expected);
};

describe('two live gateways on one Redis', () => {
  it('LIVE5 pages on both gateways receive the pushes from one process, are told about a Redis outage, and refetch after it', async () => {
    publisher.publish(pushOf('before', 1));
    await everyPageIsTold(['live', 'before 1']);
    await own.kill();
    await everyPageIsTold(['live', 'before 1', 'not live']);
    publisher.publish(pushOf('meanwhile', 1));
    await own.start();
    const after = ['live', 'before 1', 'not live', 'live', 'resync: recovered'];
    await everyPageIsTold(after);
    publisher.publish(pushOf('after', 1));
    await everyPageIsTold([...after, 'after 1']);
  });

  it('TRACK2 TRACK4 when a tracking link is withdrawn, both gateways disconnect the pages that use it, whichever process projected the withdrawal', async () => {
    const trackers = copies.map(({ port }) => pageOf(port, { tracking: 'link' }));
    const seen = trackers.map((tracker) => {
      const views: (string | null)[] = [];
      tracker.on('view', ({ kind, view }) => views.push(view === null ? null : kind));
      return views;
    });
    for (const tracker of trackers) await expect.poll(() => tracker.connected, PATIENCE).toBe(true);
    shared.token = null;
    const at = { appended: 1, projected: 2, pushed: 3 };
    publisher.publish({ push: { kind: 'order', id: 'o', version: 2, view: null, at }, audiences: ['admins'] });
    for (const tracker of trackers) await expect.poll(() => tracker.connected, PATIENCE).toBe(false);
    expect(seen).toEqual([[null], [null]]);
    await everyPageIsTold(['live']);
  });

  it('LIVE6 FEED2 if a projector is killed during a rush on one product, the next projector sends the final stock to all pages', async () => {
    const at = { appended: 1, projected: 2, pushed: 3 };
    const stockOf = (version: number) => ({
      push: { kind: 'product', id: 'rushed', version, view: null, at } as const,
      audiences: ['everyone'] as const,
      paced: true,
    });
    const killed = processes.hand();
    const sent = Array.from({ length: 30 }, (_, index) => {
      const envelope = { type: 'push', from: 'killed', n: index + 1, ...stockOf(index + 1) };
      return killed.publish(processes.channel, JSON.stringify(envelope));
    });
    // The next projector repeats the pushes for the commits that the killed projector hadn't closed, and then publishes
    // the remaining pushes.
    for (let version = 21; version <= 40; version += 1) publisher.publish(stockOf(version));
    await Promise.all(sent);
    for (const { told } of copies) {
      await expect.poll(() => told, PATIENCE).toContain('rushed 40');
      expect(told.filter((one) => one.startsWith('rushed')).length).toBeLessThan(10);
      expect(told).not.toContain('not live');
    }
  });

  it('LIVE5 if a push is lost, pages on both gateways are told that they are not live, and are then told to refetch', async () => {
    const hand = processes.hand();
    for (const envelope of [
      { type: 'push', n: 1, ...pushOf('p', 1) },
      { type: 'push', n: 3, ...pushOf('p', 3) },
      { type: 'goodbye', n: 3 },
    ]) {
      await hand.publish(processes.channel, JSON.stringify({ from: 'hand', ...envelope }));
    }
    await everyPageIsTold(['live', 'p 1', 'not live', 'p 3', 'live', 'resync: recovered']);
  });
});
