import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orderNumber } from '../../contracts/order/order-number.ts';
import { openEmbeddedCore } from '../../embedded/embedded-core.ts';
import { isoTime, systemClock } from '../../runtime/clock.ts';
import { SHOP_FILE } from '../../runtime/data-dir.ts';
import { createLogger } from '../../runtime/log.ts';
import { Database } from '../../runtime/sqlite.ts';
import { placementCause } from '../../shop/order/place-order-flow.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import { median } from './statistics.ts';

const SALES = [0, 1_000, 100_000];
const ROUNDS = 5;
const CUSTOMERS = 2_000;
/** how many orders are placed in parallel while a data directory is filled */
const AT_ONCE = 1_000;
const CHILD = fileURLToPath(new URL('./first-order.ts', import.meta.url));
const RESULTS = fileURLToPath(new URL('./RESULTS-first-order.md', import.meta.url));

/**
 * The CPU time that a process's first order takes, in total (`ms`) and in the longest turn of the event loop
 * (`longestTurn`). Both are in ms.
 */
export interface FirstOrder {
  readonly ms: number;
  readonly longestTurn: number;
}

interface SoldProduct {
  readonly dataDir: string;
  readonly productId: string;
  dispose(): void;
}

/** Creates a data directory with one product that was sold `sales` times, to many customers. */
async function sell(sales: number): Promise<SoldProduct> {
  const { path: dataDir, remove } = freshDataDir();
  const core = openEmbeddedCore({ dataDir, clock: systemClock, logger: createLogger('error') });
  const newId = () => randomBytes(16).toString('hex');
  const [productId, time] = [newId(), isoTime(systemClock())];
  const meta = { actor: 'system:benchmark', correlationId: 'benchmark', time };
  const texts = { name: 'Tower', img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' };
  const details = { ...texts, price: 500_000, minorder: 1 };
  const add = { type: 'AddProduct', details, quantity: 10_000_000 } as const;
  await core.handler.execute(productDecider, productId, add, { ...meta, cause: `add:${productId}` });
  const customers = Array.from({ length: CUSTOMERS }, newId);
  const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };
  for (let sold = 0; sold < sales; sold += AT_ONCE) {
    const orders = Array.from({ length: Math.min(AT_ONCE, sales - sold) }, (_, index) => {
      const orderId = newId();
      const userId = customers[(sold + index) % CUSTOMERS] ?? '';
      const times = { placedAt: time, expiresAt: time };
      const order = { orderId, number: orderNumber(1001 + sold + index), productId, quantity: 1, userId, delivery };
      const reduce = { type: 'ReduceStock', ...order, ...times } as const;
      return core.handler.execute(productDecider, productId, reduce, { ...meta, cause: placementCause(orderId) });
    });
    await Promise.all(orders);
  }
  await core.close();
  return { dataDir, productId, dispose: remove };
}

/** Places an order in a new process, so that it is the first order after startup, and returns the measured times. */
function firstOrder({ dataDir, productId }: SoldProduct): FirstOrder {
  const printed = execFileSync(process.execPath, ['--import', 'tsx', CHILD, dataDir, productId], { encoding: 'utf8' });
  return JSON.parse(printed) as FirstOrder;
}

function withoutSnapshots({ dataDir }: SoldProduct): void {
  const database = new Database(join(dataDir, SHOP_FILE));
  database.exec('DELETE FROM snapshots');
  database.close();
}

const products = await Promise.all(SALES.map(sell));
try {
  const measured = SALES.map((): FirstOrder[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, product] of products.entries()) measured[index]?.push(firstOrder(product));
  }
  const last = products.at(-1);
  if (!last) throw new Error('No product was measured.');
  withoutSnapshots(last);
  const cold = firstOrder(last);
  const base = median((measured[0] ?? []).map(({ ms }) => ms));
  const rows = SALES.map((sales, index) => {
    const runs = measured[index] ?? [];
    const ms = median(runs.map((run) => run.ms));
    const longest = runs.map((run) => run.longestTurn);
    const figures = [ms, ms / base, median(longest), Math.max(...longest)].map((figure) => figure.toFixed(1));
    return `| ${sales.toLocaleString('en')} | ${figures.join(' | ')} |`;
  });
  const without = [cold.ms, cold.ms / base, cold.longestTurn, cold.longestTurn].map((figure) => figure.toFixed(1));
  const text = `# The first order after a start

Written by \`npm run bench:first-order\`: each order is the first one of a process of its own, on SQLite; medians of ${ROUNDS}, taken in turns.
Times are processor time of the whole process, which a busy machine does not lengthen.
Wanted: at 100,000 sales at most 3 times as long as at none, and no turn of the event loop over 20 ms.

Machine: ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}. Compare ratios, not figures of different machines.

| sales of the product | first order, ms | as against none | longest turn, ms (median) | longest turn, ms (of all) |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
| 100,000, every snapshot thrown away (once) | ${without.join(' | ')} |
`;
  writeFileSync(RESULTS, text);
  process.stdout.write(text);
} finally {
  for (const product of products) product.dispose();
}
