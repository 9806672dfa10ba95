import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { newReviewSchema, pageQuerySchema } from '../../contracts/http.ts';
import { reviewViewSchema } from '../../contracts/views.ts';
import { reviewDecider } from '../../domain/review/decide-review.ts';
import { reviewView } from '../../read-models/views.ts';
import { created, doneOrRefused, pageAnswer } from '../answers.ts';
import { idOfCreation } from '../idempotency.ts';
import { commandMeta, defineRoute, type Route } from '../route.ts';
import { idPath, reviewTarget } from '../targets.ts';

const listReviews = defineRoute({
  method: 'GET',
  path: '/reviews',
  summary: 'All reviews',
  access: 'public',
  query: pageQuerySchema,
  answer: { status: 200, schema: z.array(reviewViewSchema) },
  async serve(shop, { query, url }) {
    await shop.recentAppends.settled('review');
    return pageAnswer(await shop.readModels.listReviews(query), reviewView, url);
  },
});

const getReview = defineRoute({
  method: 'GET',
  path: '/reviews/:id',
  summary: 'One review',
  access: 'public',
  params: idPath,
  target: reviewTarget,
  answer: { status: 200, schema: reviewViewSchema },
  serve: async (_shop, { document }) => ({ body: reviewView(document) }),
});

const postReview = defineRoute({
  method: 'POST',
  path: '/reviews',
  summary: 'Posts a review',
  access: 'signed-in',
  body: newReviewSchema,
  answer: { status: 201, schema: createdSchema },
  idempotent: true,
  async serve(shop, exchange) {
    const { session, body } = exchange;
    const { userId } = session;
    const key = exchange.idempotencyKey();
    const id = idOfCreation(shop.settings.idempotencySecret, { userId, route: 'POST /reviews', key });
    const meta = commandMeta(shop, exchange, userId, `post:${id}`);
    const command = { type: 'PostReview', author: userId, ...body } as const;
    return created('/reviews', id, doneOrRefused(await shop.handler.execute(reviewDecider, id, command, meta)));
  },
});

export const reviewRoutes: readonly Route[] = [listReviews, getReview, postReview];
