import type {
  ConfirmCardPaymentData,
  ConfirmCardPaymentOptions,
  PaymentIntent,
  PaymentIntentResult,
  PaymentMethodResult,
  Stripe,
  StripeError,
} from '@stripe/stripe-js';
import { createDemoCardElement, type DemoCardElement } from './demo-card-element.ts';
import { askAsTheBank } from './demo-challenge.ts';
import { createDemoStripeCalls, type DemoStripeCalls, type FormFields } from './demo-stripe-calls.ts';

const BASE = '/demo-stripe';

/** A card as Stripe's methods take it: an element, or the id of a test card. */
interface CardSource {
  card?: unknown;
  billing_details?: unknown;
}

type Read = { fields: FormFields; error?: undefined } | { fields?: undefined; error: StripeError };

/**
 * The browser's Stripe object of demo mode. `<Elements>` and the payment form use it exactly as Stripe's own, which
 * leaves the real form the tested one; behind it stands the local Stripe, which takes test cards alone.
 */
export function createDemoStripe(publishableKey: string, now: () => Date = () => new Date()): Stripe {
  const calls = createDemoStripeCalls(BASE, publishableKey);
  const demo = {
    elements: () => createDemoElements(now),
    async createPaymentMethod(data: CardSource & { type?: string }): Promise<PaymentMethodResult> {
      const read = readSource(data);
      if (read.error) return { error: read.error };
      const { value, error } = await calls.createPaymentMethod(read.fields);
      return error ? { error } : { paymentMethod: value };
    },
    async createToken(): Promise<{ error: StripeError }> {
      return { error: { type: 'invalid_request_error', message: 'Tokens are not part of demo mode.' } };
    },
    confirmCardPayment: (secret: string, data?: ConfirmCardPaymentData, options?: ConfirmCardPaymentOptions) =>
      confirmCardPayment(calls, secret, data, options),
    async retrievePaymentIntent(secret: string): Promise<PaymentIntentResult> {
      const { value, error } = await calls.retrieve(intentIdOf(secret), secret);
      return error ? { error } : { paymentIntent: value };
    },
    async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<PaymentIntentResult> {
      const { value, error } = await calls.retrieve(intentIdOf(clientSecret), clientSecret);
      return error ? { error } : finish(calls, value, clientSecret);
    },
    _registerWrapper: () => {},
    registerAppInfo: () => {},
  };
  return demo as unknown as Stripe;
}

async function confirmCardPayment(
  calls: DemoStripeCalls,
  clientSecret: string,
  data: ConfirmCardPaymentData = {},
  options: ConfirmCardPaymentOptions = {},
): Promise<PaymentIntentResult> {
  const { payment_method: source } = data;
  const read: Read =
    typeof source === 'object'
      ? nested('payment_method_data', readSource(source))
      : { fields: { payment_method: source } };
  if (read.error) return { error: read.error };
  const fields = { ...read.fields, client_secret: clientSecret, use_stripe_sdk: true };
  const { value, error } = await calls.confirm(intentIdOf(clientSecret), fields);
  if (error) return { error };
  return options.handleActions === false ? { paymentIntent: value } : finish(calls, value, clientSecret);
}

/** Goes through 3-D Secure where the bank asks for it. */
async function finish(
  calls: DemoStripeCalls,
  intent: PaymentIntent,
  clientSecret: string,
): Promise<PaymentIntentResult> {
  const action = intent.next_action?.use_stripe_sdk as { stripe_js: string; source: string } | undefined;
  if (intent.status !== 'requires_action' || !action) return { paymentIntent: intent };
  const outcome = (await askAsTheBank(intent.amount)) ? 'complete' : 'fail';
  const fields = { client_secret: clientSecret, source: action.source, outcome };
  const { value, error } = await calls.answerChallenge(action.stripe_js, fields);
  if (error) return { error };
  if (value.status === 'requires_payment_method' && value.last_payment_error) {
    return { error: { ...value.last_payment_error, payment_intent: value } as StripeError };
  }
  return { paymentIntent: value };
}

/** `elements()`: at most one card element at a time, as at Stripe. */
function createDemoElements(now: () => Date) {
  let card: DemoCardElement | null = null;
  return {
    create(type: string, options: { disabled?: boolean } = {}) {
      if (type !== 'card') throw new Error(`Demo mode has a card element, not ${type}.`);
      if (card) throw new Error('There is a card element already.');
      card = createDemoCardElement(options, now, () => {
        card = null;
      });
      return card;
    },
    getElement(wanted: string | { __elementType?: string }) {
      const type = typeof wanted === 'string' ? wanted : wanted.__elementType;
      return type === 'card' ? card : null;
    },
    update: () => {},
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
}

function readSource({ card, billing_details: billing }: CardSource): Read {
  if (typeof card !== 'object' || card === null || !('readCard' in card)) {
    return { error: { type: 'invalid_request_error', message: 'A card element is needed.' } };
  }
  const read = (card as DemoCardElement).readCard();
  if ('problem' in read) {
    const { code, message } = read.problem;
    return { error: { type: 'validation_error', code, message } };
  }
  return { fields: { type: 'card', card: { ...read.card }, billing_details: billing as FormFields | undefined } };
}

function nested(name: string, read: Read): Read {
  return read.error ? read : { fields: { [name]: read.fields } };
}

/** A client secret is `<intent id>_secret_<random>`. */
function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_', 1)[0] ?? '';
}
