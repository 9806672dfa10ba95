import type { Refusal } from '../../contracts/refusals.ts';

/** Who asks for a payment step, and in answer to which request. */
export interface PaymentMeta {
  /** a user id, or `system:<policy>` */
  readonly actor: string;
  readonly correlationId: string;
}

/** The secret by which a browser may pay one intent, or why the order takes no payment. */
export type CreateIntentOutcome =
  | { readonly kind: 'secret'; readonly clientSecret: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * What became of an intent. `version` is that of the order's stream; `modified` says that this call appended something;
 * `paid` that this intent is the one that paid the order. A `status` of Stripe's that can still change is not complete.
 */
export type SettleOutcome =
  | {
      readonly kind: 'settled';
      readonly orderId: string;
      readonly version: number;
      readonly modified: boolean;
      readonly paid: boolean;
    }
  | { readonly kind: 'not_ours' }
  | { readonly kind: 'not_complete'; readonly orderId: string; readonly status: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Paying orders by card. Money is asked for at Stripe and recorded on the order's stream. */
export interface Payments {
  /**
   * The secret of the order's one open intent, which is made where there is none (PAY2).
   * @throws PaymentUnavailable, PaymentProviderFailed; asking again is safe after both
   */
  createIntent(orderId: string, meta: PaymentMeta): Promise<CreateIntentOutcome>;
  /**
   * Asks Stripe for an intent and records what became of it; any number of times, from anywhere (PAY1).
   * @throws PaymentUnavailable, PaymentProviderFailed; asking again is safe after both
   */
  settle(intentId: string, meta: PaymentMeta): Promise<SettleOutcome>;
}

/** What an order's past leaves to be done at Stripe; each is decided again on the folded stream, by any number of copies. */
export interface OwedPayments {
  settle: Payments['settle'];
  /**
   * Asks Stripe for the refunds of an intent and records what became of them; any number of times (PAY6).
   * @throws PaymentUnavailable, PaymentProviderFailed; asking again is safe after both
   */
  settleRefunds(intentId: string, meta: PaymentMeta): Promise<{ readonly kind: 'recorded' | 'not_ours' }>;
  /** Gives the money of an intent back where the order's stream says that it is due, and looks at refunds under way (PAY4, PAY6). */
  refund(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
  /** Closes an intent that an order no longer waits for; where it was paid before that, a refund becomes due (PAY5). */
  withdraw(orderId: string, intentId: string, meta: PaymentMeta): Promise<void>;
}

/** Stripe cannot be reached, or is too busy: try again later. HTTP 503 `payment_unavailable`. */
export class PaymentUnavailable extends Error {
  override readonly name = 'PaymentUnavailable';
}

/** Stripe answered something that this shop cannot work with. HTTP 502 `payment_provider_failed`. */
export class PaymentProviderFailed extends Error {
  override readonly name = 'PaymentProviderFailed';
  /** Stripe's own code, e.g. `amount_too_small`; undefined where it gave none */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
