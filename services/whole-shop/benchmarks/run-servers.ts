import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeMachine, startBenchServers } from './bench-servers.ts';
import { orderCosts } from './order-costs.ts';
import { placeOrders, type Stretch } from './place-orders.ts';
import { placeSteadily } from './place-steadily.ts';
import { pushLatencies } from './push-latency.ts';
import { median, quantile } from './statistics.ts';
import { COPIES, type MeasuredShop, type TwoShops, withTwoShops } from './two-shops.ts';

/** The options of `npm run bench:servers`. For a quick look, add `-- --rounds 1 --orders 100` to the command. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    orders: { type: 'string', default: '400' },
    steady: { type: 'string', default: '20' },
  },
});
const ROUNDS = z.coerce.number().int().positive().parse(values.rounds);
/** The number of orders in one measurement. The default is low, because a stand-in for MongoDB may scan everything that it stores. */
const ORDERS = z.coerce.number().int().positive().parse(values.orders);
const WARM_UP_ORDERS = 400;
const AT_ONCE = [8, 64];
const PUSHES = 200;
const WARM_UP_PUSHES = 40;
/** how many orders per second other buyers place while pushes are measured */
const STEADY = z.coerce.number().int().positive().parse(values.steady);
const STEADY_SECONDS = 20;
const BUYERS = 64;
const RESULTS = fileURLToPath(new URL('./RESULTS-servers.md', import.meta.url));

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Row {
  readonly what: string;
  readonly servers: string;
  readonly embedded: string;
  readonly ratio: string;
}

/** Measures the two shops alternately, so that a temporary load on the machine affects both shops. */
async function inTurns<T>({ servers, embedded }: TwoShops, measure: (shop: MeasuredShop) => Promise<T>) {
  const measured = { servers: [] as T[], embedded: [] as T[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.embedded.push(await measure(embedded));
    await embedded.caughtUp();
    measured.servers.push(await measure(servers));
    await servers.caughtUp();
  }
  return measured;
}

async function placing(shops: TwoShops, what: string, atOnce: number, products: number): Promise<Row> {
  let placed = 0;
  const place = async (shop: MeasuredShop, requests: number) => {
    const ordered = shop.products.map((_, n) => shop.products[n % products] ?? '');
    const load = { urls: shop.apis, buyers: shop.buyers, products: ordered, atOnce };
    const stretch = await placeOrders({ ...load, amount: { requests } });
    if (stretch.refused > 0) throw new Error(`${stretch.refused} orders were refused, so the measurement is invalid.`);
    placed += stretch.placed;
    return stretch;
  };
  for (const shop of [shops.embedded, shops.servers]) {
    await place(shop, WARM_UP_ORDERS);
    await shop.caughtUp();
  }
  const { servers, embedded } = await inTurns(shops, (shop) => place(shop, ORDERS));
  const sold = (await shops.servers.sold()) + (await shops.embedded.sold());
  if (sold !== placed) throw new Error(`${placed} orders were placed, but ${sold} units were sold.`);
  const rate = (of: readonly Stretch[]) => median(of.map(({ perSecond }) => perSecond));
  const figures = (of: readonly Stretch[]) =>
    `${rate(of).toFixed(0)} orders/s, p50 ${median(of.map(({ p50 }) => p50)).toFixed(0)} ms, ` +
    `p99 ${median(of.map(({ p99 }) => p99)).toFixed(0)} ms`;
  return {
    what: `${what}, ${atOnce} at once`,
    servers: figures(servers),
    embedded: figures(embedded),
    ratio: `1 : ${(rate(embedded) / rate(servers)).toFixed(1)}`,
  };
}

/** Measures push latencies while other buyers place `perSecond` orders per second, or none if `perSecond` is 0. */
async function pushing(shops: TwoShops, what: string, perSecond: number): Promise<Row> {
  const push = async (shop: MeasuredShop, count: number) => {
    const [buyer = shop.admin, ...others] = shop.buyers;
    const [product = '', ...otherProducts] = shop.products;
    const steady = placeSteadily(others, otherProducts, perSecond);
    return pushLatencies(shop.live, buyer, shop.admin, product, count).finally(() => steady.stop());
  };
  for (const shop of [shops.embedded, shops.servers]) await push(shop, WARM_UP_PUSHES);
  const { servers, embedded } = await inTurns(shops, (shop) => push(shop, PUSHES));
  const part = (of: readonly number[][], q: number) => median(of.map((took) => quantile(took, q)));
  const figures = (of: readonly number[][]) =>
    `p50 ${part(of, 0.5).toFixed(1)} ms, p99 ${part(of, 0.99).toFixed(1)} ms`;
  return {
    what,
    servers: figures(servers),
    embedded: figures(embedded),
    ratio: `${(part(servers, 0.5) / part(embedded, 0.5)).toFixed(1)} : 1 (p50)`,
  };
}

function report(described: readonly string[], rows: readonly Row[], costs: readonly string[]): void {
  const { api, projector, live } = COPIES;
  const lines = [
    '# Benchmark results on servers',
    '',
    'Written by `npm run bench:servers`. The shop on servers and the embedded shop, fresh for each row, in turns in the same run.',
    `Each figure is the median of ${ROUNDS} rounds: of ${ORDERS} orders, or of ${PUSHES} pushes; p50 and p99 are those of one round.`,
    `On servers: ${api} x api, ${projector} x projector, ${live} x live, each a process of its own; half of the load goes to either api.`,
    '',
    ...described.map((line) => `- ${line}`),
    '',
    `Machine: ${describeMachine()}. Servers, roles and load share it: more processes share its cores here, where in use`,
    'each would have its own. Compare ratios, not figures of different machines.',
    '',
    '| what | on servers | embedded | servers : embedded |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ what, servers, embedded, ratio }) => `| ${what} | ${servers} | ${embedded} | ${ratio} |`),
    '',
    ...costs,
    '',
  ];
  writeFileSync(RESULTS, lines.join('\n'));
  for (const line of lines) print(line);
}

async function main(): Promise<void> {
  const servers = await startBenchServers();
  const rows: Row[] = [];
  const add = async (part: (shops: TwoShops) => Promise<Row>) => {
    const row = await withTwoShops(servers, BUYERS, part);
    rows.push(row);
    print(`${row.what}: ${row.servers}; embedded: ${row.embedded}`);
  };
  try {
    for (const atOnce of AT_ONCE) {
      await add((shops) => placing(shops, 'Placing orders over 100 products', atOnce, 100));
      await add((shops) => placing(shops, 'Placing orders, all for one product', atOnce, 1));
    }
    const screen = "From the click to another person's screen, one by one";
    await add((shops) => pushing(shops, screen, 0));
    await add((shops) => pushing(shops, `${screen}, with ${STEADY} orders/s of others beside`, STEADY));
    report(servers.described, rows, await orderCosts(servers, STEADY, STEADY_SECONDS));
  } finally {
    await servers.stop();
  }
}

await main();
