import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import type { PaymentMeta } from './payments.ts';

/** What every payment step works with. */
export interface PaymentContext {
  readonly stripe: Stripe;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** A payment step was let in when it began, and Stripe has done its part by now: no full queue may cut it (CMD5). */
export const ADMITTED = { admitted: true } as const;

export function commandMeta({ clock }: PaymentContext, meta: PaymentMeta, cause: string): CommandMeta {
  return { ...meta, cause, time: isoTime(clock()) };
}
