import {
  type Deleted,
  deletedSchema,
  type OrderPlaced,
  orderPlacedSchema,
} from '@micro-center/services/contracts/answers.ts';
import type { NewOrder } from '@micro-center/services/contracts/http.ts';
import {
  type OrderView,
  orderViewSchema,
  type TimelineEntry,
  timelineEntrySchema,
} from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveAnswer, liveEntry, liveList } from '../../live/follow-pushes.ts';

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;

export const ordersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** One order, cancelled ones too. */
    getOrder: build.query<OrderView, string>(liveEntry('order', { id: (id: string) => id, path: orderPath })),
    /** The orders of one customer that are not cancelled, newest first. */
    listMyOrders: build.query<LiveList<OrderView>, string>(
      liveList('order', {
        path: () => '/individual',
        params: (email: string) => ({ email }),
        fits: (order, email) => order.email === email && order.cancelledAt === null,
      }),
    ),
    /** The cancelled orders of one customer, newest first. */
    listCancelledOrders: build.query<OrderView[], string>({
      ...liveAnswer<string>('order', { tag: (email) => `cancelled/${email}`, concerns: (push) => push.view === null }),
      query: (email) => withQuery('/individual', { email, status: 'cancelled', sort: 'newest' }),
      responseSchema: z.array(orderViewSchema),
    }),
    /** The steps of one order, oldest first. */
    getTimeline: build.query<TimelineEntry[], string>({
      ...liveAnswer<string>('order', { tag: (id) => `timeline/${id}`, concerns: (push, id) => push.id === id }),
      query: (id) => `${orderPath(id)}/timeline`,
      responseSchema: z.array(timelineEntrySchema),
    }),
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

export const {
  useGetOrderQuery,
  useListMyOrdersQuery,
  useListCancelledOrdersQuery,
  useGetTimelineQuery,
  usePlaceOrderMutation,
  useCancelOrderMutation,
} = ordersApi;
