import { io, type Socket } from 'socket.io-client';
import { orderOf, type Person } from '../shop-client.fixture.ts';

const WAIT_MS = 5_000;

/**
 * Places `count` orders as `buyer`, one after another. Returns each order's delay in ms: the time from sending the
 * request until `watcher`, who is connected to `liveUrl`, received the order's push.
 * @throws Error if an order is refused, or isn't pushed within 5 s
 */
export async function pushLatencies(
  liveUrl: string,
  buyer: Person,
  watcher: Person,
  productId: string,
  count: number,
): Promise<number[]> {
  const socket = io(liveUrl, { transports: ['websocket'], auth: { token: watcher.token }, forceNew: true });
  const seen = watchOrders(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const took: number[] = [];
  try {
    for (let n = 0; n < count; n += 1) {
      const clicked = performance.now();
      const { status, body } = await buyer.call('POST', '/orders', orderOf(buyer, productId));
      if (status !== 201) throw new Error(`An order was not placed: ${status} ${JSON.stringify(body)}`);
      took.push((await seen((body as { insertedId: string }).insertedId)) - clicked);
    }
  } finally {
    socket.disconnect();
  }
  return took;
}

/** Returns an async function that takes an order's id and resolves with the time of that order's first push. */
function watchOrders(socket: Socket): (id: string) => Promise<number> {
  const arrived = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  socket.on('view', ({ id, kind }: { id: string; kind?: string }) => {
    if ((kind !== undefined && kind !== 'order') || arrived.has(id)) return;
    const at = performance.now();
    arrived.set(id, at);
    waiting.get(id)?.(at);
  });
  return async (id) => arrived.get(id) ?? nextArrival(id, waiting);
}

function nextArrival(id: string, waiting: Map<string, (at: number) => void>): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No push of order ${id} arrived within ${WAIT_MS} ms.`)), WAIT_MS);
    waiting.set(id, (at) => {
      clearTimeout(timer);
      resolve(at);
    });
  });
}
