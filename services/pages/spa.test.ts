import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { askAs } from '../http/ask-as.fixture.ts';
import { stockedShop, testShops } from '../http/test-shop.fixture.ts';
import { addProduct } from '../whole-shop/shop-client.fixture.ts';
import { createSpa } from './spa.ts';

const open = testShops();
const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';
const folder = mkdtempSync(join(tmpdir(), 'spa-'));
mkdirSync(join(folder, 'static'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Micro Center</title><!-- config --><!-- /config -->');
writeFileSync(join(folder, 'static', 'index-abc123.js'), 'export {};');
writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
afterAll(() => rmSync(folder, { recursive: true }));
const NAVIGATION = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('the web client', () => {
  it('R17 index.html is served for every page that a browser navigates to, but never under an API path', async () => {
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

  it("R17 a HEAD request for a page gets the page's status and headers without its body", async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const head = async (path: string) => {
      const response = await fetch(`${shop.url}${path}`, { method: 'HEAD', ...NAVIGATION });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    expect(await head('/')).toEqual([200, 'text/html; charset=utf-8', '']);
    expect(await head('/no/such/page')).toEqual([404, 'text/html; charset=utf-8', '']);
  });

  it('every client gets the page unless its Accept header rules out HTML', async () => {
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

  it('R17 an unknown path gets a 404, as an HTML page when a browser navigates to it and as a JSON problem for any other request', async () => {
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

  it('G2 the site map lists every product without reading product documents', async () => {
    const noList = () => Promise.reject(new Error('A list is read.'));
    const shop = await open(({ clientConfig, readModels }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
      readModels: { ...readModels, page: noList, find: noList },
    }));
    const { admin, productId } = await stockedShop(shop);
    const other = await addProduct(admin);
    await shop.feed.caughtUp();
    const { body } = await shop.call('GET', '/sitemap.xml');
    for (const id of [productId, other]) expect(body).toContain(`<loc>https://shop.example/items/${id}</loc>`);
  });

  it('the site map and the pages tell search engines which pages to index and under which URL', async () => {
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

  it("AUTH4 the page embeds the client configuration, and a </script> tag in the configuration can't close the surrounding script element", async () => {
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

  it('I6 a request for a missing script chunk gets a 404 instead of a page', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    expect((await shop.call('GET', '/static/gone-def456.js')).status).toBe(404);
    expect((await shop.call('POST', '/blogs', NAVIGATION)).status).toBe(404);
  });

  it('HTTP1 a request for a range beyond the end of a file gets a 416, and a request with a failed precondition gets a 412', async () => {
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

  it('HTTP1 a request with a malformed path or header never gets a 5xx', async () => {
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

  it('browsers may cache hashed files for a year, but must revalidate all other files', async () => {
    const shop = await open(({ clientConfig }) => ({
      fallback: createSpa(folder, clientConfig, 'https://shop.example'),
    }));
    const cacheOf = async (path: string) => (await shop.call('GET', path)).headers.get('cache-control');
    expect(await cacheOf('/static/index-abc123.js')).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/logo.svg')).toBe('no-cache');
  });

  it('a client that accepts Brotli gets a static file as the build compressed it, and other clients get the original file', async () => {
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
