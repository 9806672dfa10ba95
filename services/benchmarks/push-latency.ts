import { io } from 'socket.io-client';
import { orderOf, type Person } from '../e2e/shop-client.fixture.ts';

const WAIT_MS = 5_000;

/** Places orders one after another; answers how many ms each took from the click to another person's screen. */
export async function pushLatencies(
  url: string,
  buyer: Person,
  watcher: Person,
  productId: string,
  count: number,
): Promise<number[]> {
  const socket = io(url, { transports: ['websocket'], auth: { token: watcher.token } });
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  socket.on('view', ({ id, kind }: { id: string; kind?: string }) => {
    if (kind !== undefined && kind !== 'order') return;
    const arrived = waiting.get(id);
    if (arrived) arrived();
    else early.add(id);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const took: number[] = [];
  try {
    for (let n = 0; n < count; n += 1) {
      const clicked = performance.now();
      const answer = await buyer.call('POST', '/orders', orderOf(buyer, productId));
      const { insertedId } = answer.body as { insertedId: string };
      if (!early.has(insertedId)) await arrival(insertedId, waiting);
      took.push(performance.now() - clicked);
    }
  } finally {
    socket.disconnect();
  }
  return took;
}

function arrival(id: string, waiting: Map<string, () => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No push of ${id} within ${WAIT_MS} ms.`)), WAIT_MS);
    waiting.set(id, () => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve();
    });
  });
}
