import type Stripe from 'stripe';
import { CURRENCY, toPoisha } from '../../contracts/money.ts';
import type { Refusal } from '../../contracts/refusals.ts';
import { orderDecider } from '../order/decide-order.ts';
import { type KnownOrder, nextAttempt, openIntent } from '../order/order.ts';
import { executeOnOrder, type PaymentContext, type StripeCalls } from './payment-context-flow.ts';
import { type CreateIntentOutcome, type PaymentMeta, PaymentProviderFailed } from './payments.ts';
import { abandonMissing, closeIntent, retrieveIntent } from './settle-flow.ts';
import { callStripe, createUnderKey } from './stripe-client-flow.ts';

const MAX_ROUNDS = 5;
/** The statuses in which a payment intent can be paid with its client secret, or is being paid right now. */
const PAYABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'];

/** The order's payment intent as Stripe currently reports it, or the reason why no intent could be created. */
type Started = { readonly kind: 'started'; readonly intent: Stripe.PaymentIntent } | Refused;
type Refused = Extract<CreateIntentOutcome, { kind: 'refused' }>;

/**
 * Returns the client secret of the order's open payment intent. `PaymentStarted` is appended before the secret is
 * returned, so no payment goes unnoticed (PAY2).
 */
export async function createIntent(
  context: PaymentContext,
  orderId: string,
  meta: PaymentMeta,
): Promise<CreateIntentOutcome> {
  const { handler, stripe } = context;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { state } = await handler.load(orderDecider, orderId);
    if (state.status === 'absent') return refused({ code: 'not_found', id: orderId });
    if (state.status === 'cancelled') return refused({ code: 'order_cancelled', orderId });
    if (state.status !== 'unpaid') return refused({ code: 'order_paid', orderId });

    const open = openIntent(state);
    const started: Started | null = open
      ? await findOpen(stripe, open.intent)
      : await startIntent(context, state, meta);
    if (started === null) {
      if (open) await abandonMissing(context, orderId, open.intent, meta);
      continue;
    }
    if (started.kind === 'refused') {
      if (started.refusal.code === 'payment_superseded') continue;
      return started;
    }
    const { intent } = started;
    if (mayBePaid(intent, state) && intent.client_secret) {
      return { kind: 'secret', clientSecret: intent.client_secret };
    }
    await closeIntent(context, orderId, intent.id, meta);
  }
  throw new PaymentProviderFailed(`Order ${orderId} has no payable intent after ${MAX_ROUNDS} rounds.`);
}

/** Fetches an order's open payment intent. Returns null if Stripe doesn't know it. */
async function findOpen(stripe: StripeCalls, intentId: string): Promise<Started | null> {
  const intent = await retrieveIntent(stripe, intentId);
  return intent && { kind: 'started', intent };
}

/**
 * Creates a Stripe payment intent for the next payment attempt, then appends `PaymentStarted`. If the call is repeated,
 * Stripe returns the same intent.
 */
async function startIntent(context: PaymentContext, state: KnownOrder, meta: PaymentMeta): Promise<Started> {
  const { id: orderId } = state;
  const attempt = nextAttempt(state);
  const amount = toPoisha(state.total);
  const params: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: CURRENCY,
    metadata: { orderId },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  };
  const made = await callStripe(() =>
    createUnderKey(
      `order:${orderId}:pi:${attempt}`,
      (options) => context.stripe.paymentIntents.create(params, options),
      context.clock(),
    ),
  );
  const { id } = made;
  const command = { type: 'StartPayment', intent: id, attempt, amount } as const;
  const outcome = await executeOnOrder(context, orderId, command, { ...meta, cause: `pi:${attempt}` });
  if (outcome.kind === 'refused') {
    await cancelQuietly(context, id, orderId);
    return outcome;
  }
  // A replayed response shows the payment intent as it was when it was created, so the current state is fetched.
  const isReplayed = made.lastResponse.headers['idempotent-replayed'] !== undefined;
  const intent = isReplayed ? await callStripe(() => context.stripe.paymentIntents.retrieve(id)) : made;
  return { kind: 'started', intent };
}

/**
 * Tries to cancel a payment intent. A failure is only logged, because nobody has received the intent's client secret
 * and nobody can pay without it.
 */
async function cancelQuietly({ stripe, logger }: PaymentContext, intentId: string, orderId: string): Promise<void> {
  try {
    await callStripe(() => stripe.paymentIntents.cancel(intentId));
  } catch (error) {
    logger.warn(
      { err: error, orderId, intent: intentId },
      'could not cancel an unused payment intent; it stays open, but nobody can pay with it',
    );
  }
}

function mayBePaid(intent: Stripe.PaymentIntent, { total }: KnownOrder): boolean {
  return PAYABLE.includes(intent.status) && intent.amount === toPoisha(total) && intent.currency === CURRENCY;
}

function refused(refusal: Refusal): Refused {
  return { kind: 'refused', refusal };
}
