import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '../contracts/problems.ts';
import { Overloaded } from '../engine/commands/command-handler.ts';
import { sampleBalance } from '../engine/read-models/sample-documents.fixture.ts';
import { ROUTES } from '../process/route-table.ts';
import { balanceDecider } from '../shop/ledger/balance.ts';
import { addProduct, orderOf, type Person } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, type TestShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
const PRODUCT = { name: 'Tower One', price: 1000, quantity: 10, minorder: 1 };
const REVIEW = { name: 'Tower One', ratings: 5, username: 'Rumi', description: 'Good.' };
const NO_ID = 'f'.repeat(32);

/** Records a balance transaction that belongs to no order, and returns its id. */
async function stateBalance({ dependencies: { handler } }: TestShop): Promise<string> {
  const { kind, id, version, aside, ...stated } = sampleBalance();
  const meta = { actor: 'system:test', correlationId: 'test', cause: 'balance', time: stated.createdAt };
  await handler.execute(balanceDecider, id, { type: 'RecordBalance', stated }, meta);
  return id;
}

/** Posts a body byte for byte, without encoding it as JSON. */
async function sendRaw(
  shop: TestShop,
  by: Person,
  path: string,
  body: string | Buffer,
  headers: Record<string, string>,
) {
  const response = await fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: response.status, problem: problemSchema.parse(await response.json()) };
}

/** Sends a GET with a request target that `fetch` would refuse or change. */
async function getTarget(shop: TestShop, path: string) {
  const { hostname, port } = new URL(shop.url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path }, resolve).on('error', reject).end();
  });
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) as unknown };
}

describe('bad input', () => {
  it('HTTP1 a request whose target has an invalid origin gets a 400, while a request with any valid origin is served', async () => {
    const shop = await open();
    const { admin } = await stockedShop(shop);
    await addProduct(admin);
    for (const target of ['http://a:99999/products?limit=1', 'http://[::1/products', 'http://[::1/', 'https://']) {
      const answer = await getTarget(shop, target);
      expect(answer, target).toMatchObject({
        status: 400,
        body: { code: 'malformed_request', type: '/docs#malformed_request' },
      });
      expect(answer.headers['content-type'], target).toBe('application/problem+json; charset=utf-8');
      expect(answer.headers['x-request-id'], target).toMatch(/^[0-9a-f-]{36}$/);
    }
    const good = await getTarget(shop, 'http://a:80/products?limit=1');
    expect(good).toMatchObject({ status: 200, body: [{ name: 'Tower One' }] });
    expect(good.headers.link).toMatch(/^<\/products\?limit=1&cursor=[^>]+>; rel="next"$/);
    for (const path of ['//[', '//a:99999/products?limit=1'])
      expect((await getTarget(shop, path)).status, path).toBe(404);
  });

  it('an invalid body is refused with an error that names the invalid field, and no event is appended', async () => {
    const shop = await open();
    const { admin, shopper, productId, place } = await stockedShop(shop);
    const orderId = await place();
    const order = orderOf(shopper, productId);
    const me = `/users/${shopper.email}`;
    const cases: [Person, string, string, unknown, string][] = [
      [admin, 'POST', '/products', undefined, ''],
      [admin, 'POST', '/products', [], ''],
      [admin, 'POST', '/products', { ...PRODUCT, name: ' ' }, 'name'],
      [admin, 'POST', '/products', { ...PRODUCT, price: '10' }, 'price'],
      [admin, 'POST', '/products', { ...PRODUCT, price: 0 }, 'price'],
      [admin, 'POST', '/products', { ...PRODUCT, price: 1_000_000 }, 'price'],
      [admin, 'POST', '/products', { ...PRODUCT, quantity: -1 }, 'quantity'],
      [admin, 'POST', '/products', { ...PRODUCT, quantity: 1.5 }, 'quantity'],
      [admin, 'POST', '/products', { ...PRODUCT, minorder: 0 }, 'minorder'],
      [admin, 'POST', '/products', { ...PRODUCT, img1: 'javascript:alert(1)' }, 'img1'],
      [admin, 'POST', '/products', { ...PRODUCT, img1: '//elsewhere.example/x.png' }, 'img1'],
      [admin, 'POST', '/products', { ...PRODUCT, description: 'x'.repeat(4001) }, 'description'],
      [admin, 'PUT', `/products/${productId}`, { price: -1 }, 'price'],
      [admin, 'PUT', `/products/${productId}`, { quantity: 3 }, 'version'],
      [shopper, 'POST', '/orders', undefined, ''],
      [shopper, 'POST', '/orders', { ...order, phone: '12a' }, 'phone'],
      [shopper, 'POST', '/orders', { ...order, phone: '12' }, 'phone'],
      [shopper, 'POST', '/orders', { ...order, address: ' ' }, 'address'],
      [shopper, 'POST', '/orders', { ...order, quantity: '2' }, 'quantity'],
      [shopper, 'POST', '/orders', { ...order, quantity: 1.5 }, 'quantity'],
      [shopper, 'POST', '/orders', { ...order, quantity: 1e300 }, 'quantity'],
      [shopper, 'POST', '/orders', { ...order, email: 'rumi' }, 'email'],
      [shopper, 'PUT', `/orders/${orderId}/delivery`, { phone: '12a' }, 'phone'],
      [shopper, 'PUT', `/orders/${orderId}/delivery`, { address: ' ' }, 'address'],
      [shopper, 'PATCH', `/orders/${orderId}`, { order: orderId }, 'transactionId'],
      [shopper, 'PATCH', `/orders/${orderId}`, { transactionId: '../refunds' }, 'transactionId'],
      [admin, 'PUT', `/orders/${orderId}`, { version: 0 }, 'version'],
      [admin, 'PUT', `/orders/${orderId}`, { carrier: 'dhl' }, 'trackingNumber'],
      [admin, 'POST', '/shipments', { orders: [] }, 'orders'],
      [admin, 'POST', '/shipments', { orders: [orderId] }, 'orders.0'],
      [admin, 'POST', `/orders/${orderId}/withdrawal`, { reason: 'mistake' }, 'shipment'],
      [admin, 'POST', `/orders/${orderId}/refunds`, { amount: 0, reason: 'late', version: 1 }, 'amount'],
      [admin, 'POST', `/orders/${orderId}/refunds`, { amount: 1, reason: 'whim', version: 1 }, 'reason'],
      [admin, 'POST', `/orders/${orderId}/refunds`, { amount: 1, reason: 'late' }, 'version'],
      [admin, 'POST', '/withdrawals', { orders: [] }, 'orders'],
      [admin, 'POST', '/withdrawals', { orders: [{ id: orderId }] }, 'orders.0.shipment'],
      [admin, 'POST', `/orders/${orderId}/withdrawal`, { shipment: 1, reason: 'whim' }, 'reason'],
      [admin, 'PUT', `/orders/${orderId}/parcel`, { carrier: 'dhl', trackingNumber: '../x' }, 'trackingNumber'],
      [admin, 'PUT', `/orders/${orderId}/parcel`, { carrier: 'mine', trackingNumber: '123' }, 'carrier'],
      [shopper, 'POST', '/create-payment-intent', { totalPrice: 1000 }, 'orderId'],
      [shopper, 'POST', '/create-payment-intent', { orderId, totalPrice: '1000' }, 'totalPrice'],
      [shopper, 'POST', '/reviews', { ...REVIEW, description: '' }, 'description'],
      [shopper, 'POST', '/reviews', { ...REVIEW, ratings: undefined }, 'ratings'],
      [admin, 'PUT', `/ledger/${await stateBalance(shop)}/aside`, { note: 7 }, 'note'],
      [shopper, 'PUT', me, { phone: 'call me' }, 'phone'],
      [shopper, 'PUT', me, { address: 7 }, 'address'],
    ];
    const before = await shop.eventCount();
    for (const [by, method, path, body, field] of cases) {
      const answer = await by.call(method, path, body);
      const name = `${method} ${path} ${JSON.stringify(body)?.slice(0, 80)}`;
      expect(answer.headers.get('content-type'), name).toContain('application/problem+json');
      const problem = problemSchema.parse(answer.body);
      expect(problem, name).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(new Set(problem.errors?.map(({ path: at }) => at)), name).toEqual(new Set([field]));
    }
    expect(await shop.eventCount()).toBe(before);
  });

  it('the test of invalid bodies covers exactly the routes that accept a body', () => {
    const withBody = ROUTES.filter(({ body }) => body).map(({ method, path }) => `${method} ${path}`);
    expect(withBody.sort()).toEqual([
      'PATCH /orders/:id',
      'POST /create-payment-intent',
      'POST /orders',
      'POST /orders/:id/refunds',
      'POST /orders/:id/withdrawal',
      'POST /products',
      'POST /reviews',
      'POST /shipments',
      'POST /withdrawals',
      'PUT /ledger/:id/aside',
      'PUT /orders/:id',
      'PUT /orders/:id/delivery',
      'PUT /orders/:id/parcel',
      'PUT /products/:id',
      'PUT /users/:email',
    ]);
  });

  it('a request with an invalid query string gets a 422', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const paths = [
      '/products?limit=0',
      '/products?limit=x',
      '/products?limit=1&limit=2',
      '/products?sort=cheapest',
      '/products?order=colour',
      '/products?inStock=maybe',
      '/products?stock=high',
      `/products?q=${'x'.repeat(201)}`,
      '/products?cursor=%00',
      '/product',
      '/product?name=',
      '/orders?status=lost',
      '/users?limit=-1',
      '/reviews?limit=1.5',
      '/individual',
      '/individual?email=me',
      `/board/counts?q=${'x'.repeat(201)}`,
      '/board/orders',
      '/board/orders?ids=',
      '/board/orders?ids=x',
      `/board/orders?ids=${Array.from({ length: 101 }, () => NO_ID).join(',')}`,
      '/board/export?status=lost',
      '/board/export?q=1&q=2',
    ];
    for (const path of paths) {
      expect(await admin.call('GET', path), path).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    }
  });

  it('a request with an unknown or malformed id gets a 404, whatever its method and body', async () => {
    const shop = await open();
    const admin = await shop.admin();
    const before = await shop.eventCount();
    const ids = [
      NO_ID,
      'F'.repeat(32),
      'x',
      '0',
      '..%2f..%2fsecrets',
      '%00',
      '%E0%A4%A',
      "'%20or%201=1",
      'a'.repeat(5000),
    ];
    const named = ROUTES.filter(({ path }) => path.includes(':') && path !== '/users/:email');
    const calls = named.flatMap(({ method, path }) => ids.map((id) => [method, path.replace(/:\w+/, id)] as const));
    calls.push(['GET', '/users/x'], ['PUT', '/users/x'], ['GET', '/users/nobody@shop.test']);
    for (const [method, path] of calls) {
      const body = method === 'PUT' || method === 'PATCH' ? { name: 7 } : undefined;
      const answer = await admin.call(method, path, body);
      expect(answer, `${method} ${path.slice(0, 60)}`).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(await shop.eventCount()).toBe(before);
  });

  it('a malformed body gets a 400, an oversized body gets a 413, and a body with an unsupported media type or encoding gets a 415', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const before = await shop.eventCount();
    const json = { 'content-type': 'application/json' };
    const large = JSON.stringify({ ...REVIEW, description: 'x'.repeat(110_000) });
    const cases: [string, Record<string, string>, number, string][] = [
      ['{"name":', json, 400, 'malformed_json'],
      ['"text"', json, 400, 'malformed_json'],
      ['{"name":"\\ud800"}', json, 400, 'malformed_json'],
      ['{"\\udfff":1}', json, 400, 'malformed_json'],
      [large, json, 413, 'payload_too_large'],
      ['name=Tower', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['{}', { ...json, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-type': 'application/json; charset=iso-8859-1' }, 415, 'unsupported_media_type'],
    ];
    for (const [body, headers, status, code] of cases) {
      const answer = await sendRaw(shop, shopper, '/reviews', body, headers);
      expect(answer, `${body.slice(0, 20)} ${JSON.stringify(headers)}`).toMatchObject({
        status,
        problem: { status, code },
      });
    }
    expect(await shop.eventCount()).toBe(before);
  });

  it('C21 a request body may be sent in chunks, without a Content-Length', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const answer = await fetch(`${shop.url}/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shopper.token}`, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(REVIEW)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(201);
  });

  it('a request body is read only after the caller has been authorized', async () => {
    const shop = await open();
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    expect((await fetch(`${shop.url}/products`, broken)).status).toBe(401);
  });

  it('CMD3 a request whose Idempotency-Key is too long gets a 422', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const before = await shop.eventCount();
    const answer = await shopper.call('POST', '/reviews', REVIEW, { 'idempotency-key': 'x'.repeat(201) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'Idempotency-Key' }] } });
    expect(await shop.eventCount()).toBe(before);
  });

  it('unknown fields in a request body are not stored', async () => {
    const shop = await open();
    const { admin, shopper } = await stockedShop(shop);
    const body = { ...PRODUCT, removed: true, _id: NO_ID, __proto__: { admin: true } };
    const { insertedId } = (await admin.call('POST', '/products', body)).body as { insertedId: string };
    expect(Object.keys((await shop.events('product', insertedId))[0]?.data ?? {})).not.toContain('removed');
    await shopper.call('PUT', `/users/${shopper.email}`, { role: 'admin', social: 'in/rumi' });
    expect((await shopper.call('GET', `/admin/${shopper.email}`)).body).toEqual({ admin: false });
  });

  it('CMD5 a command whose queue is full gets a 503 with Retry-After and appends no event', async () => {
    const shop = await open(({ handler }) => ({
      handler: { ...handler, execute: () => Promise.reject(new Overloaded('full')) },
    }));
    const answer = await shop.call('PUT', '/users/rumi@shop.test', {
      token: `plain.${Buffer.from('rumi@shop.test').toString('base64url')}`,
      body: {},
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await shop.eventCount()).toBe(0);
  });
});
