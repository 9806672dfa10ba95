import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LIGHT_ADMIN } from '../light-shop.fixture.ts';
import { startReadyProcess } from '../ready-process.fixture.ts';
import { addProduct, call, type Person, signIn } from '../shop-client.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import { type Load, placeOrders, type Stretch } from './place-orders.ts';
import { pushLatencies } from './push-latency.ts';
import { median, quantile } from './statistics.ts';

/** orders under way at once */
const CONCURRENCY = 64;
const ROUNDS = 5;
const SECONDS = 6;
const BUYERS_FOR_FEW = 2000;
const UNITS = 100;
const PUSHES = 200;
const STOCK = 1_000_000;
const RESULTS = fileURLToPath(new URL('./RESULTS.md', import.meta.url));

const print = (line: string) => process.stdout.write(`${line}\n`);
const nobody = (url: string): Person => ({
  email: 'nobody@shop.test',
  token: 'none',
  call: (method, path, body) => call(url, method, path, { body }),
});

interface Row {
  readonly what: string;
  readonly shop: string;
  readonly floor: string;
  readonly ratio: string;
}

async function main(): Promise<void> {
  const data = freshDataDir();
  const floor = await startReadyProcess('floor-server');
  const shop = await startReadyProcess('light-shop-process', [data.path]);
  try {
    const admin = await signIn(shop.url, LIGHT_ADMIN);
    const buyers: Person[] = [];
    for (let n = 0; n < CONCURRENCY; n += 1) buyers.push(await signIn(shop.url, `buyer${n}@shop.test`));
    const products: string[] = [];
    for (let n = 0; n < UNITS; n += 1) products.push(await addProduct(admin, { quantity: STOCK }));
    const one = products.slice(0, 1);
    const load = { urls: [shop.url], buyers, products, atOnce: CONCURRENCY };

    const rows: Row[] = [];
    rows.push(await placing(load, floor.url, 'Placing orders, over 100 products'));
    rows.push(
      await placing(
        { ...load, products: buyers.map(() => one[0] ?? '') },
        floor.url,
        'Placing orders, all for one product',
      ),
    );
    rows.push(await fewUnits(load, admin));
    rows.push(await pushing(shop.url, admin, buyers[0] ?? admin, one[0] ?? '', floor.url));
    await report(rows);
  } finally {
    await shop.kill();
    await floor.kill();
    data.remove();
  }
}

/** Shop and floor in turns, so that a busy moment of the machine meets both. */
async function placing(load: Omit<Load, 'amount'>, floorUrl: string, what: string): Promise<Row> {
  const amount = { seconds: SECONDS };
  const toFloor = { ...load, urls: [floorUrl] };
  const measured: Stretch[] = [];
  const bare: Stretch[] = [];
  await placeOrders({ ...load, amount: { seconds: 3 } });
  await placeOrders({ ...toFloor, amount: { seconds: 3 } });
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await placeOrders({ ...toFloor, amount }));
    const stretch = await placeOrders({ ...load, amount });
    if (stretch.refused > 0) throw new Error(`${stretch.refused} orders were refused: this is not what is measured.`);
    measured.push(stretch);
  }
  const rate = (of: Stretch[]) => median(of.map(({ perSecond }) => perSecond));
  const p99 = (of: Stretch[]) => median(of.map((one) => one.p99));
  return {
    what: `${what}, ${CONCURRENCY} at once`,
    shop: `${rate(measured).toFixed(0)} orders/s, p99 ${p99(measured).toFixed(0)} ms`,
    floor: `bare Express POST: ${rate(bare).toFixed(0)}/s, p99 ${p99(bare).toFixed(0)} ms`,
    ratio: `1 : ${(rate(bare) / rate(measured)).toFixed(1)}`,
  };
}

/** 2,000 buyers for 100 units, beside 2,000 orders that all find stock on 100 products. */
async function fewUnits(load: Omit<Load, 'amount'>, admin: Person): Promise<Row> {
  const amount = { requests: BUYERS_FOR_FEW };
  const hot: number[] = [];
  const spread: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const scarce = await addProduct(admin, { quantity: UNITS });
    const stretch = await placeOrders({ ...load, products: load.buyers.map(() => scarce), amount });
    if (stretch.placed !== UNITS) throw new Error(`${stretch.placed} of ${UNITS} units were sold.`);
    hot.push(stretch.seconds);
    spread.push((await placeOrders({ ...load, amount })).seconds);
  }
  return {
    what: `${BUYERS_FOR_FEW} buyers for ${UNITS} units, ${CONCURRENCY} at once (exactly ${UNITS} sold)`,
    shop: `${median(hot).toFixed(2)} s`,
    floor: `the same number over ${UNITS} products: ${median(spread).toFixed(2)} s`,
    ratio: `1 : ${(median(spread) / median(hot)).toFixed(2)}`,
  };
}

async function pushing(url: string, admin: Person, buyer: Person, productId: string, floorUrl: string): Promise<Row> {
  const bare = nobody(floorUrl);
  const floor = await pushLatencies(floorUrl, bare, bare, productId, PUSHES);
  const took = await pushLatencies(url, buyer, admin, productId, PUSHES);
  const both = (of: number[]) => `p50 ${median(of).toFixed(1)} ms, p99 ${quantile(of, 0.99).toFixed(1)} ms`;
  return {
    what: `From the click to another person's screen, ${PUSHES} orders one by one`,
    shop: both(took),
    floor: `bare Express and socket.io: ${both(floor)}`,
    ratio: `1 : ${(median(took) / median(floor)).toFixed(1)} (p50)`,
  };
}

async function report(rows: readonly Row[]): Promise<void> {
  const cpu = cpus();
  const lines = [
    '# Benchmark results',
    '',
    'Written by `npm run bench`. Each figure stands beside its floor, measured in turns in the same run; rates are medians.',
    `Rounds: ${ROUNDS} of ${SECONDS} s. The shop is one process with its payment simulator beside it; the load runs on the same machine.`,
    '',
    `Machine: ${cpu.length} x ${cpu[0]?.model ?? 'unknown'}, Node ${process.version}. Compare ratios, not figures of different machines.`,
    '',
    '| what | shop | floor | shop : floor |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ what, shop, floor, ratio }) => `| ${what} | ${shop} | ${floor} | ${ratio} |`),
    '',
  ];
  writeFileSync(RESULTS, lines.join('\n'));
  for (const line of lines) print(line);
}

await main();
