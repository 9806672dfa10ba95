import type Stripe from 'stripe';
import type { OwedPayments, Payments } from '../../payments/payments.ts';
import { createStripePayments } from '../../payments/stripe-payments.ts';
import { createPolicies, type Policies } from '../../policies/follow-events.ts';
import { createOrderScan, type OrderScan } from '../../policies/scan-orders.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { ShopCore } from './shop-core.ts';

/** What looks after orders beside their customers' commands: payments, what follows events, what waits on time. */
export interface OrderCare {
  readonly payments: Payments & OwedPayments;
  readonly policies: Policies;
  readonly scan: OrderScan;
}

export function createOrderCare(parts: {
  readonly core: Pick<ShopCore, 'handler' | 'readModels'>;
  readonly stripe: Stripe;
  readonly clock: Clock;
  readonly logger: Logger;
}): OrderCare {
  const { clock, logger } = parts;
  const { handler, readModels } = parts.core;
  const payments = createStripePayments({ stripe: parts.stripe, handler, clock, logger });
  const scan = createOrderScan({ handler, payments, readModels, clock, logger });
  return { payments, scan, policies: createPolicies({ handler, clock, logger, onOwing: scan.nudge }) };
}
