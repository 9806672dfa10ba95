import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idSchema } from '../../contracts/ids.ts';
import { MAX_TOTAL_TAKA, toPoisha, totalTaka } from '../../contracts/money.ts';
import { newProductSchema } from '../../contracts/product/product-form.ts';
import { newReviewSchema } from '../../contracts/review/review-requests.ts';
import { DEMO_PRODUCTS } from './goods.ts';
import { DEMO_REVIEWS } from './reviews.ts';

const publicFile = (path: string) => new URL(`../../../web/public/${path}`, import.meta.url);

const publicFolder = (folder: string) => readdirSync(publicFile(folder)).map((file) => `${folder}/${file}`);
const PICTURES = ['logo.svg', ...publicFolder('banner'), ...publicFolder('casings')];

/** Returns whether a product is a complete build rather than a casing. Only a build comes with its power supply fitted. */
const isBuild = (rated: string) => rated.endsWith(', fitted');

describe('demo products', () => {
  it.each(DEMO_PRODUCTS)(
    'C10 the demo product $name would be accepted if an admin posted it',
    ({ id, addedAt, ...product }) => {
      expect(newProductSchema.parse(product)).toEqual(product);
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(new Date(addedAt).toISOString()).toBe(addedAt);
    },
  );

  it.each(DEMO_PRODUCTS)(
    'the minimum order of the demo product $name is in stock and costs less than the maximum order total',
    ({ price, minorder, quantity }) => {
      expect(quantity).toBeGreaterThanOrEqual(minorder);
      expect(totalTaka(toPoisha(price), minorder)).toBeLessThan(MAX_TOTAL_TAKA);
    },
  );

  it.each(DEMO_PRODUCTS)(
    'the demo product $name has a realistic price, stock and minimum order quantity',
    ({ rated, price, quantity, minorder }) => {
      const [least, most] = isBuild(rated) ? [48_000, 320_000] : [3_500, 24_000];
      expect(price).toBeGreaterThanOrEqual(least);
      expect(price).toBeLessThanOrEqual(most);
      expect([quantity >= 3, quantity <= 120, minorder <= 10]).toEqual([true, true, true]);
    },
  );

  it('there are at least 12 demo products, including casings and complete builds, and no two share a name, id, date or picture', () => {
    expect(DEMO_PRODUCTS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(DEMO_PRODUCTS.map(({ rated }) => isBuild(rated))).size).toBe(2);
    for (const field of ['name', 'id', 'img1', 'img2', 'addedAt'] as const) {
      expect(new Set(DEMO_PRODUCTS.map((product) => product[field])).size, field).toBe(DEMO_PRODUCTS.length);
    }
  });

  it('the demo products are sorted newest first, as in the shop', () => {
    const times = DEMO_PRODUCTS.map(({ addedAt }) => addedAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each(DEMO_PRODUCTS)('H4 the image files for both pictures of the demo product $name exist', ({ img1, img2 }) => {
    for (const address of [img1, img2]) expect(existsSync(publicFile(address.slice(1))), address).toBe(true);
  });
});

describe('demo reviews', () => {
  const names = new Set(DEMO_PRODUCTS.map(({ name }) => name));

  it.each(DEMO_REVIEWS)(
    'C21 the demo review by $username would be accepted if a shopper posted it',
    ({ id, postedAt, ...review }) => {
      expect(newReviewSchema.parse(review)).toEqual(review);
      expect(idSchema.parse(id)).toHaveLength(32);
      expect(new Date(postedAt).toISOString()).toBe(postedAt);
      expect(names).toContain(review.name);
    },
  );

  it('H7 there are more demo reviews than the carousel shows at once, sorted newest first, with unique ids and varied ratings', () => {
    expect(DEMO_REVIEWS.length).toBeGreaterThan(5);
    expect(new Set(DEMO_REVIEWS.map(({ id }) => id)).size).toBe(DEMO_REVIEWS.length);
    const times = DEMO_REVIEWS.map(({ postedAt }) => postedAt);
    expect(times).toEqual([...new Set(times)].sort().reverse());
    expect(new Set(DEMO_REVIEWS.slice(0, 5).map(({ ratings }) => ratings)).size).toBeGreaterThan(2);
  });
});

describe('pictures', () => {
  it('H4 every picture in public/casings belongs to a demo product', () => {
    const shown = DEMO_PRODUCTS.flatMap(({ img1, img2 }) => [img1, img2]).sort();
    const kept = readdirSync(publicFile('casings')).map((file) => `/casings/${file}`);
    expect(kept.sort()).toEqual(shown);
  });

  it.each(PICTURES)('the picture %s is a small, self-contained SVG file without scripts', (path) => {
    const drawn = readFileSync(publicFile(path), 'utf8');
    expect(drawn.length).toBeLessThan((path.startsWith('banner/') ? 16 : 12) * 1024);
    expect(drawn).not.toMatch(/<(script|text|image|foreignObject|style)\b|NaN|undefined| on\w+=/);
    expect(drawn.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toContain('//');
    const ids = new Set([...drawn.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const references = [...drawn.matchAll(/(?:url\(|href=")#([\w-]+)/g)].map(([, id]) => id);
    expect(references.filter((id) => !ids.has(id))).toEqual([]);
    expect([...drawn.matchAll(/\sid="/g)]).toHaveLength(ids.size);
  });
});
