import { userIdOf } from '../../identity/user-id.ts';
import type { Dice } from './dice.ts';
import { throughNetwork } from './network.ts';
import { type ApiAnswer, type ApiRequest, claimsOf, SECRETS } from './simulated-api.ts';
import { createProcess } from './simulated-process.ts';
import type { Providers, RunningApi, SimulatedShop } from './simulated-shop.ts';
import type { DeliverWebhook } from './simulated-stripe.ts';
import type { World } from './world.ts';

/** How long a browser waits for a response, in ms. Stripe waits just as long for the response to a webhook. */
const PATIENCE_MS = 20_000;
const MOST_ATTEMPTS = 4;

/**
 * A person with a browser. Each of a person's accounts has a different name, so that traces of an erased account can be
 * told apart from those of the next one.
 */
export interface Person {
  email: string;
  dice: Dice;
  name: string;
  uid: string | null;
  token: string | null;
  /** whether the person's browser shows the admins' pages, which it does if the person had the role when it last heard */
  isAdmin: boolean;
  /** the request of the last order that was placed, which may be sent again; null after a new sign-in */
  lastPlacement: Omit<ApiRequest, 'token'> | null;
  /** the orders that the person's browser knows about, each as the browser last saw it */
  readonly orders: Map<string, SeenOrder>;
}

export interface SeenOrder {
  version: number;
  status: string;
  total: number;
  /** the number of the order's latest shipment */
  shipments: number;
}

/** A request, and the person who sends it. */
export interface Asked {
  readonly person: Person;
  readonly request: Omit<ApiRequest, 'token'>;
}

export interface Client {
  /**
   * Sends a request. If no response arrives or the response is 503, retries the request with the same idempotency key.
   * Returns null if no attempt got any other response. In that case, the request may or may not have been carried out.
   * Calls `onAttempt` before each attempt.
   */
  send(person: Person | null, request: Omit<ApiRequest, 'token'>, onAttempt?: () => void): Promise<ApiAnswer | null>;
  /** Sends a request once. Returns null if no response arrives. */
  attempt(request: ApiRequest): Promise<ApiAnswer | null>;
  /**
   * Sends several requests, which reach the same process of the shop within `within` ms. They aren't retried. Returns
   * null for each request without a response, and for each request whose response is 503.
   */
  sendTogether(asked: readonly Asked[], within: number): Promise<(ApiAnswer | null)[]>;
  readonly deliverWebhook: DeliverWebhook;
}

export function createPerson(number: number, dice: Dice, email = `p${number}@shop.test`): Person {
  return {
    email,
    dice,
    name: `Person-${number}`,
    uid: null,
    token: null,
    isAdmin: false,
    lastPlacement: null,
    orders: new Map(),
  };
}

/** No account is closed more often than this in one run. */
const MOST_GENERATIONS = 100;

/** Returns the user ids that accounts with this e-mail address may have had, one for each generation (LOG3). */
export const idsOf = (email: string): string[] =>
  Array.from({ length: MOST_GENERATIONS }, (_, index) => userIdOf(email, SECRETS.userId, index + 1));

/**
 * Connects people's browsers and Stripe's webhooks to the shop. Each attempt goes to a random api process that accepts
 * requests.
 */
export function createClient(world: World, shop: SimulatedShop, dice: Dice): Client {
  const browsers = createProcess('browsers', world.time, dice.fork());
  const link = world.linkOf(browsers, 'api', () => {});

  function withinPatience<T>(work: Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const cancel = world.time.schedule(PATIENCE_MS, () => resolve(null));
      work.then(
        (result) => {
          cancel();
          resolve(result);
        },
        () => {
          cancel();
          resolve(null);
        },
      );
    });
  }

  /**
   * Calls a process of the shop. Returns null if no response arrives in time, for example because the process has died.
   */
  function ask<T>({ process }: RunningApi, call: () => Promise<T>): Promise<T | null> {
    const perform = () =>
      new Promise<T>((resolve) => {
        process.run(() => void call().then((result) => process.run(() => resolve(result))));
      });
    const remote = throughNetwork(link, { perform });
    return withinPatience(remote.perform());
  }

  async function pickApi(): Promise<RunningApi | null> {
    const apis = shop.apis();
    return apis.length === 0 ? null : dice.pick(apis);
  }

  function tell(person: Person | null, { method, url }: Asked['request'], answer: ApiAnswer | null): void {
    const about = `${person?.name ?? 'somebody'} ${method} ${url.replace(/[0-9a-f]{32}/g, '#')}`;
    world.say(`${about}: ${answer ? `${answer.status} ${answer.code ?? ''}` : 'no answer'}`);
    if (answer?.code) world.note(`answer: ${answer.code}`);
  }

  async function sendOnce(request: ApiRequest, onAttempt = () => {}): Promise<ApiAnswer | null> {
    const api = await pickApi();
    onAttempt();
    return api && ask(api, () => api.api.answer(request));
  }

  return {
    attempt: sendOnce,
    async send(person, request, onAttempt = () => {}) {
      // A repeated request keeps its token, even if another tab has signed in again.
      const token = person?.token ?? null;
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const answer = await sendOnce({ ...request, token }, onAttempt);
        tell(person, request, answer);
        if (answer && answer.status !== 503) {
          if (attempt > 1 && answer.status === 201) world.note('a repeated placement got its first answer');
          return answer;
        }
        if (attempt > 1) world.note('a request was repeated more than once');
        await world.time.sleep(dice.between(300, 4_000));
      }
      return null;
    },
    async sendTogether(asked, within) {
      const api = await pickApi();
      const arriving = asked.map(({ person, request }) => ({
        request: { ...request, token: person.token },
        delay: dice.between(0, within),
      }));
      const performAll = (to: RunningApi) => () =>
        Promise.all(
          arriving.map(async ({ request, delay }) => {
            await new Promise<void>((resolve) => to.process.schedule(delay, resolve));
            return to.api.answer(request);
          }),
        );
      const answers = api && (await ask(api, performAll(api)));
      return asked.map(({ person, request }, index) => {
        const answer = answers?.[index] ?? null;
        tell(person, request, answer);
        return answer?.status === 503 ? null : answer;
      });
    },
    async deliverWebhook(body, signature) {
      const api = await pickApi();
      return api !== null && (await ask(api, () => api.api.webhook(body, signature))) === true;
    },
  };
}

/** Signs a person in, unless they already have a token. Returns whether they are signed in. */
export async function signIn(person: Person, client: Client, { identity }: Providers): Promise<boolean> {
  if (person.token !== null) return true;
  if (person.uid === null || !identity.hasAccount(person.uid)) person.uid = identity.signUp(person.email);
  const idToken = identity.signIn(person.uid);
  if (idToken === null) return false;
  const url = `/users/${encodeURIComponent(person.email)}`;
  const answer = await client.send(
    { ...person, token: idToken },
    { method: 'PUT', url, body: { email: person.email } },
  );
  if (answer?.status !== 200) return false;
  person.token = (answer.body as { token: string }).token;
  const name = `${person.name.split(' ')[0]} ${claimsOf(person.token).sub}`;
  if (name !== person.name) person.lastPlacement = null;
  person.name = name;
  const role = await client.send(person, { method: 'GET', url: `/admin/${encodeURIComponent(person.email)}` });
  person.isAdmin = role?.status === 200 && (role.body as { admin: boolean }).admin;
  return true;
}
