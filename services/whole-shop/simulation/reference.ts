import { ERASED } from '../../contracts/events.ts';
import { isOldOrderNumber } from '../../contracts/order-number.ts';
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

type Body = Readonly<Record<string, unknown>>;

interface OwnOrder {
  readonly email: string;
}

/** `mayBeAdmin` returns whether somebody with this e-mail address may be an admin. */
export function createReference(world: World, mayBeAdmin: (email: string) => boolean): Reference {
  const placed = new Map<string, string>();
  const acknowledged = new Map<string, number>();
  const deleted = new Set<string>();
  /** the orders that were seen paid; an order never becomes unpaid again */
  const paid = new Set<string>();
  /** the id and number of each placement's order, by the placement's key */
  const numbers = new Map<string, { readonly insertedId: string; readonly number: unknown }>();
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

  /** Refusals that contradict what the shop has already confirmed come from a stale state (CMD2). */
  function judgeRefusal(id: string, code: string | null, wasPaid: boolean): void {
    if (code === 'order_not_paid' && wasPaid) fault(`CMD2 order ${id} was refused as not paid after it was seen paid`);
  }

  /** An order is shipped, and stock is corrected, only at the version that the admin saw (ORD10, ORD2). */
  function judgeVersion(what: string, asked: Body, { modifiedCount, version }: Body): void {
    if (typeof asked.version !== 'number' || modifiedCount !== 1) return;
    const events = 'trackingNumber' in asked ? 2 : 1;
    if (version !== asked.version + events) fault(`${what} after it had changed from version ${asked.version}`);
  }

  /**
   * A placement that is repeated under its key gets the same order (CMD3). An order of version 0.1.0 got its number when
   * the shop was upgraded, so earlier responses may have another number.
   */
  function judgePlacement(person: Person, key: string | undefined, { insertedId, number, version }: Body): void {
    if (typeof insertedId !== 'string') return;
    const before = numbers.get(key ?? insertedId) ?? { insertedId, number };
    const isNumberKept =
      [number, before.number].some((one) => isOldOrderNumber(String(one))) || number === before.number;
    if (before.insertedId !== insertedId || !isNumberKept) {
      fault(`CMD3 a repeated placement got ${insertedId} ${number}, not ${before.insertedId} ${before.number}`);
    }
    numbers.set(key ?? insertedId, before);
    placed.set(insertedId, person.email);
    raise(insertedId, version);
  }

  return {
    placed,
    erasedNames,
    erased: (name) => void erasedNames.add(name),
    expect(person, { method, url, body, key }) {
      const id = url.match(/^\/orders\/([0-9a-f]{32})/)?.[1];
      const isOrder = id !== undefined && url === `/orders/${id}`;
      const least = acknowledged.get(id ?? '') ?? 0;
      const wasPaid = paid.has(id ?? '');
      const asked = (body ?? {}) as Body;
      return (answer) => {
        if (!answer) return;
        const { status, code } = answer;
        if (code === 'internal') fault(`${method} ${url} got a 500`);
        if (isOrder && method === 'GET') judgeView(person, id, least, answer);
        if (id) judgeRefusal(id, code, wasPaid);
        if (status === 200 && url.startsWith('/individual?')) judgeOwnOrders(person, answer.body as OwnOrder[]);
        if (status >= 300) return;
        const told = (answer.body ?? {}) as Body;
        if (isOrder && method === 'GET' && told.paid) paid.add(id);
        if (isOrder && method === 'PUT') judgeVersion(`ORD10 order ${id} was shipped`, asked, told);
        const isStock = method === 'PUT' && url.startsWith('/products/') && 'quantity' in asked;
        if (isStock) judgeVersion(`ORD2 the stock of ${url} was corrected`, asked, told);
        if (url === '/orders' && method === 'POST') judgePlacement(person, key, told);
        else if (id) raise(id, told.version);
        if (isOrder && method === 'DELETE' && told.deletedCount === 1) {
          if (deleted.has(id)) fault(`CMD3 order ${id} was cancelled twice`);
          deleted.add(id);
        }
      };
    },
  };
}
