import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ITEM_PAGE, PAGES } from '../contracts/pages.ts';
import type { ProductView } from '../contracts/product/product-view.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import { type startTestShop, stockedShop, testShops } from '../http/test-shop.fixture.ts';
import { addProduct } from '../whole-shop/shop-client.fixture.ts';
import { createSpa } from './spa.ts';

const open = testShops();
const folder = mkdtempSync(join(tmpdir(), 'item-page-'));
const SHOP_HEAD = `<!-- about --><title>Micro Center</title>
<meta name="description" content="Casings." />
<meta property="og:type" content="website" />
<meta property="og:title" content="Micro Center" /><meta property="og:description" content="Casings." />
<meta property="og:image:width" content="1200" /><meta property="og:image:alt" content="A casing" />
<!-- /about --><meta property="og:site_name" content="Micro Center" />`;
writeFileSync(join(folder, 'index.html'), `<!doctype html>${SHOP_HEAD}<!-- config --><!-- /config -->`);
afterAll(() => rmSync(folder, { recursive: true }));

const ORIGIN = 'https://shop.example';
type Change = NonNullable<Parameters<typeof startTestShop>[0]>;
const openWithPages = (change: Change = () => ({})) =>
  open((shop) => ({ fallback: createSpa(folder, shop.clientConfig, ORIGIN), ...change(shop) }));

type Shop = Awaited<ReturnType<typeof openWithPages>>;

async function pageOf(shop: Shop, path: string) {
  const answer = await shop.call('GET', path, { headers: { accept: 'text/html' } });
  const html = String(answer.body);
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found ?? '');
  const meta = (name: string) => all(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g'));
  const [data] = all(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return { ...answer, html, meta, titles: all(/<title>(.*?)<\/title>/g), data: data && JSON.parse(data) };
}

it("G2 the head of an item's page contains the item's name, description, picture, price, availability and rating", async () => {
  const shop = await openWithPages();
  const { shopper, productId } = await stockedShop(shop, {
    name: 'Tower One',
    price: 12_500.5,
    quantity: 3,
    minorder: 2,
    img1: '/casings/tower.png',
    img2: 'https://pictures.example/rear.svg',
    processor: 'Any ATX board',
    description: 'A showcase build',
  });
  for (const [name, ratings] of [
    ['Tower One', 4],
    ['Tower Two', 1],
  ] as const) {
    await shopper.call('POST', '/reviews', { name, ratings, username: 'Rumi', description: 'Good.' });
  }
  const address = `${ORIGIN}/items/${productId}`;
  const page = await pageOf(shop, `/items/${productId}?from=mail`);
  expect(page.status).toBe(200);
  expect(page.headers.get('x-robots-tag')).toBeNull();
  expect(page.titles).toEqual(['Tower One - Micro Center']);
  expect(page.html).toContain(`<link rel="canonical" href="${address}" />`);
  for (const [name, content] of [
    ['description', 'A showcase build'],
    ['og:type', 'product'],
    ['og:title', 'Tower One'],
    ['og:description', 'A showcase build'],
    ['og:url', address],
    ['og:site_name', 'Micro Center'],
    ['og:image', `${ORIGIN}/casings/tower.png`],
    ['og:image:alt', 'Tower One'],
    ['product:price:amount', '12500.50'],
    ['product:price:currency', 'BDT'],
  ] as const) {
    expect(page.meta(name), name).toEqual([content]);
  }
  expect(page.meta('og:image:width')).toEqual([]);
  expect(page.data).toMatchObject({
    '@type': 'Product',
    name: 'Tower One',
    sku: productId,
    image: [`${ORIGIN}/casings/tower.png`, 'https://pictures.example/rear.svg'],
    additionalProperty: [{ name: 'processor', value: 'Any ATX board' }],
    offers: { url: address, price: '12500.50', priceCurrency: 'BDT', availability: 'https://schema.org/InStock' },
    aggregateRating: { ratingValue: '4.0', reviewCount: 1, bestRating: 5 },
  });
});

it("G2 the head of an item's page says OutOfStock if the stock is below the minimum order, has no rating if there are no reviews, and never uses an SVG as the preview picture", async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  const id = await addProduct(admin, { quantity: 1, minorder: 2, img1: '/casings/tower.svg' });
  const { data, meta } = await pageOf(shop, `/items/${id}`);
  expect(data.offers.availability).toBe('https://schema.org/OutOfStock');
  expect(data).not.toHaveProperty('aggregateRating');
  expect(meta('og:image')).toEqual([`${ORIGIN}/og-image.png`]);
});

it("G2 AUTH4 HTML in a product's name or description is escaped in the head of the product's page", async () => {
  const shop = await openWithPages();
  const name = '"><script>alert(1)</script>&amp;';
  const id = await addProduct(await shop.admin(), { name, description: '</script><img src=x>$&' });
  const page = await pageOf(shop, `/items/${id}`);
  expect(page.html).not.toContain('<script>alert');
  expect(page.html).not.toContain('<img');
  expect(page.titles).toEqual(['&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp; - Micro Center']);
  expect(page.data).toMatchObject({ name, description: '</script><img src=x>$&' });
});

it("G3 a request for the page of an unknown item, a removed item or a malformed item id gets the client's index.html with a 404 and noindex", async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  const id = await addProduct(admin);
  await admin.call('DELETE', `/products/${id}`);
  for (const path of [`/items/${id}`, `/items/${'0'.repeat(32)}`, '/items/tower', '/Items/%22']) {
    const page = await pageOf(shop, path);
    expect(page.status, path).toBe(404);
    expect(page.headers.get('x-robots-tag'), path).toBe('noindex');
    expect(page.titles, path).toEqual(['Micro Center']);
    expect(page.html, path).not.toContain('canonical');
  }
});

it("G3 CMD7 an item's page is served with a 503 and Retry-After while the store is down", async () => {
  const shop = await openWithPages(({ readModels }) => ({
    readModels: { ...readModels, get: () => Promise.reject(new Error('away')) },
  }));
  const page = await pageOf(shop, `/items/${'a'.repeat(32)}`);
  expect(page.status).toBe(503);
  expect(page.headers.get('retry-after')).toBe('1');
  expect(page.titles).toEqual(['Micro Center']);
});

it('RATE1 PAGE1 requests for pages that read documents are rate-limited by IP address, and a request over the limit gets either a 429 or a page without data', async () => {
  const taken: string[] = [];
  let full = false;
  const rateLimit: RateLimit = {
    async take(key) {
      taken.push(key);
      return full ? { allowed: false, retryAfterMs: 1_500 } : { allowed: true };
    },
    close: async () => {},
  };
  const reads: string[] = [];
  const shop = await openWithPages(({ readModels }) => ({
    rateLimit,
    readModels: Object.fromEntries(
      Object.entries(readModels).map(([name, method]: [string, (...args: never[]) => unknown]) => [
        name,
        (...args: never[]) => {
          reads.push(name);
          return method(...args);
        },
      ]),
    ) as unknown as typeof readModels,
  }));
  const productId = await addProduct(await shop.admin());
  await shop.feed.caughtUp();
  const visit = async (path: string) => {
    taken.length = 0;
    reads.length = 0;
    const { status, headers } = await pageOf(shop, path.replace(':id', productId).replace(':token', 'some'));
    const counted = taken.filter((key) => key.startsWith('address:')).length;
    return { path, status, wait: headers.get('retry-after'), counted, reads: reads.length };
  };
  const pastTheRate: Record<string, object> = {
    '/': { status: 200, reads: 0 },
    '/allproducts': { status: 200, reads: 0 },
    '/buypage/:id': { status: 200, reads: 0 },
    [ITEM_PAGE]: { status: 429, wait: '2', reads: 0 },
    '/sitemap.xml': { status: 429, wait: '2', reads: 0 },
  };
  for (const path of [...PAGES.map(({ path }) => path), '/sitemap.xml']) {
    full = false;
    const visited = await visit(path);
    expect(visited, path).toMatchObject({ status: 200 });
    expect(visited.reads > 0, path).toBe(path in pastTheRate);
    if (visited.reads > 0) expect(visited.counted, path).toBe(1);
    full = true;
    expect(await visit(path), path).toMatchObject(pastTheRate[path] ?? { status: 200, reads: 0 });
  }
});

it('G2 the site map lists every item except removed ones', async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  const [kept, gone] = [await addProduct(admin), await addProduct(admin)];
  await admin.call('DELETE', `/products/${gone}`);
  const map = String((await shop.call('GET', '/sitemap.xml')).body);
  expect(map).toContain(`<loc>${ORIGIN}/items/${kept}</loc>`);
  expect(map).not.toContain(gone);
});

it('G3 GET /similar returns the most similar items in stock, even for a removed item', async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  const like = { processor: 'Any ATX board', gpu: 'Up to 400 mm', description: 'Quiet gaming', price: 10_000 };
  const id = await addProduct(admin, { name: 'Gone', ...like });
  const products = {
    Twin: like,
    'Sold out twin': { ...like, quantity: 1, minorder: 2 },
    Dearer: { ...like, price: 90_000 },
    'Same price': { processor: 'Ryzen 7', gpu: 'RTX', description: 'Streaming', price: 10_500 },
    Cheap: { processor: 'Ryzen 5', gpu: 'GTX', description: 'Office', price: 500 },
    Cheaper: { processor: 'Ryzen 3', gpu: 'GT', description: 'School', price: 50 },
  };
  for (const [name, product] of Object.entries(products)) {
    shop.advance(1000);
    await addProduct(admin, { name, ...product });
  }
  const likeIt = async (of: string) => {
    const { body } = await shop.call('GET', `/similar?product=${of}`);
    return (body as ProductView[]).map(({ name }) => name);
  };
  const expected = ['Twin', 'Dearer', 'Same price', 'Cheap'];
  expect(await likeIt(id)).toEqual(expected);
  await admin.call('DELETE', `/products/${id}`);
  expect(await likeIt(id)).toEqual(expected);
  expect(await likeIt('0'.repeat(32))).toEqual(['Cheaper', 'Cheap', 'Same price', 'Dearer']);
  expect((await shop.call('GET', '/similar?product=tower')).status).toBe(422);
});

it('G3 GET /similar includes another item that has the same name as the requested item', async () => {
  const shop = await openWithPages();
  const admin = await shop.admin();
  const [id] = [await addProduct(admin, { name: 'Twin' }), await addProduct(admin, { name: 'Twin' })];
  expect((await shop.call('GET', `/similar?product=${id}`)).body).toMatchObject([{ name: 'Twin' }]);
});
