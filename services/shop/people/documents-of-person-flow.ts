import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ReviewDocument } from '../../contracts/review/review-document.ts';
import type { Page, PageRequest, ReadModels } from '../../engine/read-models/read-models.ts';

const PAGE = 1_000;

export async function ordersOf(readModels: Pick<ReadModels, 'listOrders'>, userId: string): Promise<OrderDocument[]> {
  const listed = await everyPage((page) => readModels.listOrders({ ...page, customer: userId }));
  const cancelled = await everyPage((page) =>
    readModels.listOrders({ ...page, customer: userId, status: 'cancelled' }),
  );
  return [...listed, ...cancelled];
}

/**
 * Returns every projected review by this user. Reads everyone's reviews, which is acceptable because only an export
 * calls this function.
 */
export async function reviewsOf(
  readModels: Pick<ReadModels, 'listReviews'>,
  userId: string,
): Promise<ReviewDocument[]> {
  const all = await everyPage((page) => readModels.listReviews(page));
  return all.filter((review) => review.author === userId);
}

async function everyPage<T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: PAGE, sort: 'oldest', cursor });
    all.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
