import type { TestServers } from '../../servers/test-servers/start-servers.fixture.ts';
import { LIGHT_ADMIN } from '../light-shop.fixture.ts';
import { startReadyProcess } from '../ready-process.fixture.ts';
import { addProduct, caughtUp, inParallel, type Person, productOf, signIn } from '../shop-client.fixture.ts';
import { startShopOnServers } from '../shop-on-servers.fixture.ts';
import { freshDataDir } from '../shop-process.fixture.ts';

export const COPIES = { api: 2, projector: 2, live: 2 };
const PRODUCTS = 100;
const STOCK = 1_000_000;

/** A shop to measure. At first, it contains only users and products. */
export interface MeasuredShop {
  /** the URLs of the API processes */
  readonly apis: readonly string[];
  /** the URL for live connections */
  readonly live: string;
  readonly admin: Person;
  readonly buyers: readonly Person[];
  readonly products: readonly string[];
  /** Resolves once every appended event is projected. */
  caughtUp(): Promise<void>;
  /** Returns the number of units sold so far, across all products. */
  sold(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * The two shops that one part of the benchmark compares. Both shops are new, so that orders from earlier parts don't
 * slow them down.
 */
export interface TwoShops {
  readonly servers: MeasuredShop;
  readonly embedded: MeasuredShop;
}

/** Runs one part of the benchmark on two new shops, and stops the shops even if the part fails. */
export async function withTwoShops<T>(
  testServers: TestServers,
  people: number,
  part: (shops: TwoShops) => Promise<T>,
): Promise<T> {
  const opened: MeasuredShop[] = [];
  const open = async (opening: Promise<MeasuredShop>) => {
    const shop = await opening;
    opened.push(shop);
    return shop;
  };
  try {
    const embedded = await open(openEmbedded(people));
    return await part({ embedded, servers: await open(openOnServers(testServers, people)) });
  } finally {
    for (const shop of opened) await shop.stop();
  }
}

async function openEmbedded(people: number): Promise<MeasuredShop> {
  const data = freshDataDir();
  const shop = await startReadyProcess('light-shop-process', [data.path]);
  const { url } = shop;
  const stop = async () => {
    await shop.kill();
    data.remove();
  };
  return furnish({ apis: [url], live: url, readyz: url, stop }, people);
}

/** Starts a shop that runs on Kafka, MongoDB and Redis. `variables` are added to the environment of each process. */
export async function openOnServers(
  servers: TestServers,
  people: number,
  variables: Record<string, string> = {},
): Promise<MeasuredShop> {
  const shop = await startShopOnServers(servers, COPIES, variables);
  const [live, projector] = [shop.running.live[0], shop.running.projector[0]];
  if (!live || !projector) throw new Error('The shop needs at least one live process and one projector.');
  const apis = shop.running.api.map(({ url }) => url);
  return furnish({ apis, live: live.url, readyz: projector.url, stop: shop.stop }, people);
}

interface Opened extends Pick<MeasuredShop, 'apis' | 'live' | 'stop'> {
  /** the URL of the process that reports the projection lag */
  readonly readyz: string;
}

async function furnish({ readyz, ...opened }: Opened, people: number): Promise<MeasuredShop> {
  const { apis, stop } = opened;
  try {
    const api = apis[0] ?? '';
    const admin = await signIn(api, LIGHT_ADMIN);
    const buyers = await inOrder(people, (n) => signIn(apis[n % apis.length] ?? '', `buyer${n}@shop.test`));
    const products = await inOrder(PRODUCTS, () => addProduct(admin, { quantity: STOCK }));
    const shop: MeasuredShop = {
      ...opened,
      admin,
      buyers,
      products,
      caughtUp: () => caughtUp(readyz),
      sold: async () => {
        const left = await inOrder(PRODUCTS, async (n) =>
          productOf(await admin.call('GET', `/products/${products[n]}`)),
        );
        return left.reduce((sum, { quantity }) => sum + STOCK - quantity, 0);
      },
    };
    await shop.caughtUp();
    return shop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Calls `work` with each index from 0 to count - 1, with up to eight calls in flight. Returns the results in order. */
async function inOrder<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  await inParallel(count, 8, async (index) => {
    results[index] = await work(index);
  });
  return results;
}
