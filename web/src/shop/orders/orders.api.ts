import { type Deleted, deletedSchema, type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import {
  type OrderPlaced,
  orderPlacedSchema,
  promiseSchema,
  type ShippingPromise,
} from '@micro-center/services/contracts/order/order-answers.ts';
import type { DeliveryChanges, NewOrder } from '@micro-center/services/contracts/order/order-requests.ts';
import { orderViewSchema } from '@micro-center/services/contracts/order/order-view.ts';
import { timelineEntrySchema } from '@micro-center/services/contracts/order/timeline.ts';
import { type TrackingLink, trackingLinkSchema } from '@micro-center/services/contracts/tracking/tracking-answers.ts';
import * as z from 'zod/mini';
import { postOnce } from '../../api/idempotency-key.ts';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { endsDocument, refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';
import { liveAnswer, liveEntry } from '../../live/live-document.ts';

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;

/** A single order, whether or not it is cancelled. */
export const orderWith = (id: string) => liveEntry('order', id, orderPath(id));

/** A customer's orders that aren't cancelled, newest first. */
export const ordersOf = (email: string) =>
  liveList(
    'order',
    withQuery('/individual', { email }),
    (order) => order.email === email && order.cancelledAt === null,
  );

/** A customer's cancelled orders, newest first. */
export const cancelledOrdersOf = (email: string) =>
  liveAnswer(
    'order',
    withQuery('/individual', { email, status: 'cancelled', sort: 'newest' }),
    z.array(orderViewSchema),
    ({ view }) => view === null,
  );

/** The steps in an order's timeline, oldest first. */
export const timelineOf = (orderId: string) =>
  liveAnswer('order', `${orderPath(orderId)}/timeline`, z.array(timelineEntrySchema), ({ id }) => id === orderId);

/** The token of an order's tracking link, or null while the order isn't shared. */
export const trackingLinkOf = (orderId: string) =>
  liveAnswer('order', `${orderPath(orderId)}/tracking`, trackingLinkSchema, ({ id }) => id === orderId);

const ordersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** `key` is sent as the Idempotency-Key header, so that repeating a submission doesn't place a second order. */
    placeOrder: build.mutation<OrderPlaced, { key: string; order: NewOrder }>({
      query: ({ key, order }) => postOnce('/orders', key, order),
      responseSchema: orderPlacedSchema,
      onQueryStarted: refetchUnlessLive('order', 'product'),
    }),
    /** Cancels an unpaid order and removes its row from every list. */
    cancelOrder: build.mutation<Deleted, string>({
      query: (id) => ({ path: orderPath(id), method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: endsDocument('order'),
    }),
    /** Corrects the phone number and address of an order that isn't shipped yet. */
    changeDelivery: build.mutation<Updated, { orderId: string; changes: DeliveryChanges }>({
      query: ({ orderId, changes }) => ({ path: `${orderPath(orderId)}/delivery`, method: 'PUT', body: changes }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
    shareTracking: build.mutation<TrackingLink, string>({
      query: (orderId) => ({ path: `${orderPath(orderId)}/tracking`, method: 'POST' }),
      responseSchema: trackingLinkSchema,
    }),
    withdrawTracking: build.mutation<Deleted, string>({
      query: (orderId) => ({ path: `${orderPath(orderId)}/tracking`, method: 'DELETE' }),
      responseSchema: deletedSchema,
    }),
    /** How many of this month's paid orders were shipped within a day, or null if there are too few orders for a useful figure. */
    getPromise: build.query<ShippingPromise | null, void>({ query: () => '/promise', responseSchema: promiseSchema }),
  }),
});

export const {
  usePlaceOrderMutation,
  useCancelOrderMutation,
  useChangeDeliveryMutation,
  useShareTrackingMutation,
  useWithdrawTrackingMutation,
  useGetPromiseQuery,
} = ordersApi;

/** The path of an order's own page. */
export const orderPagePath = (id: string) => `/dashboard/myorders/${id}`;
