import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../servers/roles.ts';
import type { TestServers } from '../../servers/test-servers/start-servers.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';
import { payer, place, withShop } from './bench-shop.ts';
import type { Work } from './count-requests.fixture.ts';
import { openLoop } from './open-loop.ts';
import { type MeasuredShop, openOnServers } from './two-shops.ts';

const ROLES: readonly Role[] = ['api', 'projector', 'live'];
const BUYERS = 16;
const IDLE_SECONDS = 20;
/**
 * How long to wait, in ms, before the saved counts are read. The wait is longer than the interval at which processes
 * save their counts, so the counts are up to date.
 */
const WRITTEN_MS = 300;

type Works = Readonly<Record<Role, Work>>;
type People = Pick<MeasuredShop, 'apis' | 'buyers' | 'products'>;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures how much CPU time each role uses and how many requests the role sends to the servers, both per paid order
 * and per idle second. Returns lines to print.
 */
export async function orderCosts(servers: TestServers, perSecond: number, seconds: number): Promise<string[]> {
  const counts = freshDataDir();
  try {
    const shop = await openOnServers(servers, BUYERS, { COUNT_INTO: counts.path });
    try {
      const load = () => payOrders(shop, perSecond, seconds).then(() => shop.caughtUp());
      await load();
      const orders = await spent(counts.path, perSecond * seconds, load);
      const idle = await spent(counts.path, IDLE_SECONDS, () => pause(IDLE_SECONDS * 1_000));
      const embedded = await embeddedProcessor(perSecond, seconds);
      return [
        `Per paid order, at ${perSecond} a second; ${orders.processor.map((ms) => ms.toFixed(1)).join(' + ')} ms of processor, embedded ${embedded.toFixed(1)} ms:`,
        ...table('a paid order', orders),
        '',
        'Per second in which nothing happens, all processes of a role together:',
        ...table('an idle second', idle),
      ];
    } finally {
      await shop.stop();
    }
  } finally {
    counts.remove();
  }
}

async function payOrders({ apis, buyers, products }: People, perSecond: number, seconds: number): Promise<void> {
  const payers = await Promise.all(apis.map((url) => payer(url)));
  await openLoop(perSecond, seconds, async (n) => {
    const [url, pay, buyer] = [apis[n % apis.length], payers[n % apis.length], buyers[n % buyers.length]];
    if (!url || !pay || !buyer) throw new Error('The load needs at least one API URL and one buyer.');
    await pay(buyer, await place(url, buyer, products[n % products.length] ?? ''));
  });
}

/**
 * Returns the CPU time that the embedded shop's main process uses per paid order, in ms. The processes of the shop's
 * providers aren't included.
 */
function embeddedProcessor(perSecond: number, seconds: number): Promise<number> {
  return withShop(process.cwd(), async (shop) => {
    const load = () => payOrders({ ...shop, apis: [shop.url] }, perSecond, seconds);
    await load();
    const before = shop.worked().shop;
    await load();
    return (shop.worked().shop - before) / (perSecond * seconds);
  });
}

interface Spent {
  /** CPU time in ms, per paid order or per idle second; one number per role, in the same sequence as ROLES */
  readonly processor: readonly number[];
  /**
   * for each kind of request, how many were sent per paid order or per idle second; one number per role, in the same
   * sequence as ROLES
   */
  readonly sent: ReadonlyMap<string, readonly number[]>;
}

/**
 * Runs `work`. For each role, returns the CPU time used and the number of requests sent, both divided by `units` (the
 * number of orders or seconds).
 */
async function spent(folder: string, units: number, work: () => Promise<unknown>): Promise<Spent> {
  await pause(WRITTEN_MS);
  const before = readWorks(folder);
  await work();
  await pause(WRITTEN_MS);
  const after = readWorks(folder);
  const each = (of: (work: Work) => number) => ROLES.map((role) => (of(after[role]) - of(before[role])) / units);
  const requests = [...new Set(ROLES.flatMap((role) => Object.keys(after[role].sent)))].sort();
  const sent = new Map(requests.map((request) => [request, each((work) => work.sent[request] ?? 0)]));
  return { processor: each(({ processor }) => processor), sent };
}

function readWorks(folder: string): Works {
  const works: Record<Role, Work> = { api: NOTHING, projector: NOTHING, live: NOTHING };
  for (const name of readdirSync(folder)) {
    const role = ROLES.find((one) => name.startsWith(`${one}.`));
    if (role && !name.endsWith('.new'))
      works[role] = sum(works[role], JSON.parse(readFileSync(join(folder, name), 'utf8')));
  }
  return works;
}

const NOTHING: Work = { processor: 0, sent: {} };

function sum(one: Work, other: Work): Work {
  const sent = { ...one.sent };
  for (const [request, times] of Object.entries(other.sent)) sent[request] = (sent[request] ?? 0) + times;
  return { processor: one.processor + other.processor, sent };
}

function table(unit: string, { processor, sent }: Spent): string[] {
  const row = (what: string, figures: readonly number[]) =>
    `| ${what} | ${figures.map((figure) => (figure < 0.005 ? '-' : figure.toFixed(2))).join(' | ')} |`;
  const total = (server: string) => {
    const all = [...sent].filter(([request]) => request.startsWith(server)).map(([, figures]) => figures);
    return ROLES.map((_, n) => all.reduce((soFar, figures) => soFar + (figures[n] ?? 0), 0));
  };
  return [
    '',
    `| ${unit} | ${ROLES.join(' | ')} |`,
    '| --- | --- | --- | --- |',
    row('processor, ms', processor),
    ...['MongoDB', 'Kafka', 'Redis'].map((server) => row(`**${server}, all**`, total(server))),
    ...[...sent].filter(([, figures]) => figures.some((figure) => figure >= 0.005)).map(([what, of]) => row(what, of)),
  ];
}
