import { promiseSchema, type ShippingPromise } from '../../contracts/answers.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { defineRoute, type Route } from '../route.ts';

/** Fewer orders promise nothing. */
const FEWEST_ORDERS = 20;
const KEPT_FOR_MS = 60_000;

interface Kept {
  readonly until: number;
  readonly promise: Promise<ShippingPromise | null>;
}
/** The last answer of each store, so that no number of visitors counts more than once a minute. */
const kept = new WeakMap<ApiDependencies['readModels'], Kept>();

async function count({ readModels }: ApiDependencies, now: number): Promise<ShippingPromise | null> {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  const counted = await readModels.shippedInADay(isoTime(Date.UTC(year, month)), isoTime(now));
  return counted.orders < FEWEST_ORDERS ? null : counted;
}

function promiseOf(shop: ApiDependencies): Kept['promise'] {
  const now = shop.clock();
  const last = kept.get(shop.readModels);
  if (last && now < last.until) return last.promise;
  const promise = count(shop, now);
  kept.set(shop.readModels, { until: now + KEPT_FOR_MS, promise });
  // A failure is not kept.
  promise.catch(() => kept.delete(shop.readModels));
  return promise;
}

const getPromise = defineRoute({
  method: 'GET',
  path: '/promise',
  summary: 'How many of the orders paid this month (UTC) were shipped within a day; null below 20 orders',
  access: 'public',
  answer: { status: 200, schema: promiseSchema },
  serve: async (shop) => ({ body: await promiseOf(shop) }),
});

export const promiseRoutes: readonly Route[] = [getPromise];
