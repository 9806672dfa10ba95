import * as z from 'zod/mini';
import { isoTime, version, wholeNumber } from '../view-fields.ts';

/** A product as clients see it. `price` is in taka, and `quantity` is the number of pieces in stock. */
export const productViewSchema = z.object({
  _id: z.string(),
  name: z.string(),
  img1: z.string(),
  img2: z.string(),
  processor: z.string(),
  gpu: z.string(),
  rated: z.string(),
  description: z.string(),
  price: z.number(),
  quantity: wholeNumber,
  minorder: wholeNumber,
  addedAt: isoTime,
  version,
});
export type ProductView = z.infer<typeof productViewSchema>;
