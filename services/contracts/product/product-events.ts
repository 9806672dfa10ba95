import { z } from 'zod';
import { count, poisha, text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';
import { deliverySchema, orderDraftSchema } from '../order/order-draft.ts';

/** A product's details, without its stock. The price is in poisha. */
export const productDetailsSchema = z.object({
  name: text,
  img1: text,
  img2: text,
  processor: text,
  gpu: text,
  rated: text,
  description: text,
  price: poisha,
  minorder: count,
});
export type ProductDetails = z.infer<typeof productDetailsSchema>;

/** The events of a product's stream. */
export const productEvents = {
  ProductAdded: productDetailsSchema.extend({ quantity: z.number().int().nonnegative() }),
  ProductChanged: z.object({ changes: productDetailsSchema.partial() }),
  ProductRemoved: z.object({}),
  StockReduced: z.object({ draft: orderDraftSchema, person: idSchema, personal: deliverySchema }),
  StockReturned: z.object({ orderId: idSchema, quantity: count }),
  StockAdjusted: z.object({ by: z.number().int() }),
} as const;
