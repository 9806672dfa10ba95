import * as z from 'zod/mini';

/** What the API answers beside views. Browsers parse these, so they use the small Zod, which adds less to a page. */

const wholeNumber = z.number().check(z.int());

export const createdSchema = z.object({ acknowledged: z.literal(true), insertedId: z.string(), version: wholeNumber });
export type Created = z.infer<typeof createdSchema>;

export const orderPlacedSchema = z.extend(createdSchema, { number: z.string() });
export type OrderPlaced = z.infer<typeof orderPlacedSchema>;

export const updatedSchema = z.object({
  acknowledged: z.literal(true),
  matchedCount: wholeNumber,
  modifiedCount: wholeNumber,
  version: wholeNumber,
});
export type Updated = z.infer<typeof updatedSchema>;

export const userSavedSchema = z.extend(updatedSchema, { token: z.string() });
export type UserSaved = z.infer<typeof userSavedSchema>;

export const deletedSchema = z.object({ acknowledged: z.literal(true), deletedCount: wholeNumber });
export type Deleted = z.infer<typeof deletedSchema>;

/** One order of several that was refused. */
const refusedOutcomeSchema = z.object({
  id: z.string(),
  outcome: z.literal('refused'),
  /** as of a refused request */
  code: z.string(),
  title: z.string(),
  /** the order's present one, where another was seen */
  version: z.optional(wholeNumber),
});
export type RefusedOutcome = z.infer<typeof refusedOutcomeSchema>;

/** One order of a `POST /shipments`: `by` and `at` say who shipped it before, and when. */
export const shipmentOutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ id: z.string(), outcome: z.literal('shipped'), version: wholeNumber, shipment: wholeNumber }),
  z.object({
    id: z.string(),
    outcome: z.literal('already_shipped'),
    by: z.string(),
    at: z.iso.datetime(),
    version: wholeNumber,
  }),
  refusedOutcomeSchema,
]);
export type ShipmentOutcome = z.infer<typeof shipmentOutcomeSchema>;
export const shipmentOutcomesSchema = z.array(shipmentOutcomeSchema);

/** One order of a `POST /withdrawals`: `version` is the order's, without that shipment. */
export const withdrawalOutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ id: z.string(), outcome: z.literal('withdrawn'), version: wholeNumber }),
  refusedOutcomeSchema,
]);
export type WithdrawalOutcome = z.infer<typeof withdrawalOutcomeSchema>;
export const withdrawalOutcomesSchema = z.array(withdrawalOutcomeSchema);

/** The token of an order's tracking link; null while it is not shared. */
export const trackingLinkSchema = z.object({ token: z.nullable(z.string()) });
export type TrackingLink = z.infer<typeof trackingLinkSchema>;

export const adminAnswerSchema = z.object({ admin: z.boolean() });

/** Of `orders` paid this month, `inTime` were shipped within a day; null while there are too few to say. */
export const promiseSchema = z.nullable(z.object({ orders: wholeNumber, inTime: wholeNumber }));
export type ShippingPromise = NonNullable<z.infer<typeof promiseSchema>>;

/**
 * How many orders the board's filters hold; `all` is the three together, without cancelled ones. Null where a search finds too
 * many to count.
 */
export const boardCountsSchema = z.object({
  all: z.nullable(wholeNumber),
  unpaid: z.nullable(wholeNumber),
  paid: z.nullable(wholeNumber),
  shipped: z.nullable(wholeNumber),
});
export type BoardCounts = z.infer<typeof boardCountsSchema>;

/** The shop's day, which begins at midnight in Dhaka. Cancelled orders are not counted. */
export const boardTodaySchema = z.object({
  /** placed today */
  orders: wholeNumber,
  /** of today's payments, less what was or will be refunded of them; in taka */
  revenue: wholeNumber,
  /** when the oldest order was placed that is paid and not shipped; null without one */
  longestWaitSince: z.nullable(z.iso.datetime()),
  /** orders that are paid and not shipped */
  waiting: wholeNumber,
  /** products that are low on stock (isLowStock) */
  lowStock: wholeNumber,
  /** orders placed in each of the last 24 hours, the present one last */
  hours: z.array(z.object({ hour: z.iso.datetime(), orders: wholeNumber })),
});
export type BoardToday = z.infer<typeof boardTodaySchema>;

export const paymentIntentAnswerSchema = z.object({ clientSecret: z.string() });
export type PaymentIntentAnswer = z.infer<typeof paymentIntentAnswerSchema>;

/** What the client has to know of this deployment. `demoPublic`: others can reach a demo shop, so every page says so. */
export const clientConfigSchema = z.object({
  demoPublic: z.optional(z.boolean()),
  /** the smallest total that can be paid by card, in taka */
  paymentMinimum: z.optional(wholeNumber),
  stripe: z.object({ mode: z.enum(['demo', 'live']), publishableKey: z.string() }),
  firebase: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('demo'), projectId: z.string(), apiKey: z.string() }),
    z.object({ mode: z.literal('live'), config: z.record(z.string(), z.unknown()) }),
  ]),
});
export type ClientConfig = z.infer<typeof clientConfigSchema>;
