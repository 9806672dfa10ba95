import { z } from 'zod';
import { phoneSchema, productFields, ratingSchema } from './forms.ts';
import { idSchema } from './ids.ts';
import { MAX_LEDGER_DAYS } from './ledger/ledger.ts';
import { MAX_TOTAL_TAKA, takaSchema } from './money.ts';
import { carrierSchema, trackingNumberSchema } from './order/carriers.ts';
import { GRANT_REASONS, WITHDRAWAL_REASONS } from './order/order-reasons.ts';
import { LONGEST_SEARCH, PRODUCT_ORDERS } from './search-text.ts';

const short = z.string().trim().max(200);
const long = z.string().trim().max(4000);
const wholeNumber = z.number().int().max(1_000_000);
const versionSchema = z.number().int().positive();

export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const idempotencyKeySchema = z.string().min(1).max(200);

export const productChangesSchema = z
  .object({ ...productFields, version: versionSchema })
  .partial()
  .refine((changes) => changes.quantity === undefined || changes.version !== undefined, {
    message: 'To change the quantity, send the version that you saw.',
    path: ['version'],
  });
export type ProductChanges = z.infer<typeof productChangesSchema>;

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

/** Clients of version 0.1.0 send `kinds=all`. The shop ignores the parameter, which goes with the version after 0.2.0. */
export const timelineQuerySchema = z.object({ kinds: z.enum(['all']).optional() });

const MAX_NOTE = 500;
/**
 * A refund of an order's payment. `amount` is in taka, and `version` is the order version that the admin saw. If `cancel`
 * is true, the order is cancelled as well, which is possible only if nothing of its payment is left.
 */
export const newRefundSchema = z.object({
  amount: takaSchema,
  reason: z.enum(GRANT_REASONS),
  note: z.string().trim().max(MAX_NOTE).default(''),
  version: versionSchema,
  cancel: z.boolean().default(false),
});
export type NewRefund = z.input<typeof newRefundSchema>;

export const newWithdrawalsSchema = severalOrders(withdrawalSchema.extend({ id: idSchema }));
export type NewWithdrawals = z.infer<typeof newWithdrawalsSchema>;

/**
 * A client's report that an order has been paid. The report is never trusted: the server looks up the payment intent in
 * Stripe (PAY1).
 */
export const paymentReportSchema = z.object({
  order: z.string().optional(),
  transactionId: z.string().regex(/^pi_[A-Za-z0-9_]{1,200}$/),
});
export type PaymentReport = z.infer<typeof paymentReportSchema>;

export const newPaymentIntentSchema = z.object({
  orderId: z.string(),
  totalPrice: z.number().int().nonnegative().max(MAX_TOTAL_TAKA),
});
export type NewPaymentIntent = z.infer<typeof newPaymentIntentSchema>;

/** The first request after sign-in contains only the e-mail address. A request that saves the profile contains the fields to change. */
export const userSaveSchema = z.object({
  email: emailSchema.optional(),
  address: z.string().trim().max(500).optional(),
  phone: z.union([z.literal(''), phoneSchema]).optional(),
  education: short.optional(),
  social: z.string().trim().max(500).optional(),
});
export type UserSave = z.infer<typeof userSaveSchema>;

export const newReviewSchema = z.object({
  /** the item's name */
  name: short.min(1),
  ratings: ratingSchema,
  username: short.min(1),
  description: long.min(1),
});
export type NewReview = z.infer<typeof newReviewSchema>;

const SORTS = ['oldest', 'newest'] as const;
const ORDER_FILTERS = ['unpaid', 'paid', 'shipped', 'cancelled'] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** The maximum number of rows on a page. A larger `limit` is reduced to this number. */
const MAX_PAGE = 1000;
export const pageQuerySchema = z.object({
  limit: z.coerce
    .number()
    .int()
    .positive()
    .default(MAX_PAGE)
    .transform((limit) => Math.min(limit, MAX_PAGE)),
  /** 2,000 characters are enough for a base64-encoded cursor whose sort key has 200 escaped characters. */
  cursor: z.string().max(2000).optional(),
  sort: z.enum(SORTS).default('oldest'),
});

const searchSchema = z.string().trim().max(LONGEST_SEARCH).optional();
export const productQuerySchema = pageQuerySchema.extend({
  q: searchSchema,
  order: z.enum(PRODUCT_ORDERS).optional(),
  inStock: z
    .enum(['0', '1', 'true', 'false'])
    .transform((flag) => flag === '1' || flag === 'true')
    .optional(),
  stock: z.enum(['low']).optional(),
});
export const orderQuerySchema = pageQuerySchema.extend({ q: searchSchema, status: z.enum(ORDER_FILTERS).optional() });
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
const dayText = z.iso.date();
const MAX_MONTHS_IN_DAYS = 1_100;
const DAY_MS = 86_400_000;
const daysOf = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
const isPeriod = (most: number) => (query: { from: string; to: string }) => daysOf(query) >= 1 && daysOf(query) <= most;

/** `from` and `to` are days in Dhaka, such as `2026-03-01`; both are included. */
export const ledgerQuerySchema = z
  .object({ from: dayText, to: dayText, show: z.enum(['open', 'all']).default('all') })
  .refine(isPeriod(MAX_LEDGER_DAYS), { message: `A period has 1 to ${MAX_LEDGER_DAYS} days.`, path: ['to'] });
export const ledgerPeriodsQuerySchema = z
  .object({ from: dayText, to: dayText, by: z.enum(['day', 'month']).default('day') })
  .refine(isPeriod(MAX_MONTHS_IN_DAYS), { message: `A period has 1 to ${MAX_MONTHS_IN_DAYS} days.`, path: ['to'] });
export const asideSchema = z.object({ note: z.string().trim().max(MAX_NOTE) });

export const reviewQuerySchema = pageQuerySchema.extend({ name: short.min(1).optional() });
export const userQuerySchema = pageQuerySchema.extend({ q: searchSchema });
export const individualQuerySchema = pageQuerySchema.extend({
  email: emailSchema,
  status: z.enum(ORDER_FILTERS).optional(),
});
/** `product` is the id of the product for which to find similar products. */
export const similarQuerySchema = z.object({ product: idSchema });
export const productByNameQuerySchema = z.object({ name: short.min(1) });
