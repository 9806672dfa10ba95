import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import * as z from 'zod/mini';

const errorSchema = z.object({ error: z.looseObject({ type: z.string(), message: z.string() }) });
const intentSchema = z.looseObject({
  id: z.string(),
  object: z.literal('payment_intent'),
  amount: z.number(),
  status: z.string(),
  next_action: z.nullable(
    z.looseObject({ use_stripe_sdk: z.looseObject({ stripe_js: z.string(), source: z.string() }) }),
  ),
  last_payment_error: z.nullable(z.looseObject({ type: z.string(), message: z.string() })),
});

const UNREACHABLE: StripeError = {
  type: 'api_connection_error',
  message:
    'We are experiencing issues connecting to our payments provider. ' +
    'Please check your internet connection and try again.',
};

/** Form parameters for Stripe's API. Nested names are in brackets, and every value is text. */
export type FormFields = Record<string, string>;

/**
 * Posts a form to the Stripe simulator, authenticated only by the publishable key. Never rejects: failures are returned
 * as `error`.
 */
export async function postToDemoStripe(
  publishableKey: string,
  path: string,
  fields: FormFields,
): Promise<PaymentIntentResult> {
  try {
    const response = await fetch(new URL(`/demo-stripe${path}`, window.location.origin).href, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const body: unknown = await response.json();
    if (!response.ok) return { error: errorSchema.parse(body).error as StripeError };
    return { paymentIntent: intentSchema.parse(body) as unknown as PaymentIntent };
  } catch {
    return { error: UNREACHABLE };
  }
}
