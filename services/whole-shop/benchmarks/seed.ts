import { randomBytes, randomUUID } from 'node:crypto';
import { orderNumber } from '../../contracts/order/order-number.ts';
import { type EmbeddedCore, openEmbeddedCore } from '../../embedded/embedded-core.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { isoTime, systemClock } from '../../runtime/clock.ts';
import { loadSecrets } from '../../runtime/data-dir.ts';
import { createLogger } from '../../runtime/log.ts';
import { createOrderNumbers } from '../../shop/order/order-numbers-flow.ts';
import { placeOrder } from '../../shop/order/place-order-flow.ts';
import { productDecider } from '../../shop/product/decide-product.ts';

const SAVED_AT_ONCE = 2_000;
const PLACED_AT_ONCE = 1_000;
const CUSTOMERS = 2_000;
const DAY = 86_400_000;

const newId = () => randomBytes(12).toString('hex');

/**
 * Runs `work` on a shop's data directory. First saves the secrets there, as a shop does when it starts for the first
 * time.
 */
async function withCore<T>(dataDir: string, work: (core: EmbeddedCore) => Promise<T>): Promise<T> {
  loadSecrets(dataDir);
  const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: createLogger('error') });
  return work(core).finally(() => core.close());
}

const metaNow = () => ({ actor: 'system:benchmark', correlationId: 'benchmark', time: isoTime(systemClock()) });

/** Adds a product that never sells out, and returns its id. */
async function addGoods(handler: CommandHandler): Promise<string> {
  const productId = newId();
  const texts = { name: 'Tower', img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' };
  const add = { type: 'AddProduct', details: { ...texts, price: 500_000, minorder: 1 }, quantity: 10_000_000 } as const;
  await handler.execute(productDecider, productId, add, { ...metaNow(), cause: `add:${productId}` });
  return productId;
}

/**
 * Saves `count` orders as documents, without any events. This is enough for a benchmark that only reads orders. Most of
 * the orders are shipped.
 */
export function saveOrders(dataDir: string, count: number): Promise<void> {
  return withCore(dataDir, async ({ handler, readModels }) => {
    // addGoods() adds a product, so that the log isn't empty. A shop that has documents but an empty log is treated as
    // one that has lost its log.
    await addGoods(handler);
    const first = systemClock() - count * 1_000;
    for (let saved = 0; saved < count; saved += SAVED_AT_ONCE) {
      const orders = Array.from({ length: Math.min(SAVED_AT_ONCE, count - saved) }, (_, index) => {
        const n = saved + index;
        const createdAt = isoTime(first + n * 1_000);
        const status = n % 200 === 0 ? 'unpaid' : n % 50 === 1 ? 'paid' : n % 50 === 2 ? 'cancelled' : 'shipped';
        const paidAt = status === 'paid' || status === 'shipped' ? createdAt : null;
        return sampleOrder({
          id: newId(),
          number: orderNumber(1_001 + n),
          createdAt,
          status,
          paidAt,
          customer: `${n % CUSTOMERS}`.padStart(24, 'c'),
          email: `farida${n % CUSTOMERS}@example.com`,
          expiresAt: isoTime(systemClock() + 1_000 * DAY),
          shippedAt: status === 'shipped' ? createdAt : null,
        });
      });
      await readModels.save(orders);
    }
  });
}

/** Places `count` orders for one product. Their events are appended to the log, but not projected. */
export function placeInLog(dataDir: string, count: number): Promise<void> {
  return withCore(dataDir, async ({ handler }) => {
    const now = systemClock();
    const numbers = createOrderNumbers({ handler, clock: systemClock, newId: randomUUID });
    const productId = await addGoods(handler);
    const customers = Array.from({ length: CUSTOMERS }, () => randomBytes(16).toString('hex'));
    const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };
    const placeOne = async (n: number) => {
      const userId = customers[n % CUSTOMERS] ?? '';
      const times = { placedAt: isoTime(now), expiresAt: isoTime(now + 1_000 * DAY) };
      const order = { orderId: randomBytes(16).toString('hex'), productId, quantity: 1, userId, delivery };
      const placed = await placeOrder({ handler, numbers }, { type: 'ReduceStock', ...order, ...times }, metaNow());
      if (placed.kind === 'refused') throw new Error(placed.refusal.code);
    };
    for (let done = 0; done < count; done += PLACED_AT_ONCE) {
      const these = Array.from({ length: Math.min(PLACED_AT_ONCE, count - done) }, (_, index) =>
        placeOne(done + index),
      );
      await Promise.all(these);
    }
  });
}
