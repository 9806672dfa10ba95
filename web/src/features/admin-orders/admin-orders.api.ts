import { type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import type { OrderFilter } from '@micro-center/services/contracts/http.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveList } from '../../live/follow-pushes.ts';

/** The filters of the board; cancelled orders are not on it. */
export type BoardFilter = Exclude<OrderFilter, 'cancelled'>;

/** Whether an order belongs on the board under `filter`, as the server's `status` parameter has it. */
export function fitsBoard(order: OrderView, filter: BoardFilter | undefined): boolean {
  if (order.cancelledAt !== null) return false;
  if (filter === undefined) return true;
  const status = order.status === 'shipped' ? 'shipped' : order.paid ? 'paid' : 'unpaid';
  return status === filter;
}

export const adminOrdersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Everybody's orders, newest first. */
    // biome-ignore lint/suspicious/noConfusingVoidType: RTK Query takes `void` for an argument that may be left out
    listOrders: build.query<LiveList<OrderView>, BoardFilter | void>(
      liveList('order', {
        path: () => '/orders',
        // biome-ignore lint/suspicious/noConfusingVoidType: as above
        params: (filter: BoardFilter | void) => ({ status: filter ?? undefined }),
        fits: (order, filter) => fitsBoard(order, filter ?? undefined),
      }),
    ),
    /** Marks a paid order as shipped; a repeat changes nothing. */
    shipOrder: build.mutation<Updated, string>({
      query: (id) => ({ path: `/orders/${encodeURIComponent(id)}`, method: 'PUT', body: {} }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
  }),
});

export const { useListOrdersQuery, useShipOrderMutation } = adminOrdersApi;
