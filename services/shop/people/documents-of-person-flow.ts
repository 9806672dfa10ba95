import type { Query } from '../../contracts/document-queries.ts';
import type { Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { ReviewDocument } from '../../contracts/review/review-document.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { orderList } from '../order/order-documents.ts';
import { reviewList } from '../review/review-documents.ts';

const PAGE = 1_000;

export async function ordersOf(readModels: Pick<ReadModels, 'page'>, userId: string): Promise<OrderDocument[]> {
  const listed = await everyPage(readModels, orderList({ customer: userId, sort: 'oldest' }));
  const cancelled = await everyPage(readModels, orderList({ customer: userId, status: 'cancelled', sort: 'oldest' }));
  return [...listed, ...cancelled];
}

/**
 * Returns every projected review by this user. Reads everyone's reviews, which is acceptable because only an export
 * calls this function.
 */
export async function reviewsOf(readModels: Pick<ReadModels, 'page'>, userId: string): Promise<ReviewDocument[]> {
  const all = await everyPage(readModels, reviewList({ sort: 'oldest' }));
  return all.filter((review) => review.author === userId);
}

async function everyPage<K extends DocumentKind>(
  readModels: Pick<ReadModels, 'page'>,
  query: Query<K>,
): Promise<Documents[K][]> {
  const all: Documents[K][] = [];
  let cursor: string | undefined;
  do {
    const page = await readModels.page(query, { limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
