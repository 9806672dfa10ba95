import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { PAGE_MAKER } from '../contracts/prerendered-page.ts';
import { takeTurn } from '../http/take-turn.ts';
import { stockedShop, testShops } from '../http/test-shop.fixture.ts';
import { addProduct } from '../whole-shop/shop-client.fixture.ts';
import { createSpa } from './spa.ts';

vi.mock('../http/take-turn.ts', { spy: true });

const open = testShops();
/**
 * The folder of a fake client build. Each of the build's pages shows the name, price, stock and description of its
 * products, and the text of its reviews. The build calls `onPageMade` for each page that it renders.
 */
const folder = mkdtempSync(join(tmpdir(), 'prerendered-pages-'));
const INDEX = `<!doctype html><head><title>Micro Center</title><!-- config --><!-- /config -->
<!-- assets --><script type="module" src="/static/index.js"></script><link rel="modulepreload" href="/static/react.js"></head>
<!-- /assets --><body><!-- page --><div id="root"></div><!-- /page --></body>`;
const SOURCES = {
  '/': ['home.tsx'],
  '/allproducts': ['all.tsx'],
  '/items/:id': ['item.tsx'],
  '/buypage/:id': ['buy.tsx', 'sign-in.ts'],
  '/dashboard/payment/:id': ['payment.tsx', 'sign-in.ts'],
};
const MAKER = `export const SOURCES = ${JSON.stringify(SOURCES)};
export function renderPage(path, { product, products, reviews }) {
  globalThis.onPageMade?.();
  const shown = [product, ...(products?.views ?? []), ...(reviews?.views ?? [])].filter(Boolean);
  if (shown.some(({ name }) => name === 'Unspeakable')) throw new Error('This cannot be made.');
  return '<link rel="preload" as="image" href="/a.svg"/><main>' + path + ': ' +
    shown.map(({ name, price, quantity, description }) => [name, price, quantity, description].join(' ')).join(', ') + '</main>';
}`;
const manifest = {
  'index.html': { file: 'static/index.js', imports: ['react.ts'], css: ['static/index.css'] },
  'react.ts': { file: 'static/react.js' },
  'home.tsx': { file: 'static/home.js', imports: ['index.html', 'card.tsx'], css: ['static/home.css'] },
  'card.tsx': { file: 'static/card.js', css: ['static/card.css'] },
  'all.tsx': { file: 'static/all.js' },
  'item.tsx': { file: 'static/item.js' },
  'buy.tsx': { file: 'static/buy.js' },
  'payment.tsx': { file: 'static/payment.js' },
  'sign-in.ts': { file: 'static/sign-in.js' },
};
for (const name of ['.ready', '.vite']) mkdirSync(join(folder, name));
writeFileSync(join(folder, 'index.html'), INDEX);
writeFileSync(join(folder, PAGE_MAKER), MAKER);
writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Changes = NonNullable<Parameters<typeof open>[0]>;
const openWithPages = (changes: Changes = () => ({})) =>
  open((shop) => ({ fallback: createSpa(folder, shop.clientConfig, 'https://shop.example'), ...changes(shop) }));
type Shop = Awaited<ReturnType<typeof openWithPages>>;

async function pageOf(shop: Pick<Shop, 'call'>, path: string, headers: Record<string, string> = {}) {
  const answer = await shop.call('GET', path, { headers: { accept: 'text/html', ...headers } });
  const html = String(answer.body);
  const [, shown = ''] = /<div id="root">(?:<main>)?(.*?)(?:<\/main>)?<\/div>/.exec(html) ?? [];
  const [, data = 'null'] = /<script type="application\/json" id="ready-data">(.*?)<\/script>/.exec(html) ?? [];
  return { ...answer, html, shown, data: JSON.parse(data) };
}

it('PAGE1 a page is prerendered from the current data and rendered again after each change', async () => {
  const shop = await openWithPages();
  const { admin, shopper, productId, place } = await stockedShop(shop, { name: 'Tower', price: 1_000, quantity: 50 });
  const item = `/items/${productId}`;
  const all = async () =>
    (await Promise.all(['/', '/allproducts', item].map((path) => pageOf(shop, path)))).map(({ shown }) => shown);
  expect(await all()).toEqual(
    ['/', '/allproducts', item].map((path) => expect.stringContaining(`${path}: Tower 1000 50`)),
  );
  await admin.call('PUT', `/products/${productId}`, { price: 700 });
  expect(await all()).toEqual(new Array(3).fill(expect.stringContaining('Tower 700 50')));
  await place(8);
  expect(await all()).toEqual(new Array(3).fill(expect.stringContaining('Tower 700 42')));
  await shopper.call('POST', '/reviews', { name: 'Tower', ratings: 5, username: 'rumi', description: 'Quiet.' });
  const [home, products, page] = await all();
  expect([home, page]).toEqual(new Array(2).fill(expect.stringContaining('Quiet.')));
  expect(products).not.toContain('Quiet.');
  await addProduct(admin, { name: 'Late Tower' });
  expect((await all()).slice(0, 2)).toEqual(new Array(2).fill(expect.stringContaining('Late Tower')));
  await admin.call('DELETE', item.replace('items', 'products'));
  expect((await pageOf(shop, item)).status).toBe(404);
  expect((await pageOf(shop, '/')).shown).not.toContain('Tower 700');
});

it('READ1 PAGE1 a page shows every change made before it was requested, even if earlier requests are still waiting for the old page', async () => {
  let reads = 0;
  const shop = await openWithPages(({ readModels }) => ({
    readModels: {
      ...readModels,
      get: (...asked) => {
        reads += 1;
        return readModels.get(...asked);
      },
    },
  }));
  const { admin, productId } = await stockedShop(shop, { name: 'Tower', price: 1_000 });
  const turns: (() => void)[] = [];
  vi.mocked(takeTurn).mockImplementation(() => new Promise((resolve) => turns.push(resolve)));
  const ask = async () => {
    const before = reads;
    const asked = pageOf(shop, `/buypage/${productId}`);
    await vi.waitFor(() => expect(reads).toBe(before + 1));
    return { asked };
  };
  // The first request waits for its turn, and the second request waits for the first.
  const [{ asked: first }, { asked: second }] = [await ask(), await ask()];
  await vi.waitFor(() => expect(turns).not.toEqual([]));
  await admin.call('PUT', `/products/${productId}`, { price: 700 });
  const { asked: third } = await ask();
  await shop.call('GET', '/healthz');
  vi.mocked(takeTurn).mockRestore();
  for (const take of turns) take();
  expect((await third).shown).toContain('Tower 700');
  for (const { shown } of [await first, await second]) expect(shown).toContain('Tower 1000');
});

it('PAGE1 a prerendered page is the same for everyone, and a conditional request for an unchanged page gets a 304', async () => {
  const shop = await openWithPages();
  const { shopper } = await stockedShop(shop, { name: 'Tower' });
  const first = await pageOf(shop, '/');
  const signedIn = await shopper.call('GET', '/', undefined, { accept: 'text/html' });
  expect(signedIn.body).toBe(first.html);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const seen = { 'if-none-match': String(first.headers.get('etag')), 'cache-control': 'max-age=0' };
  expect(await pageOf(shop, '/', seen)).toMatchObject({ status: 304, body: '' });
  await addProduct(await shop.admin());
  expect(await pageOf(shop, '/', seen)).toMatchObject({ status: 200 });
});

it("PAGE1 AUTH4 a </script> tag in a product's name can't close the page's data element and run a script", async () => {
  const shop = await openWithPages();
  const name = '</script><script>alert(1)</script>';
  const id = await addProduct(await shop.admin(), { name });
  for (const path of ['/allproducts', `/items/${id}`]) {
    const { html, data } = await pageOf(shop, path);
    const [, written] = html.split('id="ready-data">');
    expect(written?.split('</script>')[0], path).not.toContain('<');
    expect((data.product ?? data.products.views[0]).name).toBe(name);
  }
});

it("PAGE1 a page shows a product's name exactly as entered, even if the name contains patterns that String.replace would expand", async () => {
  const shop = await openWithPages();
  const name = "Worth $$$, $& and $' and $` more";
  await addProduct(await shop.admin(), { name });
  const { shown, data } = await pageOf(shop, '/allproducts');
  expect(shown).toContain(name);
  expect(data.products.views[0].name).toBe(name);
});

it('PAGE1 a prerendered page loads its pictures and styles in the head, before any script', async () => {
  const { html } = await pageOf(await openWithPages(), '/');
  const [head = '', body = ''] = html.split('</head>');
  const files = (text: string) =>
    [...text.matchAll(/<(\w+ (?:rel|type)=".*?").*?(?:href|src)="(.*?)"/g)].map(([, what, file]) => `${what} ${file}`);
  const shown = [
    'link rel="preload" /a.svg',
    'link rel="stylesheet" /static/home.css',
    'link rel="stylesheet" /static/card.css',
  ];
  expect(files(head).slice(-3)).toEqual(shown);
  expect(head).not.toContain('index.js');
  const [before = '', later = ''] = body.split('<template id="scripts">');
  expect(files(before)).toEqual([]);
  const needed = [
    'script type="module" /static/react.js',
    'script type="module" /static/index.js',
    'link rel="modulepreload" /static/home.js',
    'link rel="modulepreload" /static/card.js',
  ];
  expect(files(later)).toEqual(needed);
});

it('PAGE1 the order form is prerendered with its item, the payment page is prerendered without its order, and both preload the sign-in script', async () => {
  const shop = await openWithPages();
  const { shopper, productId, place } = await stockedShop(shop, { name: 'Tower', price: 1_000, quantity: 50 });
  const buy = `/buypage/${productId}`;
  const preloaded = ({ html }: { html: string }) =>
    [...html.matchAll(/modulepreload" crossorigin href="(.*?)"/g)].map(([, file]) => file);
  const form = await pageOf(shop, buy);
  expect(form.shown).toContain(`${buy}: Tower 1000 50`);
  expect(preloaded(form)).toEqual(['/static/buy.js', '/static/sign-in.js']);
  await place(8);
  expect((await pageOf(shop, buy)).shown).toContain(`${buy}: Tower 1000 42`);

  const orders = [await place(1), await place(2)];
  const [payment, other] = await Promise.all(orders.map((id) => pageOf(shop, `/dashboard/payment/${id}`)));
  expect(payment).toMatchObject({ shown: '/dashboard/payment/:id: ', data: {} });
  expect(payment && preloaded(payment)).toEqual(['/static/payment.js', '/static/sign-in.js']);
  expect(other?.html).toBe(payment?.html);
  expect((await shopper.call('GET', `/dashboard/payment/${orders[0]}`, undefined, { accept: 'text/html' })).body).toBe(
    payment?.html,
  );
  for (const unknown of ['/buypage/none', `/buypage/${'0'.repeat(32)}`])
    expect(await pageOf(shop, unknown), unknown).toMatchObject({ status: 200, data: null });
});

it("PAGE1 the browser renders search results and any page that can't be prerendered", async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  await addProduct(admin, { name: 'Tower' });
  for (const search of ['q=tower', 'from=mail&order=price', 'inStock=1'])
    expect((await pageOf(shop, `/allproducts?${search}`)).shown, search).toBe('');
  expect((await pageOf(shop, '/allproducts?from=mail')).shown).toContain('Tower');
  for (const path of ['/blogs', '/login', '/dashboard']) expect((await pageOf(shop, path)).data, path).toBeNull();
  await addProduct(admin, { name: 'Unspeakable' });
  expect(await pageOf(shop, '/')).toMatchObject({ status: 200, shown: '', data: null });
  const away = await openWithPages(({ readModels }) => ({
    readModels: { ...readModels, page: () => Promise.reject(new Error('away')) },
  }));
  expect(await pageOf(away, '/')).toMatchObject({ status: 200, shown: '', data: null });
});

it("PAGE1 once prerendering has used a tenth of the thread's time, pages are left for the browser to render", async () => {
  let passed = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  vi.stubGlobal('onPageMade', () => {
    passed += 2_000;
  });
  const shop = await openWithPages();
  await addProduct(await shop.admin(), { name: 'Tower' });
  expect((await pageOf(shop, '/')).shown).toContain('Tower');
  expect(await pageOf(shop, '/allproducts')).toMatchObject({ status: 200, shown: '', data: null });
  passed += 20_000;
  expect((await pageOf(shop, '/allproducts')).shown).toContain('Tower');
});

it('PAGE1 RATE1 a client over the rate limit gets the home page without data, for the browser to render, instead of a 429', async () => {
  const shop = await openWithPages(() => ({
    rateLimit: { take: async () => ({ allowed: false, retryAfterMs: 1_000 }) } as never,
  }));
  expect(await pageOf(shop, '/')).toMatchObject({ status: 200, shown: '', data: null });
});
