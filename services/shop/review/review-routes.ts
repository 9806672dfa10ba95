import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { newReviewSchema, reviewQuerySchema } from '../../contracts/review/review-requests.ts';
import { reviewViewSchema } from '../../contracts/review/review-view.ts';
import { created, doneOrRefused } from '../../http/answers.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { documentTarget } from '../../http/document-target.ts';
import { idOfCreation } from '../../http/idempotency.ts';
import { cachedListPage } from '../../http/response-cache.ts';
import { commandMeta, defineRoute, type Route } from '../../http/route.ts';
import { allowanceDecider } from '../order/decide-allowance.ts';
import { reviewDecider } from './review.ts';
import { reviewList } from './review-documents.ts';
import { reviewView } from './review-view.ts';

const listReviews = defineRoute({
  method: 'GET',
  path: '/reviews',
  summary: 'Lists all reviews, or those of the item with exactly the given name',
  access: 'public',
  query: reviewQuerySchema,
  answer: { status: 200, schema: z.array(reviewViewSchema) },
  serve: (shop, { query, url }) => cachedListPage(shop, { query: reviewList(query), view: reviewView }, query, url),
});

const getReview = defineRoute({
  method: 'GET',
  path: '/reviews/:id',
  summary: 'Returns one review',
  access: 'public',
  target: documentTarget('review'),
  answer: { status: 200, schema: reviewViewSchema },
  serve: async (_shop, { document }) => ({ body: reviewView(document) }),
});

const postReview = defineRoute({
  method: 'POST',
  path: '/reviews',
  summary: "Posts a review in the caller's name, or replaces the caller's earlier review of the same item",
  access: 'signed-in',
  body: newReviewSchema,
  answer: { status: 201, schema: createdSchema },
  idempotent: true,
  problems: ['reviews_too_fast'],
  async serve(shop, exchange) {
    const { session, body } = exchange;
    const { userId } = session;
    const meta = commandMeta(shop, exchange, 'post', exchange.creationId());
    // A customer has one review stream per item (REV1).
    const item = `item:${body.name.toLowerCase().replace(/\s+/g, ' ')}`;
    const id = idOfCreation(shop.secrets.idempotency, { userId, route: 'POST /reviews', key: item });
    const count = { type: 'CountReview', reviewId: id, at: meta.time } as const;
    doneOrRefused(await shop.handler.execute(allowanceDecider, userId, count, meta));
    const command = { type: 'PostReview', userId, ...body, username: await nameOf(shop, session) } as const;
    return created('/reviews', id, await shop.handler.execute(reviewDecider, id, command, meta));
  },
});

/**
 * Returns the caller's name as last reported by the identity provider, or the local part of the e-mail address if there
 * is no name.
 */
async function nameOf(shop: ApiDependencies, { userId, email }: Caller): Promise<string> {
  const account = await shop.accounts.find(userId);
  return account?.name || email.replace(/@.*$/, '');
}

export const reviewRoutes: readonly Route[] = [listReviews, getReview, postReview];
