import type { BoardCounts } from '../../contracts/order/order-answers.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { orderList } from './order-documents.ts';

/** The maximum number of search results that are counted. */
export const MOST_COUNTED = 1_000;

/** Counts orders by status, except cancelled orders. In a search, a count is null if it might exceed `MOST_COUNTED`. */
export async function countOrders(readModels: ReadModels, q = ''): Promise<BoardCounts> {
  if (q === '') {
    const { unpaid = 0, paid = 0, shipped = 0 } = await readModels.countByValue('order');
    return { all: unpaid + paid + shipped, unpaid, paid, shipped };
  }
  const found = (status: OrderDocument['status']) =>
    readModels.countUpTo(orderList({ status, q, sort: 'newest' }), MOST_COUNTED);
  const [unpaid, paid, shipped] = await Promise.all([found('unpaid'), found('paid'), found('shipped')]);
  const all = unpaid === null || paid === null || shipped === null ? null : unpaid + paid + shipped;
  return { all, unpaid, paid, shipped };
}
