import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../contracts/problems.ts';
import { ROUTES } from '../process/route-table.ts';
import { askAs } from './ask-as.fixture.ts';
import { testShops } from './test-shop.fixture.ts';

const open = testShops();

describe('health, metrics, configuration and documentation routes', () => {
  it('the API serves /healthz, /readyz, /metrics and /config.json', async () => {
    const shop = await open();
    expect(await shop.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await shop.call('GET', '/readyz')).toMatchObject({ status: 200, body: { ready: true } });
    expect((await shop.call('GET', '/config.json')).body).toEqual(shop.dependencies.clientConfig);
    const metrics = await shop.call('GET', '/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(metrics.body).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1/,
    );
  });

  it('/readyz returns 503 while a part of the shop is not ready', async () => {
    const shop = await open(() => ({ readiness: async () => ({ ready: false, checks: { live: false } }) }));
    expect(await shop.call('GET', '/readyz')).toMatchObject({ status: 503, body: { ready: false } });
  });

  it('/openapi.json describes every route in the route table with its inputs and responses', async () => {
    const shop = await open();
    const { paths } = (await shop.call('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, { responses: object; parameters: { name: string; in: string }[] }>>;
    };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      ROUTES.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
    );
    const place = paths['/orders']?.post;
    expect(place).toMatchObject({
      security: [{ accessToken: [] }],
      requestBody: { content: { 'application/json': { schema: { required: expect.arrayContaining(['quantity']) } } } },
      responses: { 201: { content: { 'application/json': { schema: { type: 'object' } } } }, 409: {}, 422: {} },
    });
    expect(place?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }]);
    expect(paths['/orders/{id}']?.get?.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
  });

  it("/docs lists every route and problem code, and an error response's type links to the problem's row on that page", async () => {
    const shop = await open();
    const page = String((await shop.call('GET', '/docs')).body);
    for (const { method, path } of ROUTES) expect(page).toContain(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`<tr id="${code}">`);
    expect((await shop.call('GET', '/users')).body).toMatchObject({ type: '/docs#unauthenticated' });
  });
});

describe("a request's host name", () => {
  it("AUTH7 a request gets a 421 unless its Host header names PUBLIC_ORIGIN's host, loopback or the address it was sent to", async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, publicOrigin: 'https://Shop.Example' } }));
    for (const host of [
      'shop.example',
      'SHOP.example:8443',
      'localhost:8080',
      'shop.localhost',
      '127.0.0.1',
      '[::1]:8080',
    ]) {
      expect((await askAs(shop.url, '/products', host)).status, host).toBe(200);
    }
    for (const host of [
      'evil.example',
      'shop.example.evil.example',
      '192.0.2.7:8080',
      'localhost.evil.example',

      '::',
      'a b',
    ]) {
      const refused = await askAs(shop.url, '/products', host);
      expect(refused.status, host).toBe(421);
      expect(refused.body).toContain('"wrong_host"');
    }
  });

  it("AUTH7 probes and Stripe's signed webhook may use any host name", async () => {
    const shop = await open();
    for (const path of ['/healthz', '/readyz?x', '/metrics']) {
      expect((await askAs(shop.url, path, 'api:8080')).status, path).toBe(200);
    }
    expect((await askAs(shop.url, '/webhooks/stripe', 'web:8080')).status).toBe(404);
    expect((await askAs(shop.url, '/config.json', 'web:8080')).status).toBe(421);
  });
});

describe('metrics and readiness checks', () => {
  const TOKEN = 'a-token-of-whoever-runs-it';
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const VISITOR = { 'x-forwarded-for': '203.0.113.9' };

  it('AUTH8 behind a trusted proxy, metrics and readiness checks are shown only to loopback clients and to requests with METRICS_TOKEN', async () => {
    const shop = await open(({ settings }) => ({ settings: { ...settings, trustedProxies: 1, metricsToken: TOKEN } }));
    const ask = (path: string, headers: Record<string, string>) => shop.call('GET', path, { headers });
    expect((await ask('/metrics', {})).status).toBe(200);
    expect((await ask('/readyz', {})).body).toMatchObject({ ready: true, checks: { lag: 0 } });
    for (const headers of [
      VISITOR,
      { ...VISITOR, ...bearer('wrong') },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
    ]) {
      expect(await ask('/metrics', headers)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await ask('/readyz', headers)).toMatchObject({ status: 200, body: { ready: true } });
      expect((await ask('/readyz', headers)).body).not.toHaveProperty('checks');
      expect((await ask('/healthz', headers)).status).toBe(200);
    }
    expect((await ask('/metrics', { ...VISITOR, ...bearer(TOKEN) })).status).toBe(200);
    expect((await ask('/readyz', { ...VISITOR, ...bearer(TOKEN) })).body).toHaveProperty('checks');
  });

  it("AUTH8 visitors behind an untrusted proxy on the same machine can't read metrics", async () => {
    const shop = await open();
    expect((await shop.call('GET', '/metrics', { headers: VISITOR })).status).toBe(403);
    expect((await shop.call('GET', '/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(403);
  });
});

describe('unsupported methods and unknown paths', () => {
  it('a request with a method that its path does not support gets a 405 with an Allow header', async () => {
    const shop = await open();
    const answer = await shop.call('DELETE', '/products');
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect((await shop.call('POST', `/orders/${'a'.repeat(32)}`)).headers.get('allow')).toBe(
      'GET, DELETE, PUT, PATCH, HEAD, OPTIONS',
    );
    expect((await shop.call('OPTIONS', '/products')).status).toBe(204);
    expect((await fetch(`${shop.url}/products`, { method: 'HEAD' })).status).toBe(200);
  });

  it('a request for an unknown path gets a 404 as problem+json', async () => {
    const shop = await open();
    for (const path of ['/nothing', '/orders/a/b/c', '/', '/users/a/b/c']) {
      const answer = await shop.call('GET', path);
      expect(answer, path).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});

describe('every response', () => {
  const directiveOf = (policy: string, kind: string) =>
    policy.split(';').find((directive) => directive.startsWith(`${kind}-src `));

  it('a response has security headers and a request id that the shop generated', async () => {
    const shop = await open();
    const { headers } = await shop.call('GET', '/products', { headers: { 'x-request-id': 'mine' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    for (const kind of ['script', 'connect', 'frame']) expect(directiveOf(policy, kind)).toBe(`${kind}-src 'self'`);
  });

  it('in live mode, the content security policy allows only the external origins that Stripe and Firebase need', async () => {
    const shop = await open(() => ({
      clientConfig: { stripe: { mode: 'live', publishableKey: 'pk' }, firebase: { mode: 'live', config: {} } },
    }));
    const policy = (await shop.call('GET', '/products')).headers.get('content-security-policy') ?? '';
    expect(['script', 'connect', 'frame'].map((kind) => directiveOf(policy, kind))).toEqual([
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com https://apis.google.com",
      "connect-src 'self' https://api.stripe.com https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://*.firebaseapp.com https://accounts.google.com",
    ]);
  });

  it('pages from another origin may call the API only if that origin is configured', async () => {
    const origin = 'https://shop.example';
    const shop = await open(({ settings }) => ({ settings: { ...settings, corsOrigins: [origin] } }));
    const allowedFor = async (from: string, method = 'GET') =>
      (await shop.call(method, '/products', { headers: { origin: from } })).headers.get('access-control-allow-origin');
    expect(await allowedFor(origin)).toBe(origin);
    expect(await allowedFor(origin, 'OPTIONS')).toBe(origin);
    expect(await allowedFor('https://elsewhere.example')).toBeNull();
    // Without `Vary: Origin`, a cache could reuse this response, which has no CORS headers, for a request from the
    // allowed origin.
    expect((await shop.call('GET', '/products')).headers.get('vary')).toMatch(/\bOrigin\b/);
  });
});
