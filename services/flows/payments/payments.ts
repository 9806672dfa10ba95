import type { Refusal } from '../../contracts/refusals.ts';

export interface PaymentMeta {
  readonly actor: string;
  readonly correlationId: string;
}

export type CreateIntentOutcome =
  | { readonly kind: 'secret'; readonly clientSecret: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface OrderMissing {
  readonly kind: 'order_missing';
  readonly orderId: string;
}

export type SettleOutcome =
  | {
      readonly kind: 'settled';
      readonly orderId: string;
      readonly version: number;
      /** this call appended something */
      readonly modified: boolean;
      /** this intent paid the order */
      readonly paid: boolean;
    }
  /** it names no order of this shop, or one that nobody has and that took no money */
  | { readonly kind: 'not_ours' }
  /** it took money for an order of this shop that the log lacks, as for one placed after the backup that was restored */
  | OrderMissing
  /** the intent's `status` at Stripe can still change */
  | { readonly kind: 'not_complete'; readonly orderId: string; readonly status: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What the caller of `settle` knows already. */
export interface Known {
  /** the order that the intent is for; Stripe is not asked where its stream has the payment */
  readonly orderId: string;
  /** Stripe has signed that the intent succeeded with this; Stripe is not asked where it is what the order asked for (PAY1) */
  readonly signed?: { readonly amount: number; readonly amountReceived: number; readonly currency: string } | undefined;
}

/** Card payments. Every step is idempotent, over any number of copies. @throws PaymentUnavailable, PaymentProviderFailed */
export interface Payments {
  /** Returns the secret of the order's one open intent, created where there is none (PAY2). */
  createIntent(orderId: string, meta: PaymentMeta): Promise<CreateIntentOutcome>;
  settle(intentId: string, meta: PaymentMeta, known?: Known): Promise<SettleOutcome>;
  /** Asks Stripe about the refunds of an intent and records how they ended (PAY6). */
  settleRefunds(intentId: string, meta: PaymentMeta): Promise<SettleRefundsOutcome>;
  /** Refunds an intent where the order's stream says that it is due (PAY4, PAY6). */
  refund(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
  /** Closes an open intent of an order that is no longer unpaid; if it was paid, a refund becomes due (PAY5). */
  withdraw(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
  /** what this process has seen and nobody has cleared up since; at most 1,000 */
  unrecordedMoney(): readonly UnrecordedMoney[];
}

export type SettleRefundsOutcome = { readonly kind: 'recorded' | 'not_ours' } | OrderMissing;

/** Money at Stripe that no order's stream tells of, as far as this process has seen. A person has to look into it. */
export interface UnrecordedMoney {
  readonly what: 'paid_for_missing_order' | 'refunded_without_being_due';
  readonly orderId: string;
  readonly intent: string;
  /** in poisha: what is left of the payment, or all that was refunded */
  readonly amount: number;
}

/** Webhook events that end an intent. */
export const INTENT_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled'] as const;
/** Webhook events that tell of a refund and how it ended. */
export const REFUND_EVENTS = ['refund.created', 'refund.updated', 'refund.failed'] as const;
/** The `enabled_events` of a shop's webhook endpoint at Stripe. */
export const WEBHOOK_EVENTS: readonly string[] = [...INTENT_EVENTS, ...REFUND_EVENTS];

export class PaymentUnavailable extends Error {
  override readonly name = 'PaymentUnavailable';
}

export class PaymentProviderFailed extends Error {
  override readonly name = 'PaymentProviderFailed';
  /** Stripe's own code, e.g. `amount_too_small`; undefined where it gave none */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
