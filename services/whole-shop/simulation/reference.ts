import { ERASED } from '../../contracts/events.ts';
import type { Person } from './people.ts';
import type { ApiAnswer, ApiRequest } from './simulated-api.ts';
import type { World } from './world.ts';

/**
 * A simple model that checks the shop's responses. It stores only what earlier responses have guaranteed: acknowledged
 * versions, the owners of orders, and the outcome of each Idempotency-Key.
 */
export interface Reference {
  /** Returns a function that checks the response to this request. Call expect() before the request is sent. */
  expect(person: Person, request: Omit<ApiRequest, 'token'>): (answer: ApiAnswer | null) => void;
  /** Records that the shop has confirmed the erasure of the person with this name. */
  erased(name: string): void;
  readonly erasedNames: ReadonlySet<string>;
  /** the orders whose placement was acknowledged, with their customers' e-mail addresses */
  readonly placed: ReadonlyMap<string, string>;
}

interface OwnOrder {
  readonly email: string;
}

/** `mayBeAdmin` returns whether somebody with this e-mail address may be an admin. */
export function createReference(world: World, mayBeAdmin: (email: string) => boolean): Reference {
  const placed = new Map<string, string>();
  const acknowledged = new Map<string, number>();
  const deleted = new Set<string>();
  const erasedNames = new Set<string>();
  const fault = (sentence: string) => {
    world.say(`FAULT: ${sentence}`);
    world.faults.push(sentence);
  };

  function raise(id: string, version: unknown): void {
    if (typeof version === 'number') acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0));
  }

  function judgeView(person: Person, id: string, least: number, { status, body }: ApiAnswer): void {
    const owner = placed.get(id);
    if (status === 404 && owner !== undefined) fault(`READ1 order ${id} was placed and is not found`);
    if (status !== 200) return;
    const { version, email, name } = body as { version: number; email: string; name: string };
    if (version < least) fault(`READ1 order ${id} was read at version ${version} after version ${least} was confirmed`);
    if (owner !== undefined && owner !== person.email && !mayBeAdmin(person.email)) {
      fault(`READ2 ${person.email} saw an order of ${owner}`);
    }
    if (erasedNames.has(name)) world.note('an order of an erased person was read with its name');
    if (owner !== undefined && email !== owner && email !== ERASED)
      fault(`READ1 order ${id} shows another e-mail address`);
  }

  function judgeOwnOrders(person: Person, orders: readonly OwnOrder[]): void {
    const other = orders.find(({ email }) => email !== person.email && email !== ERASED);
    if (other) fault(`READ2 ${person.email} got a list with an order of ${other.email}`);
  }

  return {
    placed,
    erasedNames,
    erased: (name) => void erasedNames.add(name),
    expect(person, { method, url, body }) {
      const id = url.match(/^\/orders\/([0-9a-f]{32})/)?.[1];
      const least = acknowledged.get(id ?? '') ?? 0;
      return (answer) => {
        if (!answer) return;
        if (answer.status >= 500 && answer.code === 'internal') fault(`${method} ${url} got a 500`);
        if (id && method === 'GET' && /^\/orders\/[0-9a-f]{32}$/.test(url)) {
          judgeView(person, id, least, answer);
        }
        if (answer.status === 200 && url.startsWith('/individual?')) judgeOwnOrders(person, answer.body as OwnOrder[]);
        if (answer.status >= 300) return;
        const asked = (body ?? {}) as Record<string, unknown>;
        const { modifiedCount } = (answer.body ?? {}) as Record<string, unknown>;
        if (method === 'PUT' && /^\/orders\/[0-9a-f]{32}$/.test(url) && 'version' in asked && modifiedCount === 1) {
          const { version } = answer.body as { version: number };
          const shippedAt = version - ('trackingNumber' in asked ? 1 : 0);
          if (shippedAt !== Number(asked.version) + 1) fault(`ORD10 order ${id} was shipped after it had changed`);
        }
        if (method === 'PUT' && url.startsWith('/products/') && 'quantity' in asked && modifiedCount === 1) {
          const { version } = answer.body as { version: number };
          if (version !== Number(asked.version) + 1) fault(`ORD2 ${url} was corrected from an old version of its page`);
        }
        const { insertedId, version, deletedCount } = (answer.body ?? {}) as Record<string, unknown>;
        if (url === '/orders' && typeof insertedId === 'string') {
          placed.set(insertedId, person.email);
          raise(insertedId, version);
        } else if (id) raise(id, version);
        if (id && method === 'DELETE' && deletedCount === 1 && /^\/orders\/[0-9a-f]{32}$/.test(url)) {
          if (deleted.has(id)) fault(`CMD3 order ${id} was cancelled twice`);
          deleted.add(id);
        }
      };
    },
  };
}
