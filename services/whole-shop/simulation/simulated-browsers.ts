import { isDeepStrictEqual } from 'node:util';
import type { ViewPush } from '../../contracts/pushes.ts';
import type { BrowserHost, BrowserPage, OpenBrowser, SimulatedBrowser } from './browser.ts';
import type { Dice } from './dice.ts';
import { createLiveNetwork } from './live-network.ts';
import { type Person, signIn } from './people.ts';
import { claimsOf, expiryOf, FIRST_ADMIN } from './simulated-api.ts';
import { createProcess, type SimulatedProcess } from './simulated-process.ts';
import type { SimulatedShop } from './simulated-shop.ts';
import type { Site } from './site.ts';

/**
 * The client's code has the types of a browser, so it's loaded only at run time. That happens before any run starts,
 * because virtual time would go on while the client loads.
 */
const { openBrowser } = (await import(new URL('../../../web/simulation/open-browser.ts', import.meta.url).href)) as {
  openBrowser: OpenBrowser;
};
/** Once no change is left to be pushed, each browser has to show it within this time. */
const CATCH_UP_MS = 60_000;
/** A document may change during a comparison, for example because an order expires. Then the next one finds no difference. */
const COMPARISONS = 3;
const COMPARISON_MS = 7_000;
const CHECKED_WITHIN_MS = 2 * CATCH_UP_MS;
/** Shorter and longer than the time after which a connection without pings is closed. */
const SLEEPS_MS = [10_000, 300_000] as const;

interface Seat {
  readonly person: Person;
  readonly isAdmin: boolean;
  readonly process: SimulatedProcess;
  readonly dice: Dice;
  readonly browser: SimulatedBrowser;
  /** the last token that the browser was given */
  token: string | null;
}

export interface SimulatedBrowsers {
  /** Lets everybody use their browser until `end`. */
  act(end: number, pause: number): void;
  /**
   * Waits until the browsers have caught up, and compares what they show with the responses of the API. Returns one
   * sentence for each difference.
   */
  check(): Promise<string[]>;
}

/** Opens `count` browsers: one for an admin, and the others for customers. `admins` is the number of admins. */
export function openBrowsers(
  site: Site,
  shop: SimulatedShop,
  { count, admins, dice }: { count: number; admins: number; dice: Dice },
): SimulatedBrowsers {
  const { world, client } = site;
  const connect = createLiveNetwork(world, { gateways: shop.gateways, dice: dice.fork(), onView });
  const people = site.people.filter((_, index) => index === 0 || index >= admins);
  // If there are fewer people than browsers, some people use several browsers.
  const seats = Array.from({ length: count }, (_, index) => open(people[index % people.length] as Person, index));

  function open(person: Person, index: number): Seat {
    const process = createProcess(`browser-${index + 1}`, world.time, dice.fork());
    const host: BrowserHost = {
      schedule: process.schedule,
      now: process.now,
      random: process.dice.random,
      note: world.note,
      fault: world.fault,
      dial: connect(process),
      async request({ path, token, etag }) {
        const answer = await client.attempt({ method: 'GET', url: path, token });
        await new Promise<void>((resolve) => process.run(resolve));
        if (answer && answer.etag !== null && answer.etag === etag) {
          world.note('a browser had the current response');
          return { ...answer, status: 304, body: null };
        }
        return answer && { ...answer, body: answer.body ?? { title: answer.code } };
      },
    };
    const isAdmin = site.people.indexOf(person) < admins;
    return { person, isAdmin, process, dice: dice.fork(), browser: openBrowser(host), token: null };
  }

  /** Checks that the socket of somebody who never was an admin gets no other person's data (LIVE3). */
  function onView({ kind, id }: ViewPush, auth: unknown): void {
    const { token } = auth as { token?: string };
    const user = token === undefined ? null : claimsOf(token);
    const mayBeAdmin = user !== null && (user.email === FIRST_ADMIN || site.madeAdmins.has(user.email));
    if (mayBeAdmin || (kind !== 'order' && kind !== 'user')) return;
    void shop.stores.readModels.get(kind, id).then((document) => {
      const owner = document && ('customer' in document ? document.customer : id);
      if (document && owner !== user?.sub) world.fault(`LIVE3 a browser got another person's ${kind} ${id}`);
    });
  }

  /** Signs a person in if their session has ended, and uses the new token in the browser. */
  async function refresh(seat: Seat): Promise<void> {
    const { person, browser } = seat;
    // The shop has refused the browser's token.
    if (browser.token() === null && seat.token === person.token) person.token = null;
    if (await signIn(person, client, site.providers)) {
      seat.token = person.token;
      browser.useToken(person.token, emailOf(person.token, person));
    }
  }

  function pageFor({ person, browser, isAdmin, dice: own }: Seat): BrowserPage {
    const email = emailOf(browser.token(), person);
    const order = () => {
      const known = [...(isAdmin ? site.orders : person.orders).keys()];
      return known.length === 0 ? null : own.pick(known);
    };
    const product = () => (site.products.size === 0 ? null : own.pick([...site.products]));
    const id = order();
    const found = product();
    const pages: BrowserPage[] = [
      { name: 'catalogue', inStock: own.chance(0.5) },
      ...(id === null ? [] : [{ name: 'order', id } as const]),
      ...(found ? [{ name: 'product', id: found[0], item: found[1].name } as const] : []),
    ];
    // Only customers have a list of their own orders.
    if (!isAdmin) return own.chance(0.5) && !person.isAdmin ? { name: 'orders', email } : own.pick(pages);
    const status = own.pick([undefined, 'paid', 'unpaid', 'shipped'] as const);
    const board: BrowserPage = { name: 'board', ...(status && { status }) };
    if (own.chance(0.5)) return board;
    const chosen = [...site.orders.keys()].slice(-own.between(1, 5));
    return own.pick([
      ...pages,
      { name: 'users' },
      ...(chosen.length === 0 ? [] : [{ name: 'chosen orders', ids: chosen } as const]),
      { name: 'board', q: 'Case 1' },
    ]);
  }

  async function use(seat: Seat, end: number, pause: number): Promise<void> {
    const { dice: own, process, browser } = seat;
    const { time } = world;
    while (time.now() < end) {
      await time.sleep(own.between(1, 4 * pause));
      if (!process.isRunning()) continue;
      const what = own.random();
      world.say(`${process.name} acts: ${what.toFixed(2)}`);
      if (what < 0.6) {
        await refresh(seat);
        browser.open(pageFor(seat));
      } else if (what < 0.7) {
        browser.setHidden(own.chance(0.5));
      } else if (what < 0.8) {
        process.pause();
        await time.sleep(own.between(...SLEEPS_MS));
        process.resume();
        world.note('a laptop slept and woke up');
      } else if (what < 0.85) {
        world.cuts.add(process.name);
        await time.sleep(own.between(...SLEEPS_MS));
        world.cuts.delete(process.name);
      }
    }
  }

  /** Signs a person in again if their token is no longer valid, or expires before the comparisons are done. */
  async function renew(seat: Seat): Promise<void> {
    const { person, browser } = seat;
    // The person may have got another account since the browser was last used.
    await refresh(seat);
    const email = emailOf(browser.token(), person);
    const url = `/individual?email=${encodeURIComponent(email)}`;
    const answer = await client.attempt({ method: 'GET', url, token: browser.token() });
    const token = browser.token();
    const isExpiring = token !== null && expiryOf(token) < world.time.now() + CHECKED_WITHIN_MS;
    if (answer?.status === 401 || isExpiring) person.token = null;
    await refresh(seat);
    // Somebody who has become an admin leaves the list of their own orders.
    const role = await client.attempt({
      method: 'GET',
      url: `/admin/${encodeURIComponent(email)}`,
      token: browser.token(),
    });
    const isAdmin = role?.status === 200 && (role.body as { admin: boolean }).admin;
    if (isAdmin && !seat.isAdmin) browser.open(pageFor({ ...seat, isAdmin }));
    browser.tryAgain();
  }

  async function differences({ browser, person, process }: Seat): Promise<string[]> {
    const { api } = shop.apis()[0] ?? {};
    if (!api) return [`${process.name} can't be compared, because no process accepts requests`];
    const found = browser.isLive() ? [] : [`LIVE4 ${process.name} isn't live`];
    for (const { path, content, isPart, errorStatus } of browser.shown()) {
      const url = path.includes('sort=') ? `${path}&limit=1000` : path;
      const { status, body } = await api.answer({ method: 'GET', url, token: browser.token() });
      const say = (what: string) => found.push(`LIVE2 ${process.name} of ${person.name} shows ${path} ${what}`);
      if (status !== 200) {
        if (errorStatus !== status) say(`and no error, but the API answers ${status}`);
        continue;
      }
      if (errorStatus !== null) say(`with the error ${errorStatus}, but the API answers ${status}`);
      const expected = isPart && Array.isArray(content) ? (body as unknown[]).slice(0, content.length) : body;
      const shown = Array.isArray(content) && !Array.isArray(body) ? content[0] : content;
      if (isDeepStrictEqual(shown, expected)) continue;
      say('otherwise than the API answers');
      world.say(`FAULT: ${process.name} shows ${brief(shown)}, but the API answers ${brief(expected)}`);
    }
    return found;
  }

  return {
    act(end, pause) {
      for (const seat of seats) void use(seat, end, pause);
    },
    async check() {
      const { time } = world;
      for (const seat of seats) {
        world.cuts.delete(seat.process.name);
        seat.process.resume();
      }
      const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
        await time.runUntil(time.now() + milliseconds);
        return work;
      };
      await within(CATCH_UP_MS, Promise.all(seats.map(renew)));
      let found: string[] = [];
      for (let comparison = 1; comparison <= COMPARISONS; comparison += 1) {
        found = (await within(COMPARISON_MS, Promise.all(seats.map(differences)))).flat();
        if (found.length === 0) break;
      }
      return found;
    },
  };
}

/** Returns the ids and versions of documents, or another response as JSON. */
function brief(content: unknown): string {
  const items = Array.isArray(content) ? content : [content];
  const isDocument = (one: unknown): one is { _id: string; version: number } =>
    typeof one === 'object' && one !== null && '_id' in one;
  if (!items.every(isDocument)) return JSON.stringify(content)?.slice(0, 200) ?? 'nothing';
  return items.map(({ _id, version }) => `${_id.slice(0, 6)}@${version}`).join(' ');
}

/** Returns the address that a browser is signed in with. The person may have another one by now. */
function emailOf(token: string | null, { email }: Person): string {
  return token === null ? email : claimsOf(token).email;
}
