import * as z from 'zod/mini';
import { createdSchema, wholeNumber } from '../answers.ts';

export const orderPlacedSchema = z.extend(createdSchema, { number: z.string() });
export type OrderPlaced = z.infer<typeof orderPlacedSchema>;

/** The outcome for one order if its change was refused, in the response to a request that changes several orders. */
const refusedOutcomeSchema = z.object({
  id: z.string(),
  outcome: z.literal('refused'),
  /** the problem code, as in the response body of a refused request */
  code: z.string(),
  title: z.string(),
  /** the order's current version, if the admin saw a different version */
  version: z.optional(wholeNumber),
});
export type RefusedOutcome = z.infer<typeof refusedOutcomeSchema>;

/**
 * One order's outcome in the response to `POST /shipments`. If the order had already been shipped, `by` names the admin
 * who shipped it, and `at` is the time.
 */
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

/**
 * One order's outcome in the response to `POST /withdrawals`. If the shipment was withdrawn, `version` is the order's
 * version after the withdrawal.
 */
export const withdrawalOutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ id: z.string(), outcome: z.literal('withdrawn'), version: wholeNumber }),
  refusedOutcomeSchema,
]);
export type WithdrawalOutcome = z.infer<typeof withdrawalOutcomeSchema>;

export const withdrawalOutcomesSchema = z.array(withdrawalOutcomeSchema);

/**
 * The number of orders paid this month (UTC), and the number of those that were shipped within a day. An order that
 * hasn't been shipped is included only after a day has passed since its payment. The whole object is null if fewer than
 * 20 orders are included.
 */
export const promiseSchema = z.nullable(z.object({ orders: wholeNumber, inTime: wholeNumber }));
export type ShippingPromise = NonNullable<z.infer<typeof promiseSchema>>;

/**
 * The number of orders that match each of the board's filters. `all` is the sum of the other three counts. Cancelled
 * orders aren't counted. A count is null if a search matches too many orders to count.
 */
export const boardCountsSchema = z.object({
  all: z.nullable(wholeNumber),
  unpaid: z.nullable(wholeNumber),
  paid: z.nullable(wholeNumber),
  shipped: z.nullable(wholeNumber),
});
export type BoardCounts = z.infer<typeof boardCountsSchema>;

/** The shop's figures for today. The day begins at midnight in Dhaka. Cancelled orders aren't counted. */
export const boardTodaySchema = z.object({
  /** orders placed today */
  orders: wholeNumber,
  /** the total of the orders paid today, in taka; excludes payments that are refunded because their order can't accept them */
  revenue: wholeNumber,
  /** when the oldest paid but unshipped order was placed; null if there is no such order */
  longestWaitSince: z.nullable(z.iso.datetime()),
  /** orders that are paid but not shipped */
  waiting: wholeNumber,
  /** products that are low on stock (isLowStock) */
  lowStock: wholeNumber,
  /** the number of orders placed in each of the last 24 hours; the current hour comes last */
  hours: z.array(z.object({ hour: z.iso.datetime(), orders: wholeNumber })),
});
export type BoardToday = z.infer<typeof boardTodaySchema>;
