import { afterEach, expect, it } from 'vitest';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();

let counting = false;
afterEach(() => {
  counting = false;
});

/** Starts counting passes of the event loop, and returns a function that returns the count. */
function countPasses(): () => number {
  let passes = 0;
  counting = true;
  const pass = () => {
    passes += 1;
    if (counting) setImmediate(pass);
  };
  setImmediate(pass);
  return () => passes;
}

it('RATE1 at most one page is built per iteration of the event loop', async () => {
  const madeIn: number[] = [];
  const passes = countPasses();
  const shop = await open(({ readModels }) => ({
    readModels: {
      ...readModels,
      page: (query, request) => {
        madeIn.push(passes());
        return readModels.page(query, request);
      },
    },
  }));
  const { productId } = await stockedShop(shop);
  madeIn.length = 0;
  const paths = Array.from({ length: 30 }, (_, n) => [`/products?limit=${n + 1}`, `/products?q=tower&limit=${n + 1}`]);
  await Promise.all([...paths.flat(), `/similar?product=${productId}`].map((path) => shop.call('GET', path)));
  expect(madeIn).toHaveLength(61);
  expect(new Set(madeIn).size).toBe(61);
});
