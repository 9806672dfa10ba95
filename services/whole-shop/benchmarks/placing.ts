import { withShop } from './bench-shop.ts';
import type { Family, Figures } from './family.ts';
import { type Load, placeOrders, type Stretch } from './place-orders.ts';

const AT_ONCE = 64;
const WARM_UP = { seconds: 3 };
const MEASURED = { seconds: 6 };
const RATE = `orders placed/s over 100 products, ${AT_ONCE} at once`;
const P99 = `their p99, ms`;

/** Measures how many orders a shop accepts per second, compared with an Express server that responds with 201 and stores nothing. */
export const placing: Family = {
  name: 'place',
  goals: { [RATE]: '40 % of the floor', [P99]: '60' },
  measure: (root) =>
    withShop(root, async (shop) => {
      const load = { urls: [shop.url], buyers: shop.buyers, atOnce: AT_ONCE };
      const spread = await measured({ ...load, products: shop.products });
      const one = await measured({ ...load, products: shop.buyers.map(() => shop.products[0] ?? '') });
      return { ...figures(spread), [`orders placed/s of one product, ${AT_ONCE} at once`]: one.perSecond };
    }),
  async floor(url) {
    const nobody = { email: 'nobody@bench.test', token: 'none', call: () => Promise.reject(new Error('no calls')) };
    return figures(await measured({ urls: [url], buyers: [nobody], products: ['product'], atOnce: AT_ONCE }));
  },
};

async function measured(load: Omit<Load, 'amount'>): Promise<Stretch> {
  await placeOrders({ ...load, amount: WARM_UP });
  const stretch = await placeOrders({ ...load, amount: MEASURED });
  if (stretch.refused > 0) throw new Error(`${stretch.refused} orders were refused, so the measurement is invalid.`);
  return stretch;
}

const figures = ({ perSecond, p99 }: Stretch): Figures => ({ [RATE]: perSecond, [P99]: p99 });
