import { addProduct, inParallel } from '../shop-client.fixture.ts';
import { type BenchShop, payer, place, withShop } from './bench-shop.ts';
import type { Family, Figures } from './family.ts';
import { closedLoop } from './open-loop.ts';

const AT_ONCE = [1, 16, 64];
const GOALS = [100, 250, 300];
const SECONDS = 6;
const UNITS = 100;
const BUYERS = 2_000;
const OF_SHOP = 'processor ms per paid order, shop';
const OF_STRIPE = 'processor ms per paid order, local Stripe';
const SALE = `s for ${BUYERS} buyers of ${UNITS} units, each winner pays`;

const rateName = (atOnce: number) => `paid orders/s, ${atOnce} at once`;

/**
 * Measures how fast orders are placed, paid for through the local Stripe simulator and recorded as paid, and how much
 * CPU time this takes.
 */
export const paying: Family = {
  name: 'pay',
  goals: {
    ...Object.fromEntries(AT_ONCE.map((atOnce, n) => [rateName(atOnce), String(GOALS[n])])),
    [OF_SHOP]: '2.5',
    [OF_STRIPE]: '1.5',
    [SALE]: '0.8',
  },
  measure: (root) =>
    withShop(root, async (shop) => {
      const one = await paidOrder(shop);
      await closedLoop(16, 3, one);
      const figures: Record<string, number> = {};
      let paid = 0;
      const before = shop.worked();
      for (const atOnce of AT_ONCE) {
        const { took, perSecond } = await closedLoop(atOnce, SECONDS, one);
        figures[rateName(atOnce)] = perSecond;
        paid += took.length;
      }
      const after = shop.worked();
      figures[OF_SHOP] = (after.shop - before.shop) / paid;
      figures[OF_STRIPE] = (after.stripe - before.stripe) / paid;
      return { ...figures, ...(await flashSale(shop)) };
    }),
};

/**
 * Returns a function that places and pays for one order. The function's argument `n` selects the order's buyer and
 * product.
 */
export async function paidOrder({ url, buyers, products }: BenchShop): Promise<(n: number) => Promise<void>> {
  const pay = await payer(url);
  return async (n) => {
    const buyer = buyers[n % buyers.length];
    const product = products[n % products.length];
    if (buyer && product) await pay(buyer, await place(url, buyer, product));
  };
}

async function flashSale({ url, admin, buyers }: BenchShop): Promise<Figures> {
  const scarce = await addProduct(admin, { quantity: UNITS });
  const pay = await payer(url);
  let won = 0;
  const began = performance.now();
  await inParallel(BUYERS, 64, async (n) => {
    const buyer = buyers[n % buyers.length];
    if (!buyer) return;
    // Once every unit is sold, the remaining buyers are refused.
    const order = await place(url, buyer, scarce).catch(() => null);
    if (order === null) return;
    won += 1;
    await pay(buyer, order);
  });
  if (won !== UNITS) throw new Error(`${won} units were sold instead of ${UNITS}.`);
  return { [SALE]: (performance.now() - began) / 1_000 };
}
