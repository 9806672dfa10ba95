import { promiseSchema, type ShippingPromise } from '../../contracts/order/order-answers.ts';
import { cacheResults } from '../../http/cache-results.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { isoTime } from '../../runtime/clock.ts';
import { ordersByShipping } from './order-documents.ts';

/** The minimum number of orders that a shipping promise is based on. With fewer orders, the shop makes no promise. */
const FEWEST_ORDERS = 20;
/** Orders are counted at most once a minute, regardless of the number of visitors. */
const CACHE_MS = 60_000;
const DAY_MS = 86_400_000;

const cachedPromise = cacheResults<ShippingPromise | null>(CACHE_MS);

async function count({ readModels, clock }: ApiDependencies): Promise<ShippingPromise | null> {
  const now = clock();
  const since = isoTime(Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()));
  const [inTime = 0, late = 0, overdue = 0] = await Promise.all(
    [
      ordersByShipping('in time', since),
      ordersByShipping('late', since),
      ordersByShipping('open', since, isoTime(now - DAY_MS)),
    ].map((query) => readModels.count(query)),
  );
  const counted = { orders: inTime + late + overdue, inTime };
  return counted.orders < FEWEST_ORDERS ? null : counted;
}

const getPromise = defineRoute({
  method: 'GET',
  path: '/promise',
  summary:
    'Returns how many of the orders paid this month (UTC) were shipped within a day, or null for fewer than 20 orders. Unshipped orders count only after their first day',
  access: 'public',
  answer: { status: 200, schema: promiseSchema },
  serve: async (shop) => ({ body: await cachedPromise(shop, '', () => count(shop)) }),
});

export const promiseRoutes: readonly Route[] = [getPromise];
