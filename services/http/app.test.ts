import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../contracts/problems.ts';
import { TooManySearches } from '../engine/read-models/read-models.ts';
import { addProduct, orderOf } from '../whole-shop/shop-client.fixture.ts';
import { createMemoryRateLimit } from './rate-limit/memory-rate-limit.ts';
import { ROUTES } from './route-table.ts';
import { createSpa } from './spa.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';
const folder = mkdtempSync(join(tmpdir(), 'spa-'));
mkdirSync(join(folder, 'static'));
writeFileSync(join(folder, 'index.html'), `<!doctype html><title>Micro Center</title>${CONFIG_ELEMENT}</script>`);
writeFileSync(join(folder, 'static', 'index-abc123.js'), 'export {};');
writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
afterAll(() => rmSync(folder, { recursive: true }));
const NAVIGATION = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('what the API tells of itself', () => {
  it('answers /healthz, /readyz, /metrics and /config.json', async () => {
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

  it('/readyz is 503 while a part does not answer', async () => {
    const shop = await open(() => ({ readiness: async () => ({ ready: false, checks: { live: false } }) }));
    expect(await shop.call('GET', '/readyz')).toMatchObject({ status: 503, body: { ready: false } });
  });

  it('/openapi.json has every route of the table, each with its inputs and its answer', async () => {
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

  it('/docs lists every route and every problem, and every problem’s type leads there', async () => {
    const shop = await open();
    const page = String((await shop.call('GET', '/docs')).body);
    for (const { method, path } of ROUTES) expect(page).toContain(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`<tr id="${code}">`);
    expect((await shop.call('GET', '/users')).body).toMatchObject({ type: '/docs#unauthenticated' });
  });
});

/** One request with a Host header of its own, which fetch would not send. */
async function askAs(url: string, path: string, host: string | null, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, path, headers: { ...headers, host: host ?? '' } }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

describe('the name that a request calls the shop by', () => {
  it('S5 AUTH7 is PUBLIC_ORIGIN’s, one of loopback, or the address that it came in by; any other is refused', async () => {
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

  it('S5 AUTH7 does not matter to probes, nor to Stripe’s signed webhook', async () => {
    const shop = await open();
    for (const path of ['/healthz', '/readyz?x', '/metrics']) {
      expect((await askAs(shop.url, path, 'api:8080')).status, path).toBe(200);
    }
    expect((await askAs(shop.url, '/webhooks/stripe', 'web:8080')).status).toBe(404);
    expect((await askAs(shop.url, '/config.json', 'web:8080')).status).toBe(421);
  });
});

describe('what only whoever runs the shop is told', () => {
  const TOKEN = 'a-token-of-whoever-runs-it';
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const VISITOR = { 'x-forwarded-for': '203.0.113.9' };

  it('S9 AUTH8 is told to loopback and to METRICS_TOKEN, by the address behind trusted proxies', async () => {
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

  it('S9 AUTH8 is not told to visitors of a proxy on the same machine that nobody has named', async () => {
    const shop = await open();
    expect((await shop.call('GET', '/metrics', { headers: VISITOR })).status).toBe(403);
    expect((await shop.call('GET', '/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(403);
  });
});

describe('methods and paths', () => {
  it('a method that a known path does not take is 405 with Allow', async () => {
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

  it('an unknown path is 404 problem+json', async () => {
    const shop = await open();
    for (const path of ['/nothing', '/orders/a/b/c', '/', '/users/a/b/c']) {
      const answer = await shop.call('GET', path);
      expect(answer, path).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});

describe('the web client', () => {
  it('R17 gets index.html for any page that a browser navigates to, never for an address of the API', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    for (const path of ['/', '/blogs', '/login', '/dashboard/payment/1', '/DashBoard/allusers/']) {
      const page = await shop.call('GET', path, NAVIGATION);
      expect(page, path).toMatchObject({ status: 200, body: expect.stringContaining('<title>Micro Center') });
      expect(page.headers.get('cache-control')).toBe('no-cache');
    }
    for (const path of ['/orders/a/b/c', '/products/x', '/users/a/b']) {
      expect((await shop.call('GET', path, NAVIGATION)).status, path).toBe(404);
    }
  });

  it('U18 gets a page whatever is said of what is taken, unless that is no page', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const taking = (accept: string | null) =>
      askAs(shop.url, '/allproducts', 'localhost', accept === null ? {} : { accept });
    for (const accept of ['*/*', null, 'text/*', 'text/html', 'application/xml;q=0.9, */*;q=0.1']) {
      expect(await taking(accept), String(accept)).toMatchObject({
        status: 200,
        body: expect.stringContaining('<title>'),
      });
    }
    for (const accept of ['application/json', 'image/png', 'text/html;q=0']) {
      expect((await taking(accept)).status, accept).toBe(404);
    }
  });

  it('U16 R17 answers 404 under a path that is no page, with the client’s own page for who navigates there', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    for (const path of ['/no/such/page', '/dashboard/nothing', '/buypage', '/buypage/1/2', '/favicon.png']) {
      const page = await shop.call('GET', path, NAVIGATION);
      expect(page, path).toMatchObject({ status: 404, body: expect.stringContaining('<title>Micro Center') });
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      const [data, posted] = [{ headers: { accept: '*/*' } }, NAVIGATION];
      for (const answer of [await shop.call('GET', path, data), await shop.call('POST', path, posted)]) {
        expect(answer, path).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
  });

  it('E25 U16 the site map names every product, and reads no document of one', async () => {
    const noList = () => Promise.reject(new Error('A list is read.'));
    const shop = await open(({ clientConfig, readModels }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
      readModels: { ...readModels, listProducts: noList },
    }));
    const { admin, productId } = await stockedShop(shop);
    const other = await addProduct(admin);
    await shop.feed.caughtUp();
    const { body } = await shop.call('GET', '/sitemap.xml');
    for (const id of [productId, other]) expect(body).toContain(`<loc>https://shop.example/items/${id}</loc>`);
  });

  it('U16 says which pages search engines may list, and by which address', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const text = async (path: string) => String((await shop.call('GET', path)).body);
    expect(await text('/robots.txt')).toContain('Sitemap: https://shop.example/sitemap.xml');
    const listed = [...(await text('/sitemap.xml')).matchAll(/<loc>https:\/\/shop\.example(.*)<\/loc>/g)].map(
      ([, path]) => path,
    );
    expect(listed).toEqual(['/', '/allproducts', '/blogs', '/myportfolio']);
    for (const path of listed) {
      const page = await shop.call('GET', `${path}?from=elsewhere`, NAVIGATION);
      expect(page.headers.get('x-robots-tag'), path).toBeNull();
      expect(page.body).toContain(`<link rel="canonical" href="https://shop.example${path}" />`);
      expect(page.body).toContain('<meta property="og:image" content="https://shop.example/og-image.png" />');
    }
    for (const path of ['/login', '/buypage/1', '/dashboard/myorders', '/track/some-token']) {
      const page = await shop.call('GET', path, NAVIGATION);
      expect(page.headers.get('x-robots-tag'), path).toBe('noindex');
      expect(page.body).not.toContain('canonical');
    }
  });

  it('AUTH4 writes into the page what /config.json answers, and nothing that could end the element', async () => {
    const clientConfig = {
      stripe: { mode: 'live' as const, publishableKey: '</script>' },
      firebase: { mode: 'live' as const, config: {} },
    };
    const shop = await open(() => ({ fallback: createSpa(folder, clientConfig, 'https://shop.example') }));
    const page = String((await shop.call('GET', '/', NAVIGATION)).body);
    const [, written = ''] = page.split(CONFIG_ELEMENT);
    const [config = '', ...rest] = written.split('</script>');
    expect(JSON.parse(config)).toEqual(clientConfig);
    expect(rest).toEqual(['']);
  });

  it('I6 a script chunk that is gone is 404, not a page', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    expect((await shop.call('GET', '/static/gone-def456.js')).status).toBe(404);
    expect((await shop.call('POST', '/blogs', NAVIGATION)).status).toBe(404);
  });

  it('S9 HTTP1 refuses a part or a version of a file that there is none of, and never with a 500', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const get = (headers: Record<string, string>) => shop.call('GET', '/logo.svg', { headers });
    const beyond = await get({ range: 'bytes=9999-' });
    expect(beyond).toMatchObject({ status: 416, body: { code: 'range_not_satisfiable' } });
    expect(beyond.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
    expect(await get({ 'if-match': '"other"' })).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    const since = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' };
    expect(await get(since)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    expect((await get({ range: 'bytes=0-3' })).status).toBe(206);
  });

  it('S9 HTTP1 says nothing of what is wrong with a request as a fault of the shop', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const paths = [
      '/%',
      '/%ff',
      '/static/%',
      '/orders/%e0%a4%a',
      '/logo.svg%00',
      '/..%2f..%2fetc',
      '/static/%2e%2e/%',
      '/?%',
      '/products?q=%ff',
    ];
    const headers: Record<string, string>[] = [
      NAVIGATION.headers,
      { accept: '*/*;q=x, ;;;' },
      { 'accept-encoding': 'gzip;q=2, ;' },
      { 'content-type': ';;' },
      { cookie: '=;=%' },
      { 'if-none-match': '"' },
      { 'if-modified-since': 'yesterday' },
      { range: 'bytes=-,-' },
    ];
    for (const path of paths) {
      for (const given of headers) {
        const { status } = await shop.call('GET', path, { headers: given });
        expect(status, `${path} ${JSON.stringify(given)}`).toBeLessThan(500);
      }
    }
  });

  it('keeps hashed files for good and asks again for the others', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const cacheOf = async (path: string) => (await shop.call('GET', path)).headers.get('cache-control');
    expect(await cacheOf('/static/index-abc123.js')).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/logo.svg')).toBe('no-cache');
  });

  it('sends what the build has compressed to who takes it, and the file itself to others', async () => {
    writeFileSync(join(folder, 'static', 'small-abc123.js'), 'export const words = 1;');
    writeFileSync(join(folder, 'static', 'small-abc123.js.br'), brotliCompressSync('export const words = 1;'));
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const answer = async (path: string, encoding: string) => {
      const { status, headers, body } = await shop.call('GET', path, { headers: { 'accept-encoding': encoding } });
      const told = ['content-encoding', 'vary', 'content-type', 'cache-control'].map((name) => headers.get(name));
      return [status, body, ...told];
    };
    const same = [200, 'export const words = 1;'];
    const kept = ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'];
    expect(await answer('/static/small-abc123.js', 'gzip, br')).toEqual([...same, 'br', 'Accept-Encoding', ...kept]);
    expect(await answer('/static/small-abc123.js', 'gzip')).toEqual([...same, null, 'Accept-Encoding', ...kept]);
    expect(await answer('/static/index-abc123.js', 'br')).toEqual([
      200,
      'export {};',
      null,
      'Accept-Encoding',
      ...kept,
    ]);
  });
});

describe('every answer', () => {
  const directiveOf = (policy: string, kind: string) =>
    policy.split(';').find((directive) => directive.startsWith(`${kind}-src `));

  it('carries a request id of our own and headers that keep browsers careful', async () => {
    const shop = await open();
    const { headers } = await shop.call('GET', '/products', { headers: { 'x-request-id': 'mine' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    for (const kind of ['script', 'connect', 'frame']) expect(directiveOf(policy, kind)).toBe(`${kind}-src 'self'`);
  });

  it('live mode lets in what Stripe and Firebase ask for, and nothing else', async () => {
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

  it('lets other origins in only where they are named', async () => {
    const origin = 'https://shop.example';
    const shop = await open(({ settings }) => ({ settings: { ...settings, corsOrigins: [origin] } }));
    const allowedFor = async (from: string, method = 'GET') =>
      (await shop.call(method, '/products', { headers: { origin: from } })).headers.get('access-control-allow-origin');
    expect(await allowedFor(origin)).toBe(origin);
    expect(await allowedFor(origin, 'OPTIONS')).toBe(origin);
    expect(await allowedFor('https://elsewhere.example')).toBeNull();
    // A cache must not give a page of that origin what it was answered without one.
    expect((await shop.call('GET', '/products')).headers.get('vary')).toMatch(/\bOrigin\b/);
  });
});

describe('the log', () => {
  it('tells of each request by its route, never with token, e-mail or body', async () => {
    const shop = await open();
    const { shopper, productId } = await stockedShop(shop);
    await shopper.call('POST', '/orders', orderOf(shopper, productId));
    await shopper.call('GET', `/individual?email=${shopper.email}`);
    await shopper.call('PUT', `/users/${shopper.email}`, { phone: 'secret-phone' });
    const text = shop.lines.join('');
    expect(text).toContain('"route":"/users/:email","status":422');
    expect(text).not.toContain(shopper.token);
    expect(text).not.toContain(shopper.email);
    expect(text).not.toContain('secret-phone');
    expect(text).not.toContain('Dhanmondi');
  });

  it('RATE1 tells of probes only to who asks for every detail', async () => {
    const shop = await open();
    await Promise.all(['/healthz', '/readyz', '/metrics', '/products'].map((path) => shop.call('GET', path)));
    const told = shop.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(told.map(({ route, level }) => `${route} ${level}`).sort()).toEqual([
      '/healthz 20',
      '/metrics 20',
      '/products 30',
      '/readyz 20',
    ]);
  });

  it('FIND1 more searches than may wait are 503 with Retry-After', async () => {
    const shop = await open(({ readModels }) => ({
      readModels: { ...readModels, listProducts: () => Promise.reject(new TooManySearches('16 searches wait')) },
    }));
    const answer = await shop.call('GET', '/products?q=tower');
    expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('an unexpected failure is 500 without detail, and in the log with its request id', async () => {
    const shop = await open(({ readModels }) => ({
      readModels: { ...readModels, listProducts: () => Promise.reject(new Error('disk on fire')) },
    }));
    const answer = await shop.call('GET', '/products');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toContain('disk on fire');
    const line = shop.lines.find((one) => one.includes('disk on fire'));
    expect(line).toContain(answer.headers.get('x-request-id'));
  });
});

describe('limits', () => {
  it('S5 S7 RATE1 behind a proxy that is trusted each caller has a budget, and a word of the caller alone gives none', async () => {
    const statusesOf = async (trustedProxies: number) => {
      const shop = await open(({ settings, clock }) => ({
        settings: { ...settings, trustedProxies },
        rateLimit: createMemoryRateLimit({ burst: 1, perSecond: 0.1, clock }),
      }));
      const from = async (address: string) =>
        (await fetch(`${shop.url}/products`, { headers: { 'x-forwarded-for': address } })).status;
      return [await from('203.0.113.7'), await from('203.0.113.8'), await from('203.0.113.7')];
    };
    expect(await statusesOf(1)).toEqual([200, 200, 429]);
    expect(await statusesOf(0)).toEqual([200, 429, 429]);
  });

  it('RATE1 who asks too often is 429 with Retry-After; others are not', async () => {
    const shop = await open(({ clock }) => ({
      rateLimit: createMemoryRateLimit({ burst: 6, perSecond: 0.5, clock }),
    }));
    const rumi = await shop.signIn('rumi@shop.test');
    const mina = await shop.signIn('mina@shop.test');
    const path = `/users/${rumi.email}`;
    for (let call = 0; call < 6; call += 1) expect((await rumi.call('GET', path)).status).toBe(200);
    const refused = await rumi.call('GET', path);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await mina.call('GET', `/users/${mina.email}`)).status).toBe(200);
    shop.advance(2000);
    expect((await rumi.call('GET', path)).status).toBe(200);
  });

  it('guessing tokens is limited by address', async () => {
    const shop = await open(({ clock }) => ({
      rateLimit: createMemoryRateLimit({ burst: 3, perSecond: 0.1, clock }),
    }));
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await shop.call('GET', '/users', { token: `guess-${call}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('while stopping, commands are 503 and reads are answered', async () => {
    const shop = await open(() => ({ isDraining: () => true }));
    const answer = await shop.call('POST', '/orders');
    expect(answer).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
    expect((await shop.call('GET', '/products')).status).toBe(200);
  });

  it('routers that read bodies themselves come before the API’s own', async () => {
    const router = express.Router();
    router.post('/orders', express.raw({ type: () => true }), (request, response) => {
      response.send(String(Buffer.isBuffer(request.body)));
    });
    const shop = await open(() => ({ edge: [router] }));
    expect((await shop.call('POST', '/orders', { body: {} })).body).toBe('true');
  });
});
