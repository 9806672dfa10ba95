import { z } from 'zod';
import { long, pageQuerySchema, short } from '../request-fields.ts';
import { ratingSchema } from './rating.ts';

export const newReviewSchema = z.object({
  /** the item's name */
  name: short.min(1),
  ratings: ratingSchema,
  username: short.min(1),
  description: long.min(1),
});
export type NewReview = z.infer<typeof newReviewSchema>;

export const reviewQuerySchema = pageQuerySchema.extend({ name: short.min(1).optional() });
