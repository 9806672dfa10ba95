import { describe, expect, it } from 'vitest';
import { ROUTES } from '../process/route-table.ts';
import { plainIdToken } from '../whole-shop/plain-identity.fixture.ts';
import type { Person } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, type TestShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

const ROLES = ['visitor', 'other shopper', 'owner', 'admin'] as const;
/** 'may' means that the request isn't refused with a 401 or 403. It may still fail with another error. */
type Expected = readonly [visitor: Verdict, other: Verdict, owner: Verdict, admin: Verdict];
type Verdict = 'may' | 401 | 403;

const EVERYONE: Expected = ['may', 'may', 'may', 'may'];
const SIGNED_IN: Expected = [401, 'may', 'may', 'may'];
const OWNER_OR_ADMIN: Expected = [401, 403, 'may', 'may'];
const ADMIN: Expected = [401, 403, 403, 'may'];
const OWN_ACCOUNT: Expected = [401, 403, 'may', 403];

/** The expected access to each route, written by hand so that it can't repeat the route table's mistakes. */
const ALLOWED: Readonly<Record<string, Expected>> = {
  'PUT /users/:email': OWN_ACCOUNT,
  'GET /users': ADMIN,
  'GET /users/:email': OWNER_OR_ADMIN,
  'GET /admin/:email': OWNER_OR_ADMIN,
  'PUT /users/admin/:email': ADMIN,
  'DELETE /users/admin/:email': ADMIN,
  'POST /users/:email/release': ADMIN,
  'GET /users/:email/export': OWNER_OR_ADMIN,
  'DELETE /users/:email': OWNER_OR_ADMIN,
  'GET /products': EVERYONE,
  'GET /promise': EVERYONE,
  'GET /product': EVERYONE,
  'GET /products/:id': EVERYONE,
  'GET /similar': EVERYONE,
  'POST /products': ADMIN,
  'PUT /products/:id': ADMIN,
  'DELETE /products/:id': ADMIN,
  'GET /orders': ADMIN,
  'GET /individual': OWNER_OR_ADMIN,
  'GET /orders/:id': OWNER_OR_ADMIN,
  'GET /orders/:id/timeline': OWNER_OR_ADMIN,
  'GET /board/counts': ADMIN,
  'GET /board/today': ADMIN,
  'GET /board/orders': ADMIN,
  'GET /board/export': ADMIN,
  'GET /packing': ADMIN,
  'PUT /packing/:id': ADMIN,
  'DELETE /packing/:id': ADMIN,
  'GET /tracking': EVERYONE,
  'GET /orders/:id/tracking': OWNER_OR_ADMIN,
  'POST /orders/:id/tracking': OWNER_OR_ADMIN,
  'DELETE /orders/:id/tracking': OWNER_OR_ADMIN,
  'POST /orders': SIGNED_IN,
  'PUT /orders/:id': ADMIN,
  'POST /shipments': ADMIN,
  'POST /orders/:id/refunds': ADMIN,
  'GET /ledger': ADMIN,
  'GET /ledger/periods': ADMIN,
  'GET /ledger/export': ADMIN,
  'PUT /ledger/:id/aside': ADMIN,
  'POST /orders/:id/withdrawal': ADMIN,
  'POST /withdrawals': ADMIN,
  'PUT /orders/:id/parcel': ADMIN,
  'PUT /orders/:id/delivery': OWNER_OR_ADMIN,
  'PATCH /orders/:id': OWNER_OR_ADMIN,
  'DELETE /orders/:id': OWNER_OR_ADMIN,
  'POST /create-payment-intent': OWNER_OR_ADMIN,
  'GET /reviews': EVERYONE,
  'GET /reviews/:id': EVERYONE,
  'POST /reviews': SIGNED_IN,
  'GET /healthz': EVERYONE,
  'GET /readyz': EVERYONE,
  'GET /metrics': EVERYONE,
  'GET /config.json': EVERYONE,
  'GET /openapi.json': EVERYONE,
  'GET /docs': EVERYONE,
};

/** Creates everything that the requests refer to: a product, and an order and a review that belong to one shopper. */
async function populated(shop: TestShop) {
  const { admin, shopper: owner, productId, place } = await stockedShop(shop);
  const other = await shop.signIn('mina@shop.test');
  const review = { name: 'Tower One', ratings: 5, username: 'Rumi', description: 'Good.' };
  const posted = await owner.call('POST', '/reviews', review);
  const reviewId = String((posted.body as { insertedId: string }).insertedId);
  const orderId = await place();
  const people: Record<(typeof ROLES)[number], Person | null> = { visitor: null, 'other shopper': other, owner, admin };
  return { people, owner, productId, orderId, reviewId };
}
type Population = Awaited<ReturnType<typeof populated>>;

function pathTo(key: string, { owner, productId, orderId, reviewId }: Population): string {
  const pattern = key.split(' ')[1] ?? '';
  // Releasing a registered e-mail address would close an account that later requests need.
  if (pattern.endsWith('/release')) return '/users/nobody@shop.test/release';
  if (pattern === '/individual') return `/individual?email=${owner.email}`;
  if (pattern === '/product') return '/product?name=Tower%20One';
  const id = pattern.startsWith('/products') ? productId : pattern.startsWith('/reviews') ? reviewId : orderId;
  return pattern.replace(':email', owner.email).replace(':id', id);
}

/** Returns a body that changes nothing even if the request is authorized, so that one shop can serve all requests. */
function bodyOf(key: string, { orderId }: Population): unknown {
  if (key === 'POST /create-payment-intent') return { orderId, totalPrice: 1 };
  if (key === 'PUT /users/:email') return {};
  return key.startsWith('GET') || key.startsWith('DELETE') ? undefined : { name: 7 };
}

describe('AUTH3 the roles that may call each route', () => {
  it('AUTH3 the expectations in this test cover exactly the routes in the route table', () => {
    expect(Object.keys(ALLOWED).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('AUTH3 each route admits only the roles that may call it, and a refused request appends no event', async () => {
    const shop = await open();
    const population = await populated(shop);
    // Routes that change the test data come last. ROLES lists the roles without access to such a route first, so their
    // requests are refused before the route changes anything.
    const last = [
      'DELETE /orders/:id',
      'DELETE /products/:id',
      'DELETE /users/admin/:email',
      'PUT /users/admin/:email',
      'DELETE /users/:email',
    ];
    const keys = [...Object.keys(ALLOWED).filter((key) => !last.includes(key)), ...last];
    const found: Record<string, Verdict[]> = {};
    for (const key of keys) {
      const verdicts: Verdict[] = [];
      for (const role of ROLES) {
        const before = await shop.eventCount();
        const person = population.people[role];
        const [method = '', path, body] = [key.split(' ')[0], pathTo(key, population), bodyOf(key, population)];
        const { status } = await shop.call(method, path, { body, ...(person && { token: person.token }) });
        const keptOut = status === 401 || status === 403;
        verdicts.push(keptOut ? status : 'may');
        if (keptOut) expect(await shop.eventCount(), `${role} ${key}`).toBe(before);
        expect(status, `${role} ${key}`).toBeLessThan(500);
      }
      found[key] = verdicts;
    }
    expect(found).toEqual(Object.fromEntries(keys.map((key) => [key, [...(ALLOWED[key] ?? [])]])));
  });

  it.each([
    ['no scheme', 'abc'],
    ['another scheme', 'Basic abc'],
    ['an empty token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['a forged token', 'Bearer eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.'],
    ['a huge token', `Bearer ${'a'.repeat(9000)}`],
  ])('AUTH1 a request with %s in its Authorization header gets a 401', async (_case, authorization) => {
    const shop = await open();
    const answer = await shop.call('GET', '/users', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it("AUTH1 the identity provider's ID token is accepted only for signing in", async () => {
    const shop = await open();
    const admin = await shop.admin();
    expect((await shop.call('GET', '/users', { token: plainIdToken(admin.email) })).status).toBe(401);
  });
});
