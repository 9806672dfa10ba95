import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { takaSchema } from '../money.ts';
import { phoneSchema } from '../phone.ts';
import { emailSchema, pageQuerySchema, searchSchema, short, versionSchema, wholeNumber } from '../request-fields.ts';
import { carrierSchema, trackingNumberSchema } from './carriers.ts';
import { WITHDRAWAL_REASONS } from './order-reasons.ts';

export const newOrderSchema = z.object({
  name: short.min(1),
  email: emailSchema,
  phone: phoneSchema,
  address: z.string().trim().min(1).max(500),
  /** the product's name */
  product: short.min(1),
  productId: z.string().optional(),
  quantity: wholeNumber,
  /** the unit price that the shopper saw, in taka */
  price: z.optional(takaSchema),
  /** ignored, because the server computes the total */
  totalPrice: z.number().optional(),
});
export type NewOrder = z.infer<typeof newOrderSchema>;

/** Absent fields stay unchanged. */
export const deliveryChangesSchema = newOrderSchema.pick({ phone: true, address: true }).partial();
export type DeliveryChanges = z.infer<typeof deliveryChangesSchema>;

export const parcelSchema = z.object({ carrier: carrierSchema, trackingNumber: trackingNumberSchema });

/**
 * `version` is the order version that the admin saw. Send the carrier and the tracking number together, or omit both
 * and add them later.
 */
export const shippingSchema = parcelSchema
  .partial()
  .extend({ version: versionSchema.optional() })
  .refine(({ carrier, trackingNumber }) => (carrier === undefined) === (trackingNumber === undefined), {
    message: 'Send a carrier and a tracking number together.',
    path: ['trackingNumber'],
  });
export type Shipping = z.infer<typeof shippingSchema>;

const MAX_ORDERS = 200;
const severalOrders = <Order extends z.ZodType<{ id: string }>>(order: Order) =>
  z.object({
    orders: z
      .array(order)
      .min(1)
      .max(MAX_ORDERS)
      .refine((orders) => new Set(orders.map(({ id }) => id)).size === orders.length, {
        message: 'Name each order only once.',
      }),
  });

export const newShipmentsSchema = severalOrders(z.object({ id: idSchema, version: versionSchema }));
export type NewShipments = z.infer<typeof newShipmentsSchema>;

/** `shipment` is the number of the shipment to withdraw. It's required so that a repeated request can't withdraw a later shipment. */
export const withdrawalSchema = z.object({
  shipment: wholeNumber.positive(),
  reason: z.enum(WITHDRAWAL_REASONS).optional(),
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;

export const newWithdrawalsSchema = severalOrders(withdrawalSchema.extend({ id: idSchema }));
export type NewWithdrawals = z.infer<typeof newWithdrawalsSchema>;

/** Clients of version 0.1.0 send `kinds=all`. The shop ignores the parameter, which goes with the version after 0.2.0. */
export const timelineQuerySchema = z.object({ kinds: z.enum(['all']).optional() });
const ORDER_FILTERS = ['unpaid', 'paid', 'shipped', 'cancelled'] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

export const orderQuerySchema = pageQuerySchema.extend({ q: searchSchema, status: z.enum(ORDER_FILTERS).optional() });

export const individualQuerySchema = pageQuerySchema.extend({
  email: emailSchema,
  status: z.enum(ORDER_FILTERS).optional(),
});

export const boardCountsQuerySchema = z.object({ q: searchSchema });
const MOST_CHOSEN = 100;

/** `ids` is a comma-separated list of order ids. */
export const boardOrdersQuerySchema = z.object({
  ids: z
    .string()
    .transform((ids) => ids.split(','))
    .pipe(z.array(idSchema).max(MOST_CHOSEN)),
});

export const boardExportQuerySchema = orderQuerySchema.pick({ q: true, status: true });
