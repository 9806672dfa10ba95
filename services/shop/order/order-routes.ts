import { z } from 'zod';
import { deletedSchema, updatedSchema } from '../../contracts/answers.ts';
import { idSchema } from '../../contracts/ids.ts';
import { toPoisha } from '../../contracts/money.ts';
import { orderPlacedSchema } from '../../contracts/order/order-answers.ts';
import {
  deliveryChangesSchema,
  individualQuerySchema,
  type NewOrder,
  newOrderSchema,
  orderQuerySchema,
  timelineQuerySchema,
} from '../../contracts/order/order-requests.ts';
import { orderViewSchema } from '../../contracts/order/order-view.ts';
import { timelineEntrySchema } from '../../contracts/order/timeline.ts';
import { created, deleted, doneOrRefused, updated } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { documentTarget } from '../../http/document-target.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { cachedListPage } from '../../http/response-cache.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { isoTime } from '../../runtime/clock.ts';
import { productsNamed } from '../product/product-documents.ts';
import { countChange } from './count-change-flow.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderState } from './order.ts';
import { orderList } from './order-documents.ts';
import type { OrderNumbers } from './order-numbers-flow.ts';
import { orderTimeline, timelineForAdmins } from './order-timeline-flow.ts';
import { orderView } from './order-view.ts';
import { placeOrder } from './place-order-flow.ts';

declare module '../../http/dependencies.ts' {
  interface ApiDependencies {
    readonly numbers: OrderNumbers;
  }
}

/** The order whose id is in the path, with all events of its stream. Its customer owns it. */
export const orderTarget = documentTarget('order', ({ customer }) => customer);

const listOrders = defineRoute({
  method: 'GET',
  path: '/orders',
  summary: 'Lists all orders with a given status. Without a status, lists all orders that are not cancelled',
  access: 'admin',
  query: orderQuerySchema,
  answer: { status: 200, schema: z.array(orderViewSchema) },
  problems: ['overloaded'],
  serve: (shop, { query, url }) => cachedListPage(shop, { query: orderList(query), view: orderView }, query, url),
});

const individualOrders = defineRoute({
  method: 'GET',
  path: '/individual',
  summary: "Lists a customer's orders with a given status. Without a status, lists those that are not cancelled",
  access: 'owner-or-admin',
  query: individualQuerySchema,
  target: {
    in: 'query',
    async find(shop, { email }) {
      const userId = await shop.accounts.idOf(email);
      return { userId, document: { customer: userId } };
    },
  },
  answer: { status: 200, schema: z.array(orderViewSchema) },
  async serve(shop, { query: { email: _, ...request }, document: { customer }, url }) {
    return cachedListPage(shop, { query: orderList({ ...request, customer }), view: orderView }, request, url);
  },
});

const getOrder = defineRoute({
  method: 'GET',
  path: '/orders/:id',
  summary: 'Returns one order, even if it is cancelled',
  access: 'owner-or-admin',
  target: orderTarget,
  answer: { status: 200, schema: orderViewSchema },
  serve: async (_shop, { document }) => ({ body: orderView(document) }),
});

const getTimeline = defineRoute({
  method: 'GET',
  path: '/orders/:id/timeline',
  summary: 'Returns the timeline of an order, oldest entry first. Admins also see who caused each entry',
  access: 'owner-or-admin',
  query: timelineQuerySchema,
  target: orderTarget,
  answer: { status: 200, schema: z.array(timelineEntrySchema) },
  serve: async (shop, { session, document }) => ({
    body: await (session.role === 'admin' ? timelineForAdmins(shop, document) : orderTimeline(shop, document.id)),
  }),
});

/**
 * Returns the id of the product that an order request identifies by id or by a unique name. If a request that gives a
 * name is retried, returns the same product as for the first attempt, even if another product has that name now (CMD3).
 */
async function productIdOf(shop: ApiDependencies, orderId: string, body: NewOrder): Promise<string> {
  if (body.productId !== undefined) {
    if (idSchema.safeParse(body.productId).success) return body.productId;
    throw new RequestRefused('not_found', { detail: 'There is no such product.' });
  }
  const { state } = await shop.handler.load(orderDecider, orderId);
  if (state.status !== 'absent') {
    if (state.product === body.product) return state.productId;
    throw new RequestRefused('idempotency_key_reused');
  }
  await shop.readYourWrites.caughtUp('product');
  const [only, ...others] = await shop.readModels.find(productsNamed(body.product));
  if (only === undefined || others.length > 0) throw new RequestRefused('unknown_product');
  return only.id;
}

/**
 * Returns the number of a placed order. Refuses a retry that states a different price (CMD3), because the decider can't
 * detect that difference. @throws RequestRefused
 */
function placedNumber(state: OrderState, price: number | undefined): string {
  if (state.status === 'absent') throw new Error('A placed order is absent.');
  if (price !== undefined && state.price !== toPoisha(price)) throw new RequestRefused('idempotency_key_reused');
  return state.number;
}

const createOrder = defineRoute({
  method: 'POST',
  path: '/orders',
  summary: "Places an order. Reduces the product's stock by the ordered quantity and computes the total",
  access: 'signed-in',
  body: newOrderSchema,
  answer: { status: 201, schema: orderPlacedSchema },
  idempotent: true,
  problems: [
    'forbidden',
    'not_found',
    'price_changed',
    'quantity_out_of_range',
    'total_too_large',
    'unknown_product',
    'too_many_unpaid_orders',
    'orders_too_fast',
  ],
  async serve(shop, exchange) {
    const { session, body } = exchange;
    const { name, email, phone, address, quantity, price } = body;
    if (email !== session.email) throw new RequestRefused('forbidden');
    const { userId } = session;
    const orderId = exchange.creationId();
    const now = shop.clock();
    const { maxUnpaidOrders: maxUnpaid } = shop.settings;
    const outcome = await placeOrder(
      shop,
      {
        type: 'ReduceStock',
        orderId,
        productId: await productIdOf(shop, orderId, body),
        quantity,
        seenPrice: price === undefined ? undefined : toPoisha(price),
        userId,
        delivery: { name, email, phone, address },
        placedAt: isoTime(now),
        expiresAt: isoTime(now + shop.settings.unpaidOrderTtlMs),
      },
      { actor: userId, correlationId: exchange.requestId, time: isoTime(now) },
      maxUnpaid === 0 ? null : { holdId: exchange.requestId, maxUnpaid, emailVerified: session.emailVerified },
    );
    const number = placedNumber(doneOrRefused(outcome).state, price);
    return created('/orders', orderId, outcome, { number });
  },
});

const changeDelivery = defineRoute({
  method: 'PUT',
  path: '/orders/:id/delivery',
  summary: 'Changes the phone number or address of an order until it is shipped',
  access: 'owner-or-admin',
  body: deliveryChangesSchema,
  target: orderTarget,
  answer: { status: 200, schema: updatedSchema },
  problems: ['order_shipped', 'order_cancelled', 'order_erased', 'changes_too_fast'],
  async serve(shop, exchange) {
    const { params, body, document } = exchange;
    const changes = {
      ...(body.phone !== undefined && body.phone !== document.phone && { phone: body.phone }),
      ...(body.address !== undefined && body.address !== document.address && { address: body.address }),
    };
    const isOpen = document.status === 'unpaid' || document.status === 'paid';
    // Changes that will be refused or have no effect don't count toward the limit on changes.
    if (isOpen && Object.keys(changes).length > 0) await countChange(shop, exchange);
    const meta = commandMeta(shop, exchange, 'delivery');
    return updated(await shop.handler.execute(orderDecider, params.id, { type: 'ChangeDelivery', changes }, meta));
  },
});

const cancelOrder = defineRoute({
  method: 'DELETE',
  path: '/orders/:id',
  summary: 'Cancels an order that is unpaid or can never be shipped, and returns its pieces to the stock',
  access: 'owner-or-admin',
  target: orderTarget,
  answer: { status: 200, schema: deletedSchema },
  problems: ['order_paid'],
  async serve(shop, exchange) {
    const { params, document, session } = exchange;
    const command = {
      type: 'CancelOrder',
      ...(session.userId !== document.customer && { by: 'admin' as const }),
    } as const;
    return deleted(await shop.handler.execute(orderDecider, params.id, command, commandMeta(shop, exchange, 'cancel')));
  },
});

export const orderRoutes: readonly Route[] = [
  listOrders,
  individualOrders,
  getOrder,
  getTimeline,
  createOrder,
  changeDelivery,
  cancelOrder,
];
