import { z } from 'zod';
import { acceptCard, cardOfAlias } from './cards.ts';
import type { CardObject, PaymentMethodObject } from './objects.ts';
import { flag, integer, metadata, text } from './params.ts';
import { type Call, find, nowInSeconds, save } from './simulation.ts';

const detail = z
  .string()
  .max(5000)
  .transform((given) => given || null)
  .default(null);

const billingDetails = z.strictObject({
  address: z
    .strictObject({ city: detail, country: detail, line1: detail, line2: detail, postal_code: detail, state: detail })
    .prefault({}),
  email: detail,
  name: detail,
  phone: detail,
});

/**
 * The data for a new payment method, sent either in a separate call or when a payment intent is created or confirmed.
 */
export const paymentMethodData = z.strictObject({
  type: z.literal('card'),
  card: z.strictObject({ number: text, exp_month: integer, exp_year: integer, cvc: z.string().optional() }),
  billing_details: billingDetails.prefault({}),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  metadata: metadata.default({}),
});
type PaymentMethodData = z.output<typeof paymentMethodData>;

/** Either an existing payment method's id or the data for a new payment method. */
export const howToPay = { payment_method: text.optional(), payment_method_data: paymentMethodData.optional() };

/** Stripe's browser library sends these fields, and the simulator ignores them. */
export const fromTheBrowser = {
  expected_payment_method_type: z.literal('card').optional(),
  return_url: text.optional(),
  use_stripe_sdk: flag.optional(),
};

export function createPaymentMethod(call: Call, params: PaymentMethodData): PaymentMethodObject {
  return saveMethod(call, acceptCard(params.card, new Date(call.simulation.clock())), params);
}

/**
 * Creates a payment method from `data`, if given. Otherwise, returns the payment method with the given id. An id such
 * as `pm_card_visa` creates a payment method with that test card. Returns undefined if both `id` and `data` are
 * missing.
 */
export function methodFor(
  call: Call,
  id: string | null | undefined,
  data: PaymentMethodData | undefined,
): PaymentMethodObject | undefined {
  if (data) return createPaymentMethod(call, data);
  if (!id) return undefined;
  const card = cardOfAlias(id, new Date(call.simulation.clock()));
  if (!card) return find(call, 'payment_method', id, 'payment_method');
  return saveMethod(call, card, { billing_details: billingDetails.parse({}), metadata: {} });
}

function saveMethod(
  call: Call,
  card: CardObject,
  { billing_details, metadata }: Pick<PaymentMethodData, 'billing_details' | 'metadata'>,
): PaymentMethodObject {
  return save(call, {
    id: call.simulation.newId('pm_'),
    object: 'payment_method',
    billing_details,
    card,
    created: nowInSeconds(call),
    customer: null,
    livemode: false,
    metadata,
    type: 'card',
  });
}
