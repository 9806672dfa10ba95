import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeEach, expect } from 'vitest';
import type { PackingPush } from '../contracts/packing/packing.ts';
import type { ProductView } from '../contracts/product/product-view.ts';
import type { ClientToServerEvents, DocumentPush, ServerToClientEvents, ViewPush } from '../contracts/pushes.ts';
import type { TrackingView } from '../contracts/tracking/tracking-view.ts';
import { type BroadcastListener, createInProcessBroadcast } from '../engine/projector/broadcast.ts';
import type { Audience } from '../engine/projector/projection.ts';
import { createLiveGateway, type LiveGateway } from './gateway.ts';
import { createSocketIoTransport } from './socket-io-transport.ts';

export type Client = Socket<ServerToClientEvents, ClientToServerEvents>;

export const rahim = 'a'.repeat(32);
export const karim = 'b'.repeat(32);
export const callers: Record<string, string> = {
  rahim,
  karim,
  boss: 'c'.repeat(32),
  chief: 'd'.repeat(32),
  brief: rahim,
};
const AN_HOUR = 3_600_000;
export const at = { appended: 1, projected: 2, pushed: 3 };

export let server: Server;
export let gateway: LiveGateway;
export let admins: Set<string>;
export let announce: BroadcastListener;
/** the number of open gateways that are subscribed to the broadcast */
export let subscriptions = 0;
export let announcePacking: (push: PackingPush) => void;
export const roles = {
  /** called after a role is read and before it's returned; can throw or wait to simulate a failed or slow store */
  afterRead: (): unknown => undefined,
  /** how many times the gateway has reported a failure to read roles */
  unread: 0,
};
/** the tokens for which a role or a tracked order was read, earliest first */
export const asked: string[] = [];
/** the view for each valid tracking token; all other tokens are refused */
export let tracked: Record<string, TrackingView>;
export const refused: string[] = [];
export const clients: Client[] = [];
export const broadcast = createInProcessBroadcast();

/** Opens a fresh gateway before each test and closes it afterwards. */
export function freshGateway(): void {
  beforeEach(async () => {
    admins = new Set([callers.boss ?? '', callers.chief ?? '']);
    refused.length = 0;
    asked.length = 0;
    roles.unread = 0;
    tracked = { link: trackedOrder('rahims', 3), other: trackedOrder('karims', 1) };
    roles.afterRead = () => {};
    await start();
  });
  afterEach(stop);
}

/** Opens a gateway. By default, the interval between role checks is longer than any test, so only a push makes the gateway reread roles. */
export async function start(roleCheckMs = AN_HOUR): Promise<void> {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = await createLiveGateway({
    openTransport: (listener) => createSocketIoTransport(listener, { server, clock: Date.now }),
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
      await roles.afterRead();
      return { userId, role, tokenExpiresAt: Date.now() + (token === 'brief' ? 150 : 3_600_000) };
    },
    async track(token) {
      const view = tracked[token];
      asked.push(token);
      await roles.afterRead();
      return view ? { view, endsAt: Number.POSITIVE_INFINITY } : null;
    },
    packing(listener) {
      announcePacking = listener;
      return () => {};
    },
    clock: Date.now,
    onRefused: (reason) => refused.push(reason),
    onUnread: () => {
      roles.unread += 1;
    },
    resyncJitterMs: 1,
    roleCheckMs,
    roleRetryMs: 20,
  });
}

export async function stop(): Promise<void> {
  for (const client of clients.splice(0)) client.disconnect();
  await gateway.close();
  await new Promise((resolve) => server.close(resolve));
}

/** Reopens the gateway with this interval between role checks. */
export async function checkRolesEvery(milliseconds: number): Promise<void> {
  await stop();
  await start(milliseconds);
}

/** Connects a client and records everything it receives. */
export async function connect(auth: Record<string, unknown> = {}) {
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

/** Casts the client to an untyped socket, so that a test can send any message. */
export function untyped(client: Client): Socket {
  return client as unknown as Socket;
}

export function trackedOrder(orderId: string, version: number): TrackingView {
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

export function publish(kind: DocumentPush['kind'], id: string, version: number, audiences: readonly Audience[]): void {
  broadcast.publish({ push: { kind, id, version, view: null, at } as DocumentPush, audiences });
}

/**
 * Publishes a paced push, which the gateway may delay (pace-pushes.ts). The shop paces a push if only a product's stock
 * has changed.
 */
export function publishStock(id: string, version: number): void {
  broadcast.publish({ push: { kind: 'product', id, version, view: null, at }, audiences: ['everyone'], paced: true });
}

export const sampleView: ProductView = {
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

/**
 * Waits until all pushes published so far have arrived, and returns their ids. Pushes arrive in order, so it's enough
 * to publish a marker and wait for it.
 */
export async function untilSeen(views: readonly ViewPush[]): Promise<string[]> {
  publish('review', 'mark', 1, ['everyone']);
  await expect.poll(() => views.some((push) => push.id === 'mark')).toBe(true);
  return views.filter((push) => push.id !== 'mark').map((push) => push.id);
}
