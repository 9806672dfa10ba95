import { type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import type { OrderFilter } from '@micro-center/services/contracts/http.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import type { OrderView } from '@micro-center/services/contracts/views.ts';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';

/** The filters of the board; cancelled orders are not on it. */
export type BoardFilter = Exclude<OrderFilter, 'cancelled'>;

/** Which orders the board shows; all of them where neither is set. */
export interface BoardView {
  status?: BoardFilter | undefined;
  q?: string | undefined;
}

/** Whether an order belongs on the board, as the server's `status` and `q` parameters have it. */
export function fitsBoard(order: OrderView, { status, q }: BoardView): boolean {
  if (order.cancelledAt !== null) return false;
  if (q !== undefined && !isFoundBy(searchTexts.order(order._id, order), q)) return false;
  if (status === undefined) return true;
  return status === (order.status === 'shipped' ? 'shipped' : order.paid ? 'paid' : 'unpaid');
}

/** Everybody's orders, newest first. */
export const boardOrders = ({ status, q }: BoardView) =>
  liveList('order', withQuery('/orders', { status, q }), (order) => fitsBoard(order, { status, q }));

const adminOrdersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Marks a paid order as shipped; a repeat changes nothing. */
    shipOrder: build.mutation<Updated, string>({
      query: (id) => ({ path: `/orders/${encodeURIComponent(id)}`, method: 'PUT', body: {} }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('order'),
    }),
  }),
});

export const { useShipOrderMutation } = adminOrdersApi;
