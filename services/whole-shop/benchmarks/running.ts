import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freshDataDir, UNLIMITED } from '../shop-process.fixture.ts';
import { type BenchShop, send, startShop, withShop } from './bench-shop.ts';
import { seed } from './checkout.ts';
import type { Family, Figures } from './family.ts';
import { placeOrders } from './place-orders.ts';

const ORDERS = 10_000;
/** The longest time that a shop may take from its start to its first response, in ms. */
const ANSWERS_WITHIN = 150_000;
/**
 * How long to wait before memory is measured, in ms. During this time, caches fill, and memory that was needed only for
 * startup is freed.
 */
const SETTLED_MS = 5_000;
const POLL_MS = 10;
const FIRST_ANSWER = 'ms from `npm start`, on data that exists, to the first answer';
const REBUILT = 'events rebuilt/s, the start included';
const REBUILT_ORDERS = 20_000;

const idle = (what: string) => `MB idle, ${what}`;
const AFTER = `MB of the shop after ${ORDERS.toLocaleString('en')} orders`;

/** Measures the memory that each process uses. */
export const memory: Family = {
  name: 'memory',
  goals: { [idle('shop')]: '90', [idle('identity')]: '110', [idle('local Stripe')]: '50', [AFTER]: '150' },
  measure: (root) =>
    withShop(root, async (shop) => {
      const { shop: own, identity, stripe } = await settled(shop);
      const load = { urls: [shop.url], buyers: shop.buyers, products: shop.products, atOnce: 64 };
      await placeOrders({ ...load, amount: { requests: ORDERS } });
      return {
        [idle('shop')]: own,
        [idle('identity')]: identity,
        [idle('local Stripe')]: stripe,
        [AFTER]: (await settled(shop)).shop,
      };
    }),
};

async function settled(shop: BenchShop) {
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  return shop.holds();
}

/**
 * Measures how long a shop with existing data takes to respond after it is started, and how fast documents are rebuilt
 * from the log.
 */
export const starting: Family = {
  name: 'start',
  goals: { [FIRST_ANSWER]: '1,000', [REBUILT]: '50,000' },
  async measure(root) {
    const data = freshDataDir();
    try {
      await (await startShop({ root, dataDir: data.path })).stop();
      return { [FIRST_ANSWER]: await firstAnswer(root, data.path), ...(await rebuilt(root)) };
    } finally {
      data.remove();
    }
  },
};

async function firstAnswer(root: string, dataDir: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, ...UNLIMITED, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const began = performance.now();
  const child = spawn('npm', ['start', '--silent'], { cwd: root, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    for (;;) {
      const answer = await send(`http://127.0.0.1:${port}`, 'GET', '/products').catch(() => null);
      if (answer?.status === 200) return performance.now() - began;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('The shop exited before it responded.');
      if (performance.now() - began > ANSWERS_WITHIN) throw new Error('The shop did not respond in time.');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function rebuilt(root: string): Promise<Figures> {
  const data = freshDataDir();
  try {
    await seed(root, 'placeInLog', data.path, REBUILT_ORDERS);
    const began = performance.now();
    const args = ['--enable-source-maps', 'services/main/run.mjs', 'rebuild'];
    const env = { ...process.env, DATA_DIR: data.path, LOG_LEVEL: 'error' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    const events = Number(/from (\d+) events/.exec(stdout)?.[1]);
    // Each order has at least one event in its product's stream and one in its own stream.
    if (!(events >= 2 * REBUILT_ORDERS)) throw new Error(`The rebuild read too few events: ${stdout}`);
    return { [REBUILT]: (events * 1_000) / (performance.now() - began) };
  } finally {
    data.remove();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
