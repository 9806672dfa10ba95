import * as z from 'zod/mini';
import { orderViewSchema, reviewViewSchema, timelineEntrySchema, userViewSchema } from './views.ts';

/** All that is kept about a person, in plain form (ERASE1). Times in ISO 8601, prices in taka; amounts in `events` in poisha. */
export const personExportSchema = z.object({
  exportedAt: z.string(),
  profile: userViewSchema,
  orders: z.array(
    z.object({
      order: orderViewSchema,
      /** ids of its payments at the payment provider */
      payments: z.array(z.string()),
      timeline: z.array(timelineEntrySchema),
    }),
  ),
  reviews: z.array(reviewViewSchema),
  /** what the log holds of them, stream by stream, oldest first */
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
