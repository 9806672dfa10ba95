import { io, type Socket } from 'socket.io-client';
import { type BenchShop, place, withShop } from './bench-shop.ts';
import type { Family } from './family.ts';
import { openLoop } from './open-loop.ts';
import { quantile } from './statistics.ts';

const RATES = [50, 200, 400, 500, 600];
const SECONDS = 8;
const SHOPPERS = 100;
/** Every order must reach the admin within this many ms after the last order was placed. */
const SEEN_WITHIN = 20_000;

const nameOf = (rate: number) => `ms from the order to an admin's screen, p99 at ${rate} orders/s, ${SHOPPERS} sockets`;

/**
 * Measures how long it takes until an admin sees a new order, while orders come in at a steady rate and shoppers are
 * connected.
 */
export const pushing: Family = {
  name: 'push',
  goals: { [nameOf(500)]: '50' },
  measure: (root) =>
    withShop(root, (shop) =>
      withSockets(shop, async (seen) => {
        await stretch(shop, seen, 100, 3);
        const figures: Record<string, number> = {};
        for (const rate of RATES) figures[nameOf(rate)] = await stretch(shop, seen, rate, SECONDS);
        return figures;
      }),
    ),
};

/**
 * Runs `work` while an admin and the shoppers are connected. `seen` maps each order's id to the time when the admin
 * first received a push of the order.
 */
export async function withSockets<T>(shop: BenchShop, work: (seen: Map<string, number>) => Promise<T>): Promise<T> {
  const seen = new Map<string, number>();
  const sockets: Socket[] = [];
  try {
    const admin = await connected(shop.url, shop.admin.token);
    sockets.push(admin);
    admin.on('view', ({ id, kind }: { id: string; kind: string }) => {
      if (kind === 'order' && !seen.has(id)) seen.set(id, performance.now());
    });
    for (let n = 0; n < SHOPPERS; n += 1) {
      sockets.push(await connected(shop.url, shop.buyers[n % shop.buyers.length]?.token ?? ''));
    }
    return await work(seen);
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
}

/**
 * Places `rate` orders per second. Returns the 99th percentile of the delay, in ms, from the moment an order was due
 * until the admin saw it.
 */
export async function stretch(
  shop: BenchShop,
  seen: Map<string, number>,
  rate: number,
  seconds: number,
): Promise<number> {
  const { url, buyers, products } = shop;
  const placed = await openLoop(rate, seconds, async (n) => {
    const buyer = buyers[n % buyers.length];
    if (!buyer) throw new Error('The load needs at least one buyer.');
    return place(url, buyer, products[n % products.length] ?? '');
  });
  const deadline = performance.now() + SEEN_WITHIN;
  while (placed.some(({ result }) => !seen.has(result))) {
    if (performance.now() > deadline)
      throw new Error(`Some orders did not reach the admin within ${SEEN_WITHIN / 1_000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return quantile(
    placed.map(({ due, result }) => (seen.get(result) ?? Number.NaN) - due),
    0.99,
  );
}

async function connected(url: string, token: string): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], auth: { token }, forceNew: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}
