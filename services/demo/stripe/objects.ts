import type Stripe from 'stripe';

/**
 * Fields come from the SDK's types, so a change there fails to compile here. Amounts in the currency's smallest unit, times
 * in seconds since the epoch; ids are never expanded.
 */

export type Metadata = Record<string, string>;

export interface PaymentErrorObject {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  message: string;
  doc_url?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_method?: PaymentMethodObject;
}

/** Shows the bank's question named by `source`. */
export interface NextActionObject {
  type: 'use_stripe_sdk';
  use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string; source: string };
}

export type IntentObject = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'automatic_payment_methods'
  | 'canceled_at'
  | 'capture_method'
  | 'confirmation_method'
  | 'created'
  | 'currency'
  | 'description'
  | 'livemode'
  | 'payment_method_types'
  | 'receipt_email'
  | 'status'
> & {
  client_secret: string;
  cancellation_reason: Stripe.PaymentIntent['cancellation_reason'];
  customer: null;
  last_payment_error: PaymentErrorObject | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: NextActionObject | null;
  payment_method: string | null;
  processing: null;
};

export interface BillingDetails {
  address: Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>;
  email: string | null;
  name: string | null;
  phone: string | null;
}

export type PaymentMethodObject = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'created' | 'livemode'> & {
  billing_details: BillingDetails;
  card: {
    brand: string;
    checks: { address_line1_check: null; address_postal_code_check: null; cvc_check: string | null };
    country: string;
    display_brand: string;
    exp_month: number;
    exp_year: number;
    fingerprint: string;
    funding: string;
    last4: string;
    three_d_secure_usage: { supported: boolean };
    wallet: null;
  };
  customer: null;
  metadata: Metadata;
  type: 'card';
};

export type ChargeObject = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'description'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'paid'
  | 'refunded'
  | 'status'
> & {
  billing_details: BillingDetails;
  customer: null;
  metadata: Metadata;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: 'card'; card: { brand: string; last4: string; exp_month: number; exp_year: number } };
};

export type RefundObject = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'reason' | 'receipt_number'
> & {
  balance_transaction: null;
  charge: string;
  metadata: Metadata;
  payment_intent: string;
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled';
  failure_reason?: string;
};

export interface EventPayloads {
  'payment_intent.created': IntentObject;
  'payment_intent.requires_action': IntentObject;
  'payment_intent.succeeded': IntentObject;
  'payment_intent.payment_failed': IntentObject;
  'payment_intent.canceled': IntentObject;
  'charge.succeeded': ChargeObject;
  'charge.failed': ChargeObject;
  'charge.refunded': ChargeObject;
  'refund.created': RefundObject;
  'refund.updated': RefundObject;
  'refund.failed': RefundObject;
}

export type EventObject = Pick<
  Stripe.EventBase,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks'
> & {
  data: { object: EventPayloads[keyof EventPayloads] };
  request: { id: string; idempotency_key: string | null };
  type: keyof EventPayloads;
};
