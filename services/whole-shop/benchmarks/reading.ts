import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { z } from 'zod';
import { boardCountsSchema } from '../../contracts/order/order-answers.ts';
import type { Person } from '../shop-client.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import { place, type Sent, send, withShop } from './bench-shop.ts';
import { seed } from './checkout.ts';
import type { Family, Figures } from './family.ts';
import { closedLoop, openLoop } from './open-loop.ts';
import { median, quantile } from './statistics.ts';

const AT_ONCE = 32;
const SECONDS = 4;
const LIST = '/products?limit=24';
const FULL = 'product lists of 24/s';
const UNCHANGED = 'product lists of 24/s, answered 304';

/** Measures how fast the shop serves the product list, compared with an Express server that sends the same bytes. */
export const listing: Family = {
  name: 'list',
  goals: { [FULL]: '70 % of the floor', [UNCHANGED]: "near the floor's" },
  measure: (root) =>
    withShop(root, async ({ url }) => {
      listed = (await rowsAt(url, LIST, 24)).body;
      return listsOf(url);
    }),
  async floor(url) {
    await send(url, 'PUT', LIST, { body: listed });
    return listsOf(url);
  },
};

/**
 * The product list that the most recently measured shop returned. The minimal server (floor-server.ts) sends the same
 * bytes, for comparison.
 */
let listed = '';

async function listsOf(url: string): Promise<Figures> {
  const { etag } = await send(url, 'GET', LIST);
  const asked = { [FULL]: {}, [UNCHANGED]: { 'if-none-match': etag } };
  const figures: Record<string, number> = {};
  for (const [name, headers] of Object.entries(asked)) {
    const get = () => answered(send(url, 'GET', LIST, { headers }), name === FULL ? 200 : 304);
    await closedLoop(AT_ONCE, 1, get);
    figures[name] = (await closedLoop(AT_ONCE, SECONDS, get)).perSecond;
  }
  return figures;
}

const among = (size: number) => `among ${size.toLocaleString('en')} orders`;

const SIZES = [12_194, 1_000_000];
const PAGE = '/orders?limit=50';
/** The number of orders placed per second during the measurement. Each new order makes the cached pages outdated. */
const ORDERS_BESIDE = 20;
const WORDS = ['MC-77', 'farida77', '01712345678'];

/** Measures how fast the shop serves the admin's board while orders come in. */
export const board: Family = {
  name: 'board',
  goals: { [pageName(1_000_000)]: 'as among 12,194' },
  async measure(root) {
    const figures: Record<string, number> = {};
    for (const size of SIZES) Object.assign(figures, await boardOf(root, size));
    return figures;
  },
};

function pageName(size: number): string {
  return `ms for a page of 50 of the board ${among(size)}, p99, ${AT_ONCE} at once`;
}

function boardOf(root: string, size: number): Promise<Figures> {
  return withShop(
    root,
    async ({ url, admin: { token }, buyers, products }) => {
      const get = (path: string) => answered(send(url, 'GET', path, { token }), 200);
      const placeOne = (n: number) =>
        place(url, buyers[n % buyers.length] as Person, products[n % products.length] ?? '');
      await rowsAt(url, PAGE, 50, token);
      const { all } = boardCountsSchema.parse(JSON.parse((await get('/board/counts')).body));
      // One in 50 orders is cancelled, and the board doesn't count cancelled orders.
      if (all === null || all < 0.97 * size)
        throw new Error(`The board counts ${all} orders instead of about ${size}.`);
      await closedLoop(AT_ONCE, 1, () => get(PAGE));
      const [pages] = await Promise.all([
        closedLoop(AT_ONCE, SECONDS, () => get(PAGE)),
        openLoop(ORDERS_BESIDE, SECONDS, placeOne),
      ]);
      const searches: number[] = [];
      const counts: number[] = [];
      for (let n = 0; n < 30; n += 1) {
        await placeOne(n);
        counts.push((await get('/board/counts')).ms);
        searches.push((await rowsAt(url, `${PAGE}&q=${WORDS[n % WORDS.length]}`, 1, token)).ms);
      }
      return {
        [`pages of 50 of the board/s ${among(size)}`]: pages.perSecond,
        [pageName(size)]: quantile(pages.took, 0.99),
        [`ms for its counts after a change ${among(size)}, median`]: median(counts),
        [`ms for its search after a change ${among(size)}, median of ${WORDS.length} words`]: median(searches),
      };
    },
    async (dataDir) =>
      cp(await savedOrders(root, size), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE }),
  );
}

/**
 * The data directories by source tree and number of orders. Saving a million orders takes minutes, so each directory is
 * created only once per run.
 */
const saved = new Map<string, Promise<string>>();

function savedOrders(root: string, size: number): Promise<string> {
  const name = `${root} ${size}`;
  const already = saved.get(name) ?? save(root, size);
  saved.set(name, already);
  return already;
}

async function save(root: string, size: number): Promise<string> {
  const { path, remove } = freshDataDir();
  process.once('exit', remove);
  await seed(root, 'saveOrders', path, size);
  return path;
}

/** Gets a list. @throws Error if it has fewer than `least` rows, so that a nearly empty list is never measured by mistake */
async function rowsAt(url: string, path: string, least: number, token?: string): Promise<Sent> {
  const answer = await answered(send(url, 'GET', path, token === undefined ? {} : { token }), 200);
  const rows = z.array(z.unknown()).parse(JSON.parse(answer.body)).length;
  if (rows < least) throw new Error(`${path} returned ${rows} rows instead of at least ${least}.`);
  return answer;
}

async function answered(sent: Promise<Sent>, status: number): Promise<Sent> {
  const answer = await sent;
  if (answer.status !== status)
    throw new Error(`Got status ${answer.status} instead of ${status}: ${answer.body.slice(0, 200)}`);
  return answer;
}
