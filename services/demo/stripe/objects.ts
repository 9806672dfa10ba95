import type Stripe from 'stripe';

/**
 * The API's objects. Their fields have the SDK's types, so an incompatible change in the SDK is a compile error here.
 * Amounts are in the currency's smallest unit, and times in seconds since the epoch. References to other objects are
 * always ids, never expanded objects.
 */

export type Metadata = Record<string, string>;

/**
 * A Stripe object built by the simulator. The fields named in `Read` are required because the simulator also reads
 * them. All others are optional.
 */
type Made<T, Read extends keyof T> = Partial<T> & Pick<T, Read>;

export interface StripeErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: IntentObject;
  payment_method?: PaymentMethodObject;
}

/** Tells the browser to show the bank's 3-D Secure challenge. `source` is the id of the challenge. */
export interface NextActionObject {
  type: 'use_stripe_sdk';
  use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string; source: string };
}

export interface IntentObject
  extends Made<
    Omit<Stripe.PaymentIntent, 'last_payment_error'>,
    'id' | 'object' | 'amount' | 'created' | 'currency' | 'description' | 'receipt_email' | 'status'
  > {
  client_secret: string;
  last_payment_error: StripeErrorBody | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: NextActionObject | null;
  payment_method: string | null;
}

export type BillingDetails = Omit<Stripe.PaymentMethod.BillingDetails, 'tax_id'>;
export type CardObject = Made<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>;

export interface PaymentMethodObject
  extends Made<Omit<Stripe.PaymentMethod, 'billing_details' | 'card'>, 'id' | 'object' | 'created'> {
  billing_details: BillingDetails;
  card: CardObject;
}

export interface ChargeObject
  extends Made<
    Omit<Stripe.Charge, 'billing_details' | 'payment_method_details'>,
    | 'id'
    | 'object'
    | 'amount'
    | 'amount_captured'
    | 'amount_refunded'
    | 'created'
    | 'currency'
    | 'disputed'
    | 'metadata'
    | 'paid'
    | 'refunded'
    | 'status'
  > {
  /** null if the charge failed, isn't settled yet, or was made by a version that had no balance transactions */
  balance_transaction: string | null;
  billing_details: BillingDetails;
  payment_intent: string;
  payment_method_details: { type: 'card'; card: Pick<CardObject, 'brand' | 'last4' | 'exp_month' | 'exp_year'> };
}

export interface RefundObject
  extends Made<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'reason'> {
  /** null if the refund took no money */
  balance_transaction: string | null;
  charge: string;
  /** the balance transaction that gave the money back, after the refund failed or was canceled */
  failure_balance_transaction?: string;
  payment_intent: string;
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled';
}

export interface BalanceTransactionObject extends Omit<Stripe.BalanceTransaction, 'source'> {
  /** null if the transaction is about no object, as Stripe's own fees are */
  source: string | null;
}

export interface PayoutObject
  extends Made<Stripe.Payout, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_code'> {
  balance_transaction: string;
  failure_balance_transaction: string | null;
  status: 'paid' | 'failed';
}

export type BalanceObject = Stripe.Balance;

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';

export interface DisputeObject
  extends Made<
    Omit<Stripe.Dispute, 'evidence' | 'evidence_details'>,
    'id' | 'object' | 'amount' | 'created' | 'currency' | 'is_charge_refundable' | 'reason'
  > {
  balance_transactions: BalanceTransactionObject[];
  charge: string;
  /** `due_by` is in seconds since the epoch. 0 means that the shop can't respond. */
  evidence_details: Omit<Stripe.Dispute.EvidenceDetails, 'due_by'> & { due_by: number };
  payment_intent: string;
  status: DisputeStatus;
}

export type ApiObject =
  | IntentObject
  | PaymentMethodObject
  | ChargeObject
  | RefundObject
  | BalanceTransactionObject
  | PayoutObject
  | DisputeObject;

export interface EventObject extends Omit<Stripe.EventBase, 'data' | 'request'> {
  data: { object: ApiObject };
  request: { id: string; idempotency_key: string | null };
  type: Stripe.Event['type'];
}
