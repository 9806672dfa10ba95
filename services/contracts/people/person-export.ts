import * as z from 'zod/mini';
import { orderViewSchema } from '../order/order-view.ts';
import { timelineEntrySchema } from '../order/timeline.ts';
import { reviewViewSchema } from '../review/review-view.ts';
import { userViewSchema } from './user-view.ts';

/** Everything the shop stores about a person (ERASE1). Prices are in taka, except in `events`, where they are in poisha. */
export const personExportSchema = z.object({
  exportedAt: z.string(),
  profile: userViewSchema,
  orders: z.array(
    z.object({
      order: orderViewSchema,
      payments: z.array(z.string()),
      timeline: z.array(timelineEntrySchema),
    }),
  ),
  reviews: z.array(reviewViewSchema),
  events: z.array(
    z.object({
      type: z.string(),
      time: z.string(),
      subject: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type PersonExport = z.infer<typeof personExportSchema>;
