import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { z } from 'zod';
import { idSchema } from '../../contracts/ids.ts';
import { PROBLEMS, type ProblemCode } from '../../contracts/problems.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import { sendProblem } from '../../runtime/problem-response.ts';
import { StoreUnavailable } from '../../runtime/store-unavailable.ts';
import { ENDING_EVENTS, type Known, PaymentProviderFailed, PaymentUnavailable, WEBHOOK_PATH } from './payments.ts';
import { type EventSettling, type StripeEvent, settleEvent, stripeEventSchema } from './stripe-events.ts';

/** The maximum age of a webhook signature, in seconds (PAY3). */
const TOLERANCE_S = 300;
const MAX_BODY = '512kb';

/**
 * An event that contains everything needed to record a payment. The event must come from the shop's own account. Events
 * from other accounts have `account` or `context` set.
 */
const succeededSchema = z.object({
  type: z.literal('payment_intent.succeeded'),
  livemode: z.boolean(),
  account: z.null().optional(),
  context: z.null().optional(),
  data: z.object({
    object: z.object({
      object: z.literal('payment_intent'),
      status: z.literal('succeeded'),
      amount: z.number(),
      amount_received: z.number(),
      currency: z.string(),
      livemode: z.boolean(),
      metadata: z.object({ orderId: idSchema }),
    }),
  }),
});

interface WebhookSettings extends EventSettling {
  readonly stripe: Pick<Stripe, 'webhooks'>;
  readonly webhookSecret: string;
  /** True if the shop takes real money. An event's amounts are trusted only if its `livemode` has the same value. */
  readonly livemode: boolean;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly clock?: Clock;
}

/**
 * Creates the router for Stripe's webhooks. The router responds with 5xx if the outcome couldn't be recorded, so that
 * Stripe sends the event again (PAY3). Mount it before express.json(), because signatures are checked against the raw
 * body.
 */
export function createStripeWebhookRouter(settings: WebhookSettings): Router {
  const router = express.Router();
  const rawBody = express.raw({ type: () => true, limit: MAX_BODY });
  router.post(WEBHOOK_PATH, rawBody, (request, response) => receive(settings, request, response));
  router.use(WEBHOOK_PATH, unreadableBody(settings));
  return router;
}

async function receive(settings: WebhookSettings, request: Request, response: Response): Promise<void> {
  const failure = await handleWebhook(settings, request.body, request.get('stripe-signature'));
  if (failure === null) response.json({ received: true });
  else sendProblem(response, failure, retryOf(failure));
}

/**
 * Processes one delivery of a webhook. `body` is a Buffer unless the request had no body. Returns null if the event may
 * be acknowledged. Otherwise returns the code of the problem to respond with.
 */
export async function handleWebhook(
  settings: WebhookSettings,
  body: unknown,
  signature: string | undefined,
): Promise<ProblemCode | null> {
  const { logger } = settings;
  if (!Buffer.isBuffer(body) || !isSigned(settings, body, signature)) {
    logger.warn({ bytes: Buffer.isBuffer(body) ? body.length : 0 }, 'a webhook without a valid signature was refused');
    return 'invalid_signature';
  }
  const json = parseJson(body.toString('utf8'));
  const { data: event } = stripeEventSchema.safeParse(json);
  if (!event) {
    logger.warn({ bytes: body.length }, 'a signed webhook that is not a Stripe event was refused');
    return 'invalid_webhook';
  }
  return settleWebhook(settings, event, knownFrom(json, settings.livemode));
}

function isSigned({ stripe, webhookSecret, clock = systemClock }: WebhookSettings, body: Buffer, header?: string) {
  try {
    const { signature } = stripe.webhooks;
    return signature?.verifyHeader(body, header ?? '', webhookSecret, TOLERANCE_S, undefined, clock()) === true;
  } catch {
    // The error isn't logged, because its message contains the webhook's body and signature header.
    return false;
  }
}

/**
 * Returns the facts that the event establishes about its payment intent, or undefined if the intent has to be fetched
 * from Stripe.
 */
function knownFrom(json: unknown, livemode: boolean): Known | undefined {
  const event = succeededSchema.safeParse(json).data;
  if (event?.livemode !== livemode || event.data.object.livemode !== livemode) return undefined;
  const { amount, amount_received: amountReceived, currency, metadata } = event.data.object;
  return { orderId: metadata.orderId, signed: { amount, amountReceived, currency } };
}

/** Returns null if the event may be acknowledged. Otherwise returns the code of the problem to respond with. */
async function settleWebhook(
  settings: WebhookSettings,
  event: StripeEvent,
  known: Known | undefined,
): Promise<ProblemCode | null> {
  const { logger } = settings;
  const { id, type, object } = event;
  const line = { event: id, type, object };
  const meta = { actor: 'system:stripe-webhook', correlationId: id };
  let outcome: Awaited<ReturnType<typeof settleEvent>>;
  try {
    outcome = await settleEvent(settings, event, { meta, known });
  } catch (error) {
    logger.error({ ...line, err: error }, 'a webhook could not be processed; Stripe will send it again');
    if (error instanceof StoreUnavailable) return 'store_unavailable';
    if (error instanceof PaymentUnavailable) return 'payment_unavailable';
    return error instanceof PaymentProviderFailed ? 'payment_provider_failed' : 'internal';
  }
  switch (outcome?.kind) {
    case 'not_ours':
      logger.info(line, 'acknowledged a webhook for a payment intent that is not ours');
      return null;
    case 'not_complete':
      if (!ENDING_EVENTS.some((ending) => ending === type)) return null;
      logger.error(
        { ...line, status: outcome.status },
        'a webhook says that its payment intent has ended, but the Stripe API says that it has not; Stripe will send the webhook again',
      );
      return 'payment_provider_failed';
    case 'refused':
      logger.error(
        { ...line, refusal: outcome.refusal },
        'the outcome that a webhook reports was refused by the rules for orders; Stripe will send the webhook again',
      );
      return 'internal';
    default:
      // The outcome is recorded, or a note about the payment is stored, so another delivery would change nothing.
      return null;
  }
}

function unreadableBody({ logger }: WebhookSettings): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const status = z.object({ status: z.number().int() }).safeParse(error).data?.status;
    if (status === undefined || status < 400 || status > 499) return next(error);
    logger.warn({ status }, 'a webhook with an unreadable body was refused');
    sendProblem(response, status === 413 ? 'payload_too_large' : 'invalid_webhook');
  };
}

function retryOf(code: ProblemCode) {
  return PROBLEMS[code].status === 503 ? { headers: { 'Retry-After': '5' } } : {};
}
