import { DEMO_PRODUCTS, type DemoProduct } from '../../../infra/seed/goods.ts';
import { DEMO_REVIEWS, type DemoReview } from '../../../infra/seed/reviews.ts';
import type { CommandHandler } from '../../command-handler/command-handler.ts';
import { toPoisha } from '../../contracts/money.ts';
import { productDecider } from '../../domain/product/decide-product.ts';
import { reviewDecider } from '../../domain/review/decide-review.ts';
import { userIdOf } from '../../identity/user-id.ts';

const ACTOR = 'system:demo-data';

/** Appends the demo goods and reviews that are not there yet, at the times of their data. Changed or removed ones stay so. */
export async function seedDemoData(handler: CommandHandler, userIdSecret: string): Promise<void> {
  await Promise.all(DEMO_PRODUCTS.map((product) => seedProduct(handler, product)));
  await Promise.all(DEMO_REVIEWS.map((review) => seedReview(handler, review, userIdSecret)));
}

async function seedProduct(handler: CommandHandler, { id, addedAt, quantity, ...details }: DemoProduct): Promise<void> {
  if ((await handler.load(productDecider, id)).version > 0) return;
  const price = toPoisha(details.price);
  const command = { type: 'AddProduct', details: { ...details, price }, quantity } as const;
  await handler.execute(productDecider, id, command, metaOf(id, addedAt));
}

/** The writers of demo reviews are no users: their ids come from e-mails that nobody can sign in with. */
async function seedReview(
  handler: CommandHandler,
  { id, postedAt, ...review }: DemoReview,
  userIdSecret: string,
): Promise<void> {
  if ((await handler.load(reviewDecider, id)).version > 0) return;
  const author = userIdOf(`review-${id}@micro-center.invalid`, userIdSecret);
  await handler.execute(reviewDecider, id, { type: 'PostReview', author, ...review }, metaOf(id, postedAt));
}

function metaOf(id: string, time: string) {
  return { cause: `seed:${id}`, actor: ACTOR, correlationId: `seed:${id}`, time };
}
