import { z } from 'zod';
import { count, poisha, text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';
import { orderNumberSchema } from './order-number.ts';

export const deliverySchema = z.object({ name: text, email: text, phone: text, address: text });
export type Delivery = z.infer<typeof deliverySchema>;

/**
 * A draft of an order that doesn't have its own stream yet. The draft is stored in the product's stream, and contains
 * everything that is needed to create the order's stream (ORD1). `total` is in whole taka, `price` is in poisha, and
 * times are in ISO 8601.
 */
export const orderDraftSchema = z.object({
  orderId: idSchema,
  number: orderNumberSchema,
  productId: idSchema,
  product: text,
  quantity: count,
  price: poisha,
  total: z.number().int().nonnegative(),
  placedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type OrderDraft = z.infer<typeof orderDraftSchema>;
