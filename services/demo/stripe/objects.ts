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
    'id' | 'object' | 'amount' | 'amount_refunded' | 'created' | 'currency' | 'paid' | 'refunded'
  > {
  billing_details: BillingDetails;
  payment_intent: string;
  payment_method_details: { type: 'card'; card: Pick<CardObject, 'brand' | 'last4' | 'exp_month' | 'exp_year'> };
}

export interface RefundObject extends Made<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'currency'> {
  charge: string;
  payment_intent: string;
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled';
}

export type ApiObject = IntentObject | PaymentMethodObject | ChargeObject | RefundObject;

export interface EventObject extends Omit<Stripe.EventBase, 'data' | 'request'> {
  data: { object: ApiObject };
  request: { id: string; idempotency_key: string | null };
  type: Stripe.Event['type'];
}
