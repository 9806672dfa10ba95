import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../runtime/config.ts';
import { openShopServer, type ShopServer } from './http-server.ts';

let shop: ShopServer;
beforeAll(async () => {
  shop = await openShopServer(readConfig({ PORT: '0' }));
});
afterAll(() => shop.close());

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends exactly these headers. `fetch` would add the header that marks a script's request. */
function call(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(shop.origin);
    request({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

it.each([
  ['/', './'],
  ['/items/1?from=/mail', './1?from=/mail'],
  ['/dashboard/', './'],
  ['/static/index.js', './index.js'],
  ['//elsewhere.test/x', './x'],
  ['//elsewhere.test', './elsewhere.test'],
])(
  'START2 a browser that opens %s while the shop starts gets a page that reloads itself and is never cached',
  async (path, itself) => {
    for (const headers of [HTML, { ...HTML, 'sec-fetch-mode': 'navigate' }]) {
      expect(await call('GET', path, headers)).toEqual({
        status: 503,
        headers: expect.objectContaining({
          'content-type': 'text/html; charset=utf-8',
          'retry-after': '1',
          refresh: `1; url=${itself}`,
          'cache-control': 'no-store',
          'content-security-policy': expect.stringContaining("script-src 'self';"),
          'x-content-type-options': 'nosniff',
        }),
        body: expect.stringContaining('<h1>The shop is starting</h1>'),
      });
    }
  },
);

it('START2 a HEAD request for a page gets the headers of the starting page without its body', async () => {
  const { status, headers, body } = await call('HEAD', '/', HTML);
  expect([status, headers['content-type'], body]).toEqual([503, 'text/html; charset=utf-8', '']);
});

it.each([
  ['an API call', 'GET', '/products', { accept: 'application/json' }],
  ['a script', 'GET', '/static/index.js', { accept: '*/*' }],
  ['a picture', 'GET', '/logo.svg', { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }],
  ["a script's request for a page", 'GET', '/', { ...HTML, 'sec-fetch-mode': 'cors' }],
  ['a submitted form', 'POST', '/orders', HTML],
  ['a preflight request', 'OPTIONS', '/orders', HTML],
  ['a webhook', 'POST', '/webhooks/stripe', { accept: '*/*' }],
  ['a socket handshake', 'GET', '/socket.io/?EIO=4&transport=polling', { accept: '*/*' }],
  ['a probe', 'GET', '/readyz', {}],
])('START2 %s gets a problem while the shop starts', async (_what, method, path, headers) => {
  const { status, headers: sent, body } = await call(method, path, headers);
  expect([status, sent['retry-after'], sent['content-type']]).toEqual([
    503,
    '1',
    'application/problem+json; charset=utf-8',
  ]);
  expect(JSON.parse(body)).toMatchObject({ code: 'shutting_down', detail: 'The shop is starting.' });
});

it('AUTH7 while the shop starts, a request that names another host is refused, except a health check', async () => {
  const elsewhere = { ...HTML, host: 'elsewhere.test' };
  const refused = await call('GET', '/', elsewhere);
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([421, 'wrong_host']);
  expect((await call('GET', '/healthz', { host: 'elsewhere.test' })).status).toBe(503);
});
