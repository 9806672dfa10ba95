import { ERASED } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { idOfCreation } from '../../http/idempotency.ts';
import type { Person } from './people.ts';
import { type EventsOf, expectRefusals } from './refusals.ts';
import { type ApiAnswer, type ApiRequest, SECRETS } from './simulated-api.ts';
import type { World } from './world.ts';

/**
 * A simple model that checks the shop's responses. It stores only what earlier responses have guaranteed: acknowledged
 * versions, the owners of orders, and the outcome of each Idempotency-Key.
 */
export interface Reference {
  expect(person: Person, request: Omit<ApiRequest, 'token'>): Expectation;
  /** Records that the shop has confirmed the erasure of the person with this name. */
  erased(name: string): void;
  readonly erasedNames: ReadonlySet<string>;
  /** the orders whose placement was acknowledged, with their customers' e-mail addresses */
  readonly placed: ReadonlyMap<string, string>;
}

/** What the response to a request has to be. */
export interface Expectation {
  /** Call this before each attempt to send the request. The response must reflect everything that happened before. */
  sent(): void;
  /** Checks the response to the last attempt. */
  answered(answer: ApiAnswer | null): void;
}

type Body = Readonly<Record<string, unknown>>;

/** The refusals that a placement can't get once it has taken its stock, because they are about the product (CMD3). */
const ABOUT_PRODUCTS: ReadonlySet<string> = new Set(['quantity_out_of_range', 'price_changed', 'total_too_large']);

type Asker = Pick<Person, 'email' | 'name'>;

interface OwnOrder {
  readonly email: string;
}

/**
 * `mayBeAdmin` returns whether somebody with this e-mail address may be an admin.
 */
export function createReference(
  world: World,
  { mayBeAdmin, eventsOf }: { readonly mayBeAdmin: (email: string) => boolean; readonly eventsOf: EventsOf },
): Reference {
  const placed = new Map<string, string>();
  const acknowledged = new Map<string, number>();
  const deleted = new Set<string>();
  /** the id and number of each placement's order, by the placement's key */
  const numbers = new Map<string, { readonly insertedId: string; readonly number: unknown }>();
  const erasedNames = new Set<string>();
  const { fault, note } = world;

  function raise(id: string, version: unknown): void {
    if (typeof version === 'number') acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0));
  }

  function judgeView({ email: asker }: Asker, id: string, least: number, { status, body }: ApiAnswer): void {
    const owner = placed.get(id);
    if (status === 404 && owner !== undefined) fault(`READ1 order ${id} was placed and is not found`);
    if (status !== 200) return;
    const { version, email, name } = body as { version: number; email: string; name: string };
    if (version < least) fault(`READ1 order ${id} was read at version ${version} after version ${least} was confirmed`);
    if (owner !== undefined && owner !== asker && !mayBeAdmin(asker)) {
      fault(`READ2 ${asker} saw an order of ${owner}`);
    }
    if (erasedNames.has(name)) note('an order of an erased person was read with its name');
    if (owner !== undefined && email !== owner && email !== ERASED)
      fault(`READ1 order ${id} shows another e-mail address`);
  }

  function judgeOwnOrders({ email: asker }: Asker, orders: readonly OwnOrder[]): void {
    const other = orders.find(({ email }) => email !== asker && email !== ERASED);
    if (other) fault(`READ2 ${asker} got a list with an order of ${other.email}`);
  }

  /** An order is shipped, and stock is corrected, only at the version that the admin saw (ORD10, ORD2). */
  function judgeVersion(what: string, asked: Body, { modifiedCount, version }: Body): void {
    if (typeof asked.version !== 'number' || modifiedCount !== 1) return;
    const events = 'trackingNumber' in asked ? 2 : 1;
    if (version !== asked.version + events) fault(`${what} after it had changed from version ${asked.version}`);
  }

  /** A placement that is repeated under its key gets the same order (CMD3). */
  function judgePlacement(
    { email: asker, name }: Asker,
    key: string | undefined,
    { insertedId, number, version }: Body,
  ): void {
    if (typeof insertedId !== 'string') return;
    // Each account has its own keys. The name contains the account's id.
    const owned = `${name} ${key ?? insertedId}`;
    const before = numbers.get(owned) ?? { insertedId, number };
    if (before.insertedId !== insertedId || before.number !== number) {
      fault(`CMD3 a repeated placement got ${insertedId} ${number}, not ${before.insertedId} ${before.number}`);
    }
    numbers.set(owned, before);
    placed.set(insertedId, asker);
    raise(insertedId, version);
  }

  function hasTakenStock({ name }: Person, key: string | undefined, { productId }: Body): boolean {
    const userId = name.split(' ')[1] ?? '';
    const orderId = idOfCreation(SECRETS.idempotency, { userId, route: 'POST /orders', key: key ?? '' });
    return eventsOf(streamName('product', String(productId))).some(
      (event) => event.type === 'StockReduced' && event.data.draft.orderId === orderId,
    );
  }

  return {
    placed,
    erasedNames,
    erased: (name) => void erasedNames.add(name),
    expect(person, { method, url, body, key }) {
      // The person's address and account may change before the response arrives.
      const asker: Asker = { email: person.email, name: person.name };
      const id = url.match(/^\/orders\/([0-9a-f]{32})/)?.[1];
      const isOrder = id !== undefined && url === `/orders/${id}`;
      const asked = (body ?? {}) as Body;
      const isPlacement = url === '/orders' && method === 'POST';
      const refusals = expectRefusals(asked, id, eventsOf);
      let least = 0;
      let stockIsTaken = false;
      const sent = () => {
        least = acknowledged.get(id ?? '') ?? 0;
        stockIsTaken = isPlacement && hasTakenStock(person, key, asked);
        if (stockIsTaken) note('a placement that had taken its stock was sent again');
        refusals.sent();
      };
      const answered = (answer: ApiAnswer | null) => {
        if (!answer) return;
        const { status, code } = answer;
        if (code === 'internal') fault(`${method} ${url} got a 500`);
        if (isOrder && method === 'GET') judgeView(asker, id, least, answer);
        for (const sentence of refusals.answered(answer)) fault(sentence);
        if (stockIsTaken && ABOUT_PRODUCTS.has(code ?? ''))
          fault(`CMD3 a placement was refused with ${code} after it had taken its stock`);
        if (status === 200 && url.startsWith('/individual?')) judgeOwnOrders(asker, answer.body as OwnOrder[]);
        if (status >= 300) return;
        const told = (answer.body ?? {}) as Body;
        if (isOrder && method === 'PUT') judgeVersion(`ORD10 order ${id} was shipped`, asked, told);
        const isStock = method === 'PUT' && url.startsWith('/products/') && 'quantity' in asked;
        if (isStock) judgeVersion(`ORD2 the stock of ${url} was corrected`, asked, told);
        if (isPlacement) judgePlacement(asker, key, told);
        else if (id) raise(id, told.version);
        if (isOrder && method === 'DELETE' && told.deletedCount === 1) {
          if (deleted.has(id)) fault(`CMD3 order ${id} was cancelled twice`);
          deleted.add(id);
        }
      };
      return { sent, answered };
    },
  };
}
