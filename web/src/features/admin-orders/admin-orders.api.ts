import { type Deleted, deletedSchema, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import type { Carrier } from '@micro-center/services/contracts/order/carriers.ts';
import {
  boardCountsSchema,
  boardTodaySchema,
  shipmentOutcomesSchema,
  withdrawalOutcomesSchema,
} from '@micro-center/services/contracts/order/order-answers.ts';
import type {
  NewShipments,
  NewWithdrawals,
  OrderFilter,
  Shipping,
  Withdrawal,
} from '@micro-center/services/contracts/order/order-requests.ts';
import { type OrderView, orderViewSchema } from '@micro-center/services/contracts/order/order-view.ts';
import { timelineEntrySchema } from '@micro-center/services/contracts/order/timeline.ts';
import { type PackingClaim, packingClaimSchema } from '@micro-center/services/contracts/packing/packing.ts';
import type { NewRefund } from '@micro-center/services/contracts/payment/payment-requests.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import * as z from 'zod/mini';
import { postOnce } from '../../api/idempotency-key.ts';
import { type ShopRequest, shopApi, withQuery } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';
import { liveEntries } from '../../live/live-document.ts';
import { packingListed, selectLive } from '../../live/live-slice.ts';

/** The board's status filters. There is none for cancelled orders, because the board never shows them. */
export type BoardFilter = Exclude<OrderFilter, 'cancelled'>;

/** Which orders the board shows. If neither field is set, the board shows all orders that aren't cancelled. */
export interface BoardView {
  status?: BoardFilter | undefined;
  q?: string | undefined;
}

/**
 * Whether an order belongs on a board with this filter and search. The server applies the same rules to its `status`
 * and `q` parameters.
 */
export function fitsBoard(order: OrderView, { status, q }: BoardView): boolean {
  if (order.cancelledAt !== null) return false;
  if (q !== undefined && !isFoundBy(searchTexts.order(order._id, order), q)) return false;
  if (status === undefined) return true;
  return status === (order.status === 'shipped' ? 'shipped' : order.paid ? 'paid' : 'unpaid');
}

/** Whether an order is waiting to be delivered. An order whose money went back isn't (ORD14). */
export const isToDeliver = (order: OrderView): boolean =>
  order.paid && order.status !== 'shipped' && order.cancelledAt === null && order.heldBack === undefined;

/**
 * How much of an order's payment can still be refunded, in taka, also after the order was cancelled, because a bank can send
 * a refund back. `moneyBack` is absent if nothing was given back.
 */
export const leftToRefund = ({ paid, totalPrice, moneyBack }: OrderView): number =>
  moneyBack?.left ?? (paid ? totalPrice : 0);

/**
 * All customers' orders, newest first. The list of orders to deliver is sorted oldest first instead, because the oldest
 * order should ship next.
 */
export const boardOrders = ({ status, q }: BoardView) =>
  liveList('order', withQuery('/orders', { status, q }), (order) => fitsBoard(order, { status, q }), {
    sort: status === 'paid' ? 'oldest' : 'newest',
  });

/** The maximum number of order ids that the shop accepts in one request. */
const CHOSEN_AT_ONCE = 100;

/**
 * Returns live resources (`LiveEntry`) for the orders with these ids, including cancelled orders. Each resource
 * contains up to 100 orders.
 */
export const chosenOrders = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / CHOSEN_AT_ONCE) }, (_, index) => {
    const some = ids.slice(index * CHOSEN_AT_ONCE, (index + 1) * CHOSEN_AT_ONCE);
    return liveEntries('order', some, withQuery('/board/orders', { ids: some.join(',') }));
  });

/**
 * The path of the page that shows these orders' packing slips. The ids are in the fragment, because a long list of ids
 * would make a request's URL too long.
 */
export const slipsOf = (ids: readonly string[]): string => `/dashboard/slips#${ids.join(',')}`;

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;
const packingPath = (id: string) => `/packing/${encodeURIComponent(id)}`;

interface ShopRoot {
  [shopApi.reducerPath]: ReturnType<typeof shopApi.reducer>;
}

const adminOrdersApi = shopApi.injectEndpoints({
  endpoints: (build) => {
    /** Defines a mutation that changes orders. */
    const command = <Answer, Asked>(
      responseSchema: z.ZodMiniType<Answer, Answer>,
      query: (asked: Asked) => ShopRequest,
    ) => build.mutation<Answer, Asked>({ query, responseSchema, onQueryStarted: refetchUnlessLive('order') });
    /** Defines a query whose result is dropped as soon as no component uses it. */
    const question = <Answer, Asked>(responseSchema: z.ZodMiniType<Answer, Answer>, query: (asked: Asked) => string) =>
      build.query<Answer, Asked>({ query, responseSchema, keepUnusedDataFor: 0 });
    return {
      /**
       * Marks a paid order as shipped if it is still at the version that the admin saw. Also records the carrier and
       * tracking number if they are given. A retry changes nothing.
       */
      shipOrder: command(updatedSchema, ({ id, ...shipping }: { id: string } & Shipping) => ({
        path: orderPath(id),
        method: 'PUT',
        body: shipping,
      })),
      /**
       * Marks up to 200 orders as shipped. Skips orders that are no longer at the version that the admin saw. A retry
       * with the same key ships only the orders that the first attempt didn't ship.
       */
      shipOrders: command(shipmentOutcomesSchema, ({ key, orders }: { key: string } & NewShipments) =>
        postOnce('/shipments', key, { orders }),
      ),
      /** Records the carrier and tracking number of a shipped order, in place of any earlier ones. */
      recordParcel: command(
        updatedSchema,
        ({ id, ...parcel }: { id: string; carrier: Carrier; trackingNumber: string }) => ({
          path: `${orderPath(id)}/parcel`,
          method: 'PUT',
          body: parcel,
        }),
      ),
      /**
       * Grants a refund, if the order is still at the version that the admin saw. A retry with the same key never refunds
       * twice (PAY8).
       */
      refundOrder: command(updatedSchema, ({ id, key, ...refund }: { id: string; key: string } & NewRefund) =>
        postOnce(`${orderPath(id)}/refunds`, key, refund),
      ),
      /** Undoes a shipment. The shop allows this for 30 seconds without a reason, and for 15 minutes with a reason. */
      withdrawShipment: command(updatedSchema, ({ id, ...withdrawal }: { id: string } & Withdrawal) => ({
        path: `${orderPath(id)}/withdrawal`,
        method: 'POST',
        body: withdrawal,
      })),
      /**
       * Undoes up to 200 shipments, within the same time limits as `withdrawShipment`. A retry with the same key never
       * undoes a shipment twice.
       */
      withdrawShipments: command(withdrawalOutcomesSchema, ({ key, orders }: { key: string } & NewWithdrawals) =>
        postOnce('/withdrawals', key, { orders }),
      ),
      getTimelineNow: question(z.array(timelineEntrySchema), (id: string) => `${orderPath(id)}/timeline`),
      /**
       * Finds the order with this number. In rare cases, finds two orders, because orders that were placed before the
       * shop assigned order numbers may share a number.
       */
      findOrders: question(z.array(orderViewSchema), (number: string) =>
        withQuery('/orders', { q: number, sort: 'oldest', limit: 2 }),
      ),
      /** Lists the orders that the other admins are packing. */
      getPacking: build.query<PackingClaim[], void>({
        query: () => '/packing',
        // Don't retry, because the caller, `usePackingIsOff`, does its own polling.
        extraOptions: { retryCondition: () => false },
        responseSchema: z.array(packingClaimSchema),
        keepUnusedDataFor: 0,
        async onQueryStarted(_, { dispatch, getState, queryFulfilled }) {
          const before = selectLive(getState() as unknown as Parameters<typeof selectLive>[0]).packing;
          const claims = await queryFulfilled.catch(() => null);
          if (claims !== null) dispatch(packingListed(claims.data, before));
        },
      }),
      /** Tells the other admins that the signed-in admin is packing an order. The claim lasts two minutes. */
      claimPacking: build.mutation<PackingClaim, string>({
        query: (id) => ({ path: packingPath(id), method: 'PUT' }),
        responseSchema: packingClaimSchema,
      }),
      releasePacking: build.mutation<Deleted, string>({
        query: (id) => ({ path: packingPath(id), method: 'DELETE' }),
        responseSchema: deletedSchema,
      }),
      getBoardCounts: question(boardCountsSchema, (q: string | undefined) => withQuery('/board/counts', { q })),
      getBoardToday: question(boardTodaySchema, () => '/board/today'),
    };
  },
});

export const {
  useShipOrderMutation,
  useShipOrdersMutation,
  useRefundOrderMutation,
  useRecordParcelMutation,
  useWithdrawShipmentMutation,
  useWithdrawShipmentsMutation,
  useGetPackingQuery,
  useClaimPackingMutation,
  useReleasePackingMutation,
  useGetBoardCountsQuery,
  useGetBoardTodayQuery,
} = adminOrdersApi;

/**
 * Options for a query whose result is used once and never rendered. RTK Query's lazy hook isn't used, because each
 * request sent with the hook would abort the previous request.
 */
const ONCE = { subscribe: false, forceRefetch: true };
export const fetchTimeline = (id: string) => adminOrdersApi.endpoints.getTimelineNow.initiate(id, ONCE);
export const findOrders = (number: string) => adminOrdersApi.endpoints.findOrders.initiate(number, ONCE);

const MOVING = new Set<string | undefined>(['shipOrders', 'withdrawShipments']);

/** Whether the board is currently shipping several orders or undoing shipments. */
export const selectIsMoving = ({ [shopApi.reducerPath]: { mutations } }: ShopRoot): boolean =>
  Object.values(mutations).some((one) => one?.status === 'pending' && MOVING.has(one.endpointName));
