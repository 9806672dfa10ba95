import Stripe from 'stripe';
import { PaymentProviderFailed, PaymentUnavailable } from './payments.ts';

export interface StripeSettings {
  readonly secretKey: string;
  readonly simulatorUrl?: string | undefined;
}

/** How often the last idempotency key of a call changes, in ms. */
const KEY_CHANGES_MS = 600_000;

/** Creates the SDK's client for Stripe or for a simulator. A live key is never sent to a simulator. */
export function createStripeClient({ secretKey, simulatorUrl }: StripeSettings): Stripe {
  const common = { maxNetworkRetries: 2, timeout: 7_000, telemetry: false };
  if (simulatorUrl === undefined) return new Stripe(secretKey, common);
  if (/^[a-z]+_live/.test(secretKey)) throw new Error('A live Stripe key is not used with a simulator.');
  const { protocol, hostname, port, pathname } = new URL(simulatorUrl);
  if ((protocol !== 'http:' && protocol !== 'https:') || pathname !== '/') {
    throw new Error("The simulator's address is http://host:port without a path.");
  }
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return new Stripe(secretKey, {
    ...common,
    protocol: scheme,
    host: hostname,
    port: port || (scheme === 'https' ? 443 : 80),
  });
}

/** Runs an SDK call and translates Stripe's errors. @throws PaymentUnavailable, PaymentProviderFailed */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? translate(error) : error;
  }
}

/** Replaces the SDK's error, which could leak a payment intent's client secret into the log. */
function translate(error: Stripe.errors.StripeError): PaymentUnavailable | PaymentProviderFailed {
  const { type, code, statusCode, requestId, message } = error;
  const detail = [type, code, statusCode, requestId].filter(Boolean).join(' ');
  const passing =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    statusCode === 409 ||
    (statusCode !== undefined && statusCode >= 500);
  return passing
    ? new PaymentUnavailable(`Stripe is unavailable (${detail}): ${message}`)
    : new PaymentProviderFailed(`Stripe refused (${detail}): ${message}`, code, statusCode);
}

/**
 * Creates a Stripe object with an idempotency key. For a day, Stripe replays the first response to a key, even a 500, and
 * even a refusal whose reason is gone, such as a dispute that was won. If the response is a replayed failure, the call is
 * retried under `<key>:1`, `<key>:2` and `<key>:3`. If those keys have stored failures too, the last key depends on the
 * time, so that even a long outage delays the call by at most KEY_CHANGES_MS. `now` is in ms since the epoch. The caller
 * has to make sure that a second object does no harm, because a call whose outcome is unknown may be repeated under
 * another last key.
 */
export async function createUnderKey<T>(
  key: string,
  create: (options: Stripe.RequestOptions) => Promise<T>,
  now: number,
): Promise<T> {
  const successors = ['1', '2', '3', `t${Math.floor(now / KEY_CHANGES_MS)}`];
  const keys = [key, ...successors.map((successor) => `${key}:${successor}`)];
  for (const idempotencyKey of keys.slice(0, -1)) {
    try {
      return await create({ idempotencyKey });
    } catch (error) {
      if (!isReplayedFailure(error)) throw error;
    }
  }
  return create({ idempotencyKey: keys.at(-1) ?? key });
}

function isReplayedFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true';
}
