import type { PaymentIntent, PaymentMethod, StripeError } from '@stripe/stripe-js';
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
const methodSchema = z.looseObject({ id: z.string(), object: z.literal('payment_method') });

const FORM = 'application/x-www-form-urlencoded';

/** Parameters as Stripe's API takes them: nested names in brackets, everything as text. */
export type FormFields = { [name: string]: string | number | boolean | null | undefined | FormFields };

export type Called<T> = { value: T; error?: undefined } | { value?: undefined; error: StripeError };

export interface DemoStripeCalls {
  confirm(id: string, fields: FormFields): Promise<Called<PaymentIntent>>;
  /** Gives the bank's answer to the address that the intent named. */
  answerChallenge(path: string, fields: FormFields): Promise<Called<PaymentIntent>>;
  retrieve(id: string, clientSecret: string): Promise<Called<PaymentIntent>>;
  createPaymentMethod(fields: FormFields): Promise<Called<PaymentMethod>>;
}

/** Calls of the local Stripe under `base` on this origin, by the publishable key alone. Failures are values. */
export function createDemoStripeCalls(base: string, publishableKey: string): DemoStripeCalls {
  async function call<S extends z.ZodMiniType>(
    schema: S,
    path: string,
    fields?: FormFields,
  ): Promise<Called<z.output<S>>> {
    try {
      const response = await fetch(new URL(`${base}${path}`, window.location.origin).href, {
        method: fields ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${publishableKey}`, ...(fields && { 'content-type': FORM }) },
        ...(fields && { body: encodeForm(fields) }),
      });
      const body: unknown = await response.json();
      if (response.ok) return { value: schema.parse(body) };
      return { error: errorSchema.parse(body).error as StripeError };
    } catch {
      return { error: unreachable() };
    }
  }
  const intent = async (path: string, fields?: FormFields) =>
    (await call(intentSchema, path, fields)) as unknown as Called<PaymentIntent>;

  return {
    confirm: (id, fields) => intent(`/v1/payment_intents/${encodeURIComponent(id)}/confirm`, fields),
    answerChallenge: (path, fields) => intent(path, fields),
    retrieve: (id, clientSecret) =>
      intent(`/v1/payment_intents/${encodeURIComponent(id)}?client_secret=${encodeURIComponent(clientSecret)}`),
    createPaymentMethod: async (fields) =>
      (await call(methodSchema, '/v1/payment_methods', fields)) as unknown as Called<PaymentMethod>,
  };
}

/** Nested fields as `name[inner]=value`; what is null or undefined is left out. */
export function encodeForm(fields: FormFields): string {
  const form = new URLSearchParams();
  const add = (name: string, value: FormFields[string]) => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') form.append(name, String(value));
    else for (const [inner, innerValue] of Object.entries(value)) add(`${name}[${inner}]`, innerValue);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return form.toString();
}

function unreachable(): StripeError {
  return {
    type: 'api_connection_error',
    message:
      'We are experiencing issues connecting to our payments provider. ' +
      'Please check your internet connection and try again.',
  };
}
