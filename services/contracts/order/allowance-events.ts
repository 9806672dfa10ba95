import { z } from 'zod';
import { count, text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';

/** The events of a person's allowance, and of the shop's order numbers. */
export const allowanceEvents = {
  HoldPlaced: z.object({
    holdId: text,
    orderId: idSchema,
    productId: idSchema,
    quantity: count,
    placedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
  HoldsReleased: z.object({ holdIds: z.array(text).min(1) }),
  ReviewCounted: z.object({ reviewId: idSchema, at: z.iso.datetime() }),
  /** appended to a person's allowance stream before each change to a delivery, a tracking link or a profile (CMD8) */
  ChangeCounted: z.object({ at: z.iso.datetime() }),
  /** appended to the single stream of order numbers; only the process that reserved a number may assign it to an order */
  OrderNumbersReserved: z.object({ first: count, count }),
} as const;
