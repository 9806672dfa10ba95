import * as z from 'zod/mini';
import { isoTime, version } from '../view-fields.ts';

export const reviewViewSchema = z.object({
  _id: z.string(),
  /** the item's name */
  name: z.string(),
  ratings: z.number(),
  username: z.string(),
  description: z.string(),
  postedAt: isoTime,
  version,
});
export type ReviewView = z.infer<typeof reviewViewSchema>;
