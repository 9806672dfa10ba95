import { z } from 'zod';
import { FIRST_ACCOUNT } from './store.ts';

const few = z.number().int().min(0).max(100);

export const refundStatusSchema = z.enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']);

/** Every fault is off by default, and is turned off again by a restart. */
export const faultsSchema = z.strictObject({
  /** how many copies of each event are delivered, in parallel */
  duplicate: z.number().int().min(1).max(10).default(1),
  drop: z.boolean().default(false),
  /** the types of events that aren't delivered */
  dropTypes: z.array(z.string()).default([]),
  /** the delay before the first delivery attempt */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** holds deliveries back until this many are waiting, then posts them one after another, newest first */
  reorder: few.default(0),
  /** how long to wait before handling each POST to the API */
  apiDelayMs: z.number().int().min(0).max(60_000).default(0),
  /** how many of the next POSTs to the API fail with 500 and change nothing */
  apiFailures: few.default(0),
  /** how many of the next POSTs to the API take effect but have their connection dropped before the response */
  lostAnswers: few.default(0),
  /** how many of the next GETs of a list or of the balance fail with 500 */
  listFailures: few.default(0),
  /** how many of the next GETs of a list or of the balance are refused with 429, because of too many requests */
  rateLimits: few.default(0),
  /** the status of each new refund; POST /simulator/refunds/:id changes it later */
  refundStatus: refundStatusSchema.default('succeeded'),
  /**
   * how long after a payment its charge gets a balance transaction; 0 means in the same call. Stripe settles charges
   * asynchronously too.
   */
  lateBalanceMs: z.number().int().min(0).max(600_000).default(0),
  /** how long after a charge its money is available; null means at midnight (UTC) two days later, as at Stripe */
  availableMs: z.number().int().min(0).max(86_400_000).nullable().default(null),
  /**
   * What happens to a refund that the available balance doesn't cover. Stripe takes the rest from the shop's bank account
   * (`cover`), holds the refund as pending until there is money (`hold`), or refuses it (`refuse`).
   */
  lowBalance: z.enum(['cover', 'hold', 'refuse']).default('cover'),
  /** the message with which every new refund is refused; null if they aren't */
  refundRefusal: z.string().min(1).max(500).nullable().default(null),
  /** how often the available balance is paid out to the shop's bank account; 0 means never */
  payoutEveryMs: z.number().int().min(0).max(86_400_000).default(0),
  /** the currency in which money is settled. It can be changed in Stripe's dashboard. */
  settlesIn: z.enum(['usd', 'eur']).default('usd'),
  /**
   * up to how long after their `created` time events and balance transactions are listed. Each waits for a time of its
   * own, so a later one may be listed earlier.
   */
  listLagMs: z.number().int().min(0).max(600_000).default(0),
  /** how long events can be read */
  eventsKeptMs: z
    .number()
    .int()
    .min(1_000)
    .max(30 * 86_400_000)
    .default(30 * 86_400_000),
  /** the permissions that the secret key lacks, such as `refund_read`. Stripe's restricted keys have only some. */
  lackedPermissions: z.array(z.string().regex(/^[a-z_]+_(read|write)$/)).default([]),
  /** the account that the secret key belongs to. Another account has none of this one's objects. */
  account: z
    .string()
    .regex(/^acct_[A-Za-z0-9]{1,30}$/)
    .default(FIRST_ACCOUNT),
  /** how long it takes until the banks decide about payments, refunds and disputes that aren't decided at once */
  decisionMs: z.number().int().min(0).max(86_400_000).default(60_000),
});
export type Faults = z.output<typeof faultsSchema>;
