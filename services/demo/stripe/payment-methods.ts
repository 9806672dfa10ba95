import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type AcceptedCard, acceptCard, cardOfAlias, type Outcome } from './cards.ts';
import { resourceMissing } from './errors.ts';
import type { BillingDetails, Metadata, PaymentMethodObject } from './objects.ts';
import { flag, integer, metadata, text } from './params.ts';
import { type Call, nowInSeconds } from './simulation.ts';

const optionalText = z.string().max(5000).optional();

const billingDetails = z.strictObject({
  address: z
    .strictObject({
      city: optionalText,
      country: optionalText,
      line1: optionalText,
      line2: optionalText,
      postal_code: optionalText,
      state: optionalText,
    })
    .optional(),
  email: optionalText,
  name: optionalText,
  phone: optionalText,
});

/** Creates a payment method, alone or within a confirmation. */
export const paymentMethodData = z.strictObject({
  type: z.literal('card'),
  card: z.strictObject({ number: text, exp_month: integer, exp_year: integer, cvc: z.string().optional() }),
  billing_details: billingDetails.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  metadata: metadata.optional(),
});
type PaymentMethodData = z.output<typeof paymentMethodData>;

/** By an id, or by the card itself. */
export const howToPay = { payment_method: text.optional(), payment_method_data: paymentMethodData.optional() };

/** Stripe's browser library sends these; the simulator ignores them. */
export const fromTheBrowser = {
  expected_payment_method_type: z.literal('card').optional(),
  return_url: text.optional(),
  use_stripe_sdk: flag.optional(),
};

export interface UsableMethod {
  method: PaymentMethodObject;
  outcome: Outcome;
}

export function createPaymentMethod(call: Call, params: PaymentMethodData): PaymentMethodObject {
  const card = acceptCard(params.card, new Date(call.simulation.clock()));
  return keepMethod(call, card, billingOf(params.billing_details), params.metadata).method;
}

export function retrievePaymentMethod(call: Call, id: string): PaymentMethodObject {
  const kept = call.simulation.store.get('payment_method', id);
  if (!kept) throw resourceMissing('PaymentMethod', id);
  return kept.method;
}

/** Undefined where the call names none. `pm_card_...` creates one of that test card. */
export function methodFor(
  call: Call,
  params: { payment_method?: string | undefined; payment_method_data?: PaymentMethodData | undefined },
): UsableMethod | undefined {
  const { store, clock } = call.simulation;
  if (params.payment_method_data) {
    const { card, billing_details: billing, metadata: entries } = params.payment_method_data;
    return keepMethod(call, acceptCard(card, new Date(clock())), billingOf(billing), entries);
  }
  if (params.payment_method === undefined) return undefined;
  const alias = cardOfAlias(params.payment_method, new Date(clock()));
  if (alias) return keepMethod(call, alias, billingOf(undefined));
  const kept = store.get('payment_method', params.payment_method);
  if (!kept) throw resourceMissing('PaymentMethod', params.payment_method, 'payment_method');
  return kept;
}

function keepMethod(call: Call, card: AcceptedCard, billing: BillingDetails, entries: Metadata = {}): UsableMethod {
  const { brand, last4, exp_month, exp_year, cvc, outcome } = card;
  const method: PaymentMethodObject = {
    id: call.simulation.newId('pm_'),
    object: 'payment_method',
    billing_details: billing,
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvc ? 'unchecked' : null },
      country: 'US',
      display_brand: brand,
      exp_month,
      exp_year,
      fingerprint: createHash('sha256').update(`${brand} ${last4}`).digest('hex').slice(0, 16),
      funding: 'credit',
      last4,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowInSeconds(call),
    customer: null,
    livemode: false,
    metadata: entries,
    type: 'card',
  };
  call.simulation.store.put('payment_method', method.id, { method, outcome }, { created: method.created });
  return { method, outcome };
}

function billingOf(given: z.output<typeof billingDetails> = {}): BillingDetails {
  const { city, country, line1, line2, postal_code, state } = given.address ?? {};
  return {
    address: {
      city: city || null,
      country: country || null,
      line1: line1 || null,
      line2: line2 || null,
      postal_code: postal_code || null,
      state: state || null,
    },
    email: given.email || null,
    name: given.name || null,
    phone: given.phone || null,
  };
}
