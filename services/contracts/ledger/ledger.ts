import * as z from 'zod/mini';

/** The most days that one request for the ledger covers. */
export const MAX_LEDGER_DAYS = 92;

/** Amounts in the smallest unit of each currency (an ISO 4217 code in lower case). Currencies are never added up. */
export const amountsSchema = z.record(z.string(), z.number().check(z.int()));

/** What Stripe settled: amounts, fees and net in the currency in which Stripe pays out. */
const settlementSchema = z.object({ amount: amountsSchema, fee: amountsSchema, net: amountsSchema });

/** Movements of a payment's money, by Stripe's reporting categories. `other` is one that the shop doesn't know. */
export const MOVEMENTS = [
  'charge',
  'charge_failure',
  'refund',
  'refund_failure',
  'dispute',
  'dispute_reversal',
  'other',
] as const;
export const CAUSES = ['not_stated', 'not_recorded', 'doubled', 'altered'] as const;

/**
 * Whether the two sides of a row agree. `pending` means that Stripe hasn't stated a recent movement yet, `before` that
 * Stripe no longer holds the transactions, `unmatched` that the money belongs to no order, and `aside` that an admin has
 * looked into such money.
 */
export const ROW_STATES = ['open', 'unmatched', 'pending', 'before', 'aside', 'matched'] as const;

/** One order's money, or money without an order, as recorded by the shop and as stated by Stripe. */
export const ledgerRowSchema = z.object({
  /** the order's id, or the id of the balance transaction that belongs to no order */
  id: z.string(),
  /** null for money without an order */
  order: z.nullable(z.object({ id: z.string(), number: z.string() })),
  /** the id of the payment intent; null for money that no payment intent brought in */
  intent: z.nullable(z.string()),
  /** when the money first moved */
  at: z.iso.datetime(),
  state: z.enum(ROW_STATES),
  recorded: amountsSchema,
  stated: amountsSchema,
  /** `recorded` less `stated` */
  difference: amountsSchema,
  settlement: settlementSchema,
  causes: z.array(
    z.object({
      cause: z.enum(CAUSES),
      movement: z.enum(MOVEMENTS),
      /** Stripe's id of the payment intent, refund or dispute */
      about: z.string(),
      difference: amountsSchema,
    }),
  ),
  /** for money without an order: the order that Stripe names, which this shop doesn't have; null if it names none */
  namedOrder: z.nullable(z.string()),
  /** what an admin wrote about money without an order; '' if nobody did */
  note: z.string(),
});
export type LedgerRow = z.infer<typeof ledgerRowSchema>;

/** `isWhole` is false if the period has more rows than one response holds; rows that don't agree come first. */
export const ledgerSchema = z.object({
  rows: z.array(ledgerRowSchema),
  isWhole: z.boolean(),
  /** how many rows of the period are open or unmatched */
  open: z.number().check(z.int()),
  /**
   * How far Stripe's lists have been read: all that Stripe made before `until`; null if they were never read. `problem`
   * says in Stripe's words why they can't be read now; null if they can.
   */
  reading: z.object({ until: z.nullable(z.iso.datetime()), problem: z.nullable(z.string()) }),
  recorded: amountsSchema,
  stated: amountsSchema,
  difference: amountsSchema,
  settlement: settlementSchema,
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** One day or one month (Asia/Dhaka) as Stripe states it. Amounts are negative if money left the shop. */
export const ledgerPeriodSchema = z.object({
  /** `2026-03-01` or `2026-03` */
  period: z.string(),
  charged: amountsSchema,
  refunded: amountsSchema,
  disputed: amountsSchema,
  /** Stripe's fees: those of charges and disputes, and those that Stripe states by themselves */
  fee: amountsSchema,
  /** what moved in the categories that have no field here, in the currency in which Stripe settles */
  other: amountsSchema,
  /** what all of this left with Stripe, in the currency in which Stripe settles */
  net: amountsSchema,
  /** what Stripe paid out to the shop's bank account, less what came from there */
  paidOut: amountsSchema,
});
export type LedgerPeriod = z.infer<typeof ledgerPeriodSchema>;
