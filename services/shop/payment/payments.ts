import type { ProblemError } from '../../contracts/problem-error.ts';
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
      /** whether this call appended an event */
      readonly modified: boolean;
      /** whether this payment intent paid for the order */
      readonly paid: boolean;
    }
  /**
   * the payment intent is unknown, or it names no order of this shop, or it names an order that isn't in the log and no
   * money was received
   */
  | { readonly kind: 'not_ours' }
  /** money was received for an order that isn't in the log, e.g. because it was placed after the restored backup was taken */
  | OrderMissing
  /** the payment intent's `status` in Stripe can still change */
  | { readonly kind: 'not_complete'; readonly orderId: string; readonly status: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Facts about a payment intent that the caller of `settle` already knows. */
export interface Known {
  /**
   * The order that the payment intent is for. Stripe isn't called if the order's stream already contains the payment.
   */
  readonly orderId: string;
  /**
   * A successful payment intent's amounts, from an event signed by Stripe. If they match the order, Stripe isn't called
   * (PAY1).
   */
  readonly signed?: { readonly amount: number; readonly amountReceived: number; readonly currency: string } | undefined;
}

/**
 * Card payments. Every method is idempotent, even if several processes call it at the same time.
 * @throws PaymentUnavailable, PaymentProviderFailed
 */
export interface Payments {
  /**
   * Returns the client secret of the order's open payment intent, and creates the intent if there is none. An order has
   * at most one open intent (PAY2).
   */
  createIntent(orderId: string, meta: PaymentMeta): Promise<CreateIntentOutcome>;
  settle(intentId: string, meta: PaymentMeta, known?: Known): Promise<SettleOutcome>;
  /** Fetches a payment intent's refunds from Stripe and records what Stripe says about them (PAY6). */
  settleRefunds(intentId: string, meta: PaymentMeta): Promise<RecordedOutcome>;
  /** Fetches a dispute from Stripe and records what Stripe says about it (PAY9). */
  settleDispute(disputeId: string, meta: PaymentMeta): Promise<RecordedOutcome>;
  /**
   * Makes the refunds of a payment intent that are due or granted according to the order's stream (PAY4, PAY6, PAY8).
   */
  refund(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
  /**
   * Closes an order's open payment intent if the order is no longer unpaid. If the intent turns out to be paid, a
   * refund becomes due (PAY5).
   */
  withdraw(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
}

export type RecordedOutcome = { readonly kind: 'recorded' | 'not_ours' } | OrderMissing;

/** Webhook events that Stripe sends when a payment intent succeeds or is cancelled. */
export const ENDING_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled'] as const;
/** Webhook events about a payment intent. */
export const INTENT_EVENTS = [...ENDING_EVENTS, 'payment_intent.processing', 'payment_intent.payment_failed'] as const;
/** Webhook events about a refund and its outcome. */
export const REFUND_EVENTS = ['refund.created', 'refund.updated', 'refund.failed'] as const;
/** Webhook events about a dispute and the money that it moves. */
export const DISPUTE_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;
/** The path at which the shop receives Stripe's webhooks. */
export const WEBHOOK_PATH = '/webhooks/stripe';
/** The `enabled_events` of the shop's webhook endpoint in Stripe. */
export const WEBHOOK_EVENTS: readonly string[] = [...INTENT_EVENTS, ...REFUND_EVENTS, ...DISPUTE_EVENTS];

export class PaymentUnavailable extends Error implements ProblemError {
  override readonly name = 'PaymentUnavailable';
  readonly problem = 'payment_unavailable';
}

export class PaymentProviderFailed extends Error implements ProblemError {
  override readonly name = 'PaymentProviderFailed';
  readonly problem = 'payment_provider_failed';
  /** Stripe's error code, e.g. `amount_too_small`, or undefined if Stripe gave none */
  readonly code: string | undefined;
  /** the HTTP status of Stripe's response, or undefined if there was none */
  readonly status: number | undefined;

  constructor(message: string, code?: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
