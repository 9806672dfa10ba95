import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { Outcome } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import type { OrderCommand, OrderState } from '../order/order.ts';
import type { PaymentMeta } from './payments.ts';

/** The Stripe SDK calls that the payment steps and the reader use. */
export interface StripeCalls {
  readonly paymentIntents: Pick<Stripe['paymentIntents'], 'create' | 'retrieve' | 'cancel'>;
  readonly refunds: Pick<Stripe['refunds'], 'create' | 'list'>;
  readonly disputes: Pick<Stripe['disputes'], 'retrieve'>;
  readonly events: Pick<Stripe['events'], 'list'>;
  readonly balanceTransactions: Pick<Stripe['balanceTransactions'], 'list'>;
  readonly webhookEndpoints: Pick<Stripe['webhookEndpoints'], 'list'>;
}

export interface PaymentContext {
  readonly stripe: StripeCalls;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** how long an order waits for a payment that Stripe is processing, in ms (PAY7) */
  readonly processingTtlMs: number;
}

/**
 * Executes a payment step's command on the order. Stripe has already performed the step, so a full queue must not
 * reject the command (CMD5).
 */
export function executeOnOrder(
  { handler, clock }: PaymentContext,
  orderId: string,
  command: OrderCommand,
  meta: PaymentMeta & { readonly cause: string },
): Promise<Outcome<OrderState>> {
  return handler.execute(orderDecider, orderId, command, { ...meta, time: isoTime(clock()) }, { bypassLimits: true });
}
