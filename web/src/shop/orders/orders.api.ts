import {
  type Deleted,
  deletedSchema,
  type OrderPlaced,
  orderPlacedSchema,
} from '@micro-center/services/contracts/answers.ts';
import type { NewOrder } from '@micro-center/services/contracts/http.ts';
import { orderViewSchema, timelineEntrySchema } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';
import { liveAnswer, liveEntry } from '../../live/live-document.ts';

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;

/** One order, cancelled ones too. */
export const orderWith = (id: string) => liveEntry('order', id, orderPath(id));

/** The orders of one customer that are not cancelled, newest first. */
export const ordersOf = (email: string) =>
  liveList(
    'order',
    withQuery('/individual', { email }),
    (order) => order.email === email && order.cancelledAt === null,
  );

/** The cancelled orders of one customer, newest first. */
export const cancelledOrdersOf = (email: string) =>
  liveAnswer(
    'order',
    withQuery('/individual', { email, status: 'cancelled', sort: 'newest' }),
    z.array(orderViewSchema),
    ({ view }) => view === null,
  );

/** The steps of one order, oldest first. */
export const timelineOf = (orderId: string) =>
  liveAnswer('order', `${orderPath(orderId)}/timeline`, z.array(timelineEntrySchema), ({ id }) => id === orderId);

const ordersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** `key` makes a repeat of the same submission place one order. */
    placeOrder: build.mutation<OrderPlaced, { key: string; order: NewOrder }>({
      query: ({ key, order }) => ({
        path: '/orders',
        method: 'POST',
        body: order,
        headers: { 'idempotency-key': key },
      }),
      responseSchema: orderPlacedSchema,
      onQueryStarted: refetchUnlessLive('order', 'product'),
    }),
    /** Cancels an unpaid order and takes its row from every list. */
    cancelOrder: build.mutation<Deleted, string>({
      query: (id) => ({ path: orderPath(id), method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: endsDocument('order'),
    }),
  }),
});

export const { usePlaceOrderMutation, useCancelOrderMutation } = ordersApi;

/** Path of an order's own page. */
export const orderPagePath = (id: string) => `/dashboard/myorders/${id}`;
