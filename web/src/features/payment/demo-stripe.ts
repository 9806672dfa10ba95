import type { PaymentIntentResult, Stripe, StripeError } from '@stripe/stripe-js';
import { createDemoCardElement, type DemoCardElement } from './demo-card-element.ts';
import { askAsTheBank } from './demo-challenge.ts';
import { type FormFields, postToDemoStripe } from './demo-stripe-calls.ts';

/** The part of Stripe's `confirmCardPayment` data that the payment form sends. */
interface CardPaymentData {
  payment_method: { card: DemoCardElement; billing_details: FormFields };
}

/**
 * Creates demo mode's replacement for Stripe's browser object. It has the members that `<Elements>` and the payment
 * form use, so the payment form runs unchanged in demo mode and in tests. Its requests go to the Stripe simulator,
 * which accepts only test cards.
 */
export function createDemoStripe(publishableKey: string): Stripe {
  const demo = {
    elements: createDemoElements,
    confirmCardPayment: (secret: string, data: CardPaymentData) => confirmCardPayment(publishableKey, secret, data),
    // <Elements> recognizes a Stripe object only if it has these methods too.
    createPaymentMethod: refuse,
    createToken: refuse,
  };
  return demo as unknown as Stripe;
}

async function refuse(): Promise<never> {
  throw new Error('Demo mode can only confirm card payments.');
}

/** Confirms the payment, with 3-D Secure if the bank requires it. */
async function confirmCardPayment(
  publishableKey: string,
  clientSecret: string,
  { payment_method: { card, billing_details: billing } }: CardPaymentData,
): Promise<PaymentIntentResult> {
  const read = card.readCard();
  if ('problem' in read) {
    const { code, message } = read.problem;
    return { error: { type: 'validation_error', code, message } };
  }
  const [id] = clientSecret.split('_secret_');
  const confirmed = await postToDemoStripe(publishableKey, `/v1/payment_intents/${id}/confirm`, {
    client_secret: clientSecret,
    use_stripe_sdk: 'true',
    'payment_method_data[type]': 'card',
    ...nested('payment_method_data[card]', read.card),
    ...nested('payment_method_data[billing_details]', billing),
  });
  const action = confirmed.paymentIntent?.next_action?.use_stripe_sdk as
    | { stripe_js: string; source: string }
    | undefined;
  if (confirmed.paymentIntent?.status !== 'requires_action' || !action) return confirmed;
  const outcome = (await askAsTheBank(confirmed.paymentIntent.amount)) ? 'complete' : 'fail';
  const fields = { client_secret: clientSecret, source: action.source, outcome };
  const { paymentIntent, error } = await postToDemoStripe(publishableKey, action.stripe_js, fields);
  if (error) return { error };
  const refusal = paymentIntent.status === 'requires_payment_method' && paymentIntent.last_payment_error;
  return refusal ? { error: { ...refusal, payment_intent: paymentIntent } as StripeError } : { paymentIntent };
}

/** Nests the fields of `inner` under `name`: `number` becomes `name[number]`. */
const nested = (name: string, inner: object): FormFields =>
  Object.fromEntries(Object.entries(inner).map(([field, value]) => [`${name}[${field}]`, String(value)]));

/** Demo mode's version of Stripe's `elements()`. As with Stripe's own, only one card element can exist at a time. */
function createDemoElements() {
  let card: DemoCardElement | null = null;
  return {
    create(type: string) {
      if (type !== 'card') throw new Error(`Demo mode supports only card elements, not ${type}.`);
      if (card) throw new Error('A card element already exists.');
      card = createDemoCardElement(() => {
        card = null;
      });
      return card;
    },
    getElement: () => card,
  };
}
