import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshDataDir } from '../shop-process.fixture.ts';
import { type BenchShop, openShop, place, send } from './bench-shop.ts';
import { HERE } from './checkout.ts';
import { closedLoop } from './open-loop.ts';
import { paidOrder } from './paying.ts';
import { stretch, withSockets } from './pushing.ts';

const SECONDS = 20;
const AT_ONCE = 32;

const LOADS: Record<string, (shop: BenchShop) => Promise<unknown>> = {
  place: ({ url, buyers, products }) =>
    closedLoop(AT_ONCE, SECONDS, async (n) => {
      const buyer = buyers[n % buyers.length];
      if (buyer) await place(url, buyer, products[n % products.length] ?? '');
    }),
  pay: async (shop) => closedLoop(AT_ONCE, SECONDS, await paidOrder(shop)),
  push: (shop) => withSockets(shop, (seen) => stretch(shop, seen, 200, SECONDS)),
  list: ({ url }) =>
    closedLoop(AT_ONCE, SECONDS, async () => {
      const { status, body } = await send(url, 'GET', '/products?limit=24');
      if (status !== 200) throw new Error(`The product list could not be fetched: ${status} ${body}`);
    }),
};

/**
 * For example, `npm run profile -- pay` writes CPU profiles of the shop and its providers under the `pay` load. The
 * profiles can be opened in DevTools or speedscope.app.
 */
const [name = ''] = process.argv.slice(2);
const load = LOADS[name];
if (!load) throw new Error(`Choose a load to profile: ${Object.keys(LOADS).join(', ')}.`);
const folder = join(HERE, '.profiles', name);
mkdirSync(folder, { recursive: true });
const data = freshDataDir();
try {
  const shop = await openShop({
    root: HERE,
    dataDir: data.path,
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  });
  await load(shop).finally(() => shop.stop());
} finally {
  data.remove();
}
process.stdout.write(`Wrote a .cpuprofile for each process, including its start, to ${folder}.\n`);
process.exit();
