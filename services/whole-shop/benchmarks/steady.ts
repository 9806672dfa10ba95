import { parseArgs } from 'node:util';
import { z } from 'zod';
import { call } from '../shop-client.fixture.ts';
import { type BenchShop, payer, place, withShop } from './bench-shop.ts';
import { HERE } from './checkout.ts';
import { openLoop } from './open-loop.ts';
import { withSockets } from './pushing.ts';
import { quantile } from './statistics.ts';

/**
 * The options of `npm run bench:steady`, which places and pays for orders while an admin and 100 shoppers are
 * connected. It prints one line per minute.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, rate: { type: 'string', default: '100' } },
});
const MINUTES = z.coerce.number().int().positive().parse(values.minutes);
const RATE = z.coerce.number().positive().parse(values.rate);
const SECONDS = 60;
const MB = 1_048_576;

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

/**
 * Runs the load for one minute, and returns the row of the table for that minute. The lowest heap size of a minute is
 * roughly the memory that is in use right after a garbage collection.
 */
async function minute(shop: BenchShop, seen: Map<string, number>): Promise<(string | number)[]> {
  const { url, buyers, products } = shop;
  const pay = await payer(url);
  const heaps: number[] = [];
  const sampling = setInterval(() => void heapOf(url).then((heap) => heaps.push(heap)), 1_000);
  const before = shop.worked();
  const paid = await openLoop(RATE, SECONDS, async (n) => {
    const buyer = buyers[n % buyers.length];
    if (!buyer) throw new Error('The load needs at least one buyer.');
    const id = await place(url, buyer, products[n % products.length] ?? '');
    await pay(buyer, id);
    return { id, at: performance.now() };
  });
  clearInterval(sampling);
  const after = shop.worked();
  const { checks } = z
    .object({ checks: z.object({ projectionLagEvents: z.number() }) })
    .parse((await call(url, 'GET', '/readyz')).body);
  const screen = paid.map(({ due, result: { id } }) => (seen.get(id) ?? Number.NaN) - due).filter(Number.isFinite);
  seen.clear();
  return [
    Math.min(...heaps).toFixed(0),
    ...Object.values(shop.holds()).map((held) => held.toFixed(0)),
    quantile(screen, 0.99).toFixed(0),
    quantile(
      paid.map(({ due, result: { at } }) => at - due),
      0.99,
    ).toFixed(0),
    checks.projectionLagEvents,
    ((after.shop - before.shop) / paid.length).toFixed(1),
    paid.length - screen.length,
  ];
}

/** Returns the shop's heap usage in MB. */
async function heapOf(url: string): Promise<number> {
  const { body } = await call(url, 'GET', '/metrics');
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(String(body))?.[1]) / MB;
}

await withShop(HERE, (shop) =>
  withSockets(shop, async (seen) => {
    const screen = "p99 to the admin's screen, ms";
    const held = ['least heap, MB', 'shop, MB', 'identity, MB', 'local Stripe, MB'];
    print(['minute', ...held, screen, 'p99 until paid, ms', 'lag, events', 'processor, ms per order', 'not seen yet']);
    print(Array.from({ length: 10 }, () => '---'));
    for (let n = 1; n <= MINUTES; n += 1) print([n, ...(await minute(shop, seen))]);
  }),
);
process.exit();
