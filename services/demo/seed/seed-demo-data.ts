import { toPoisha } from '../../contracts/money.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { userIdOf } from '../../identity/user-id.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import { reviewDecider } from '../../shop/review/review.ts';
import { DEMO_PRODUCTS, type DemoProduct } from './goods.ts';
import { DEMO_REVIEWS, type DemoReview } from './reviews.ts';

const ACTOR = 'system:demo-data';

/**
 * Adds the demo products and reviews that have never been added before. Their dates come from the demo data. Products
 * and reviews that have since been changed or removed are left alone.
 */
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

/** The authors of demo reviews aren't users. Their ids are derived from `.invalid` addresses, which nobody can sign in with. */
async function seedReview(
  handler: CommandHandler,
  { id, postedAt, ...review }: DemoReview,
  userIdSecret: string,
): Promise<void> {
  if ((await handler.load(reviewDecider, id)).version > 0) return;
  const userId = userIdOf(`review-${id}@micro-center.invalid`, userIdSecret);
  await handler.execute(reviewDecider, id, { type: 'PostReview', userId, ...review }, metaOf(id, postedAt));
}

function metaOf(id: string, time: string) {
  return { cause: `seed:${id}`, actor: ACTOR, correlationId: `seed:${id}`, time };
}
