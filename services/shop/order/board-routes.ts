import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { DHAKA_OFFSET_MS } from '../../contracts/dhaka-time.ts';
import type { Query } from '../../contracts/document-queries.ts';
import { CARRIERS } from '../../contracts/order/carriers.ts';
import {
  type BoardCounts,
  type BoardToday,
  boardCountsSchema,
  boardTodaySchema,
} from '../../contracts/order/order-answers.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import {
  boardCountsQuerySchema,
  boardExportQuerySchema,
  boardOrdersQuerySchema,
} from '../../contracts/order/order-requests.ts';
import { type OrderView, orderViewSchema } from '../../contracts/order/order-view.ts';
import { currentDocument } from '../../engine/projector/current-document.ts';
import type { Page } from '../../engine/read-models/read-models.ts';
import { cacheResults } from '../../http/cache-results.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../http/csv.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { isoTime } from '../../runtime/clock.ts';
import { productList } from '../product/product-documents.ts';
import { countOrders } from './count-orders-flow.ts';
import { orderList, ordersPaid, ordersPlaced } from './order-documents.ts';
import { orderView } from './order-view.ts';

const CACHE_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The number of orders that an export reads at a time. It is small enough that other requests aren't delayed. */
const EXPORTED_AT_ONCE = 200;

/** The maximum number of selected orders that are read concurrently. */
const READ_AT_ONCE = 16;

const cachedCounts = cacheResults<BoardCounts>(CACHE_MS);
const cachedToday = cacheResults<BoardToday>(CACHE_MS);

function countsOf(shop: ApiDependencies, q: string): Promise<BoardCounts> {
  return cachedCounts(shop, q, async () => {
    await shop.readYourWrites.caughtUp('order');
    return countOrders(shop.readModels, q);
  });
}

const getCounts = defineRoute({
  method: 'GET',
  path: '/board/counts',
  summary: 'Counts the orders in each filter of the board, with an optional search. Counts are cached for one second',
  access: 'admin',
  query: boardCountsQuerySchema,
  answer: { status: 200, schema: boardCountsSchema },
  problems: ['overloaded'],
  serve: async (shop, { query }) => ({ body: await countsOf(shop, query.q ?? '') }),
});

function todayOf(shop: ApiDependencies): Promise<BoardToday> {
  return cachedToday(shop, '', async () => {
    const { readModels, readYourWrites, clock } = shop;
    await Promise.all([readYourWrites.caughtUp('order'), readYourWrites.caughtUp('product')]);
    const now = clock();
    const midnight = now - ((now + DHAKA_OFFSET_MS) % DAY_MS);
    const thisHour = now - (now % HOUR_MS);
    const hours = Array.from({ length: 24 }, (_, index) => thisHour - (23 - index) * HOUR_MS);
    const [placed, revenue, waiting, [longest], lowStock] = await Promise.all([
      Promise.all(hours.map((hour) => readModels.count(ordersPlaced(isoTime(hour), isoTime(hour + HOUR_MS))))),
      readModels.sum(ordersPaid(isoTime(midnight)), 'keptPoisha'),
      countsOf(shop, ''),
      readModels.find(orderList({ status: 'paid', sort: 'oldest' }), { limit: 1 }),
      readModels.count(productList({ stock: 'low', sort: 'newest' })),
    ]);
    const byHour = hours.map((hour, index) => ({ hour, orders: placed[index] ?? 0 }));
    const ofToday = byHour.filter(({ hour }) => hour >= midnight);
    return {
      orders: ofToday.reduce((sum, { orders }) => sum + orders, 0),
      revenue: Math.floor(revenue / 100),
      longestWaitSince: longest?.createdAt ?? null,
      waiting: waiting.paid ?? 0,
      lowStock,
      hours: byHour.map(({ hour, orders }) => ({ hour: isoTime(hour), orders })),
    };
  });
}

const getToday = defineRoute({
  method: 'GET',
  path: '/board/today',
  summary:
    'Returns orders and revenue in taka since midnight (Dhaka time), orders waiting to be shipped and when the oldest was placed, products low in stock, and orders per hour of the last 24 hours',
  access: 'admin',
  answer: { status: 200, schema: boardTodaySchema },
  serve: async (shop) => ({ body: await todayOf(shop) }),
});

const getChosen = defineRoute({
  method: 'GET',
  path: '/board/orders',
  summary: 'Returns up to 100 orders by id, including cancelled orders. Unknown ids are ignored',
  access: 'admin',
  query: boardOrdersQuerySchema,
  answer: { status: 200, schema: z.array(orderViewSchema) },
  async serve(shop, { query: { ids } }) {
    const orders = await pLimit(READ_AT_ONCE).map(ids, (id) => currentDocument(shop, 'order', id));
    return { body: orders.filter((order) => order !== null).map(orderView) };
  },
});

type Cell = (view: OrderView, order: OrderDocument) => string | number;
const COLUMNS: Readonly<Record<string, Cell>> = {
  number: ({ number }) => number,
  'placed (Asia/Dhaka)': ({ placedAt }) => localTime(placedAt),
  paid: ({ paidAt }) => localTime(paidAt),
  shipped: ({ shippedAt }) => localTime(shippedAt),
  product: ({ product }) => product,
  quantity: ({ quantity }) => quantity,
  'unit price': ({ price }) => price,
  total: ({ totalPrice }) => totalPrice,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  address: ({ address }) => address,
  status: (_view, { status }) => status,
  carrier: ({ carrier }) => (carrier === null ? '' : CARRIERS[carrier].name),
  'tracking number': ({ trackingNumber }) => trackingNumber ?? '',
};

/** Formats a time as Dhaka local time, in a form that spreadsheets recognize: `2026-02-03 10:05:06`. */
function localTime(time: string | null): string {
  return time === null
    ? ''
    : isoTime(Date.parse(time) + DHAKA_OFFSET_MS)
        .slice(0, 19)
        .replace('T', ' ');
}

function lineOf(order: OrderDocument): string {
  const view = orderView(order);
  return csvLine(Object.values(COLUMNS).map((cell) => cell(view, order)));
}

/** Yields an export's lines. Each page of orders is read only after the client has received the previous page. */
async function* linesOf(
  { readModels }: ApiDependencies,
  query: Query<'order'>,
  first: Page<OrderDocument>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS));
  let page = first;
  for (;;) {
    yield page.items.map(lineOf).join('');
    if (page.next === null) return;
    // Without this pause, an export to a fast client would block all other requests.
    await setImmediate();
    page = await readModels.page(query, { limit: EXPORTED_AT_ONCE, cursor: page.next });
  }
}

const exportOrders = defineRoute({
  method: 'GET',
  path: '/board/export',
  summary: 'Exports all orders that match a filter and a search of the board as CSV, oldest first',
  access: 'admin',
  query: boardExportQuerySchema,
  answer: { status: 200, mediaType: 'text/csv; charset=utf-8' },
  problems: ['overloaded'],
  async serve(shop, { query }) {
    await shop.readYourWrites.caughtUp('order');
    const chosen = orderList({ ...query, sort: 'oldest' });
    const first = await shop.readModels.page(chosen, { limit: EXPORTED_AT_ONCE });
    const day = localTime(isoTime(shop.clock())).slice(0, 10);
    return {
      headers: { 'Content-Disposition': `attachment; filename="micro-center-orders-${day}.csv"` },
      body: linesOf(shop, chosen, first),
    };
  },
});

export const boardRoutes: readonly Route[] = [getCounts, getToday, getChosen, exportOrders];
