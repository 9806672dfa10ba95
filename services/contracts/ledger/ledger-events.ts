import { z } from 'zod';
import { text } from '../event-fields.ts';

/** The events of balance transactions, and of the reader of Stripe's lists. */
export const ledgerEvents = {
  /**
   * A balance transaction as Stripe states it, on a stream of its own (LEDGER1). `amount`, `fee` and `net` are in the
   * smallest unit of `currency`, the currency in which Stripe settles. `shown` is what the shopper saw: the amount of the
   * charge, refund or dispute that the transaction is about, negative if the money left the shop.
   */
  BalanceRecorded: z.object({
    transaction: text,
    category: text,
    amount: z.number().int(),
    fee: z.number().int(),
    net: z.number().int(),
    currency: text,
    exchangeRate: z.number().nullable(),
    source: text.nullable(),
    shown: z.object({ amount: z.number().int(), currency: text }).nullable(),
    intent: text.nullable(),
    orderId: text.nullable(),
    createdAt: z.iso.datetime(),
    availableOn: z.iso.datetime(),
  }),
  /** an admin has looked into a transaction that belongs to no order, and says what it is; an empty note takes that back */
  BalanceSetAside: z.object({ note: text }),
  /**
   * How far Stripe's lists have been read. `event` and `transaction` are the entries behind which reading goes on. All
   * that Stripe made before `until` has been read. `problem` says why the lists can't be read; null if they can.
   */
  StripeRead: z.object({
    event: text.nullable(),
    transaction: text.nullable(),
    until: z.iso.datetime().nullable(),
    problem: text.nullable(),
  }),
} as const;
