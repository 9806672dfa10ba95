import type Stripe from 'stripe';
import type { ShopCore } from '../engine/shop-core.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { PersonalStores } from './follow-ups/erase-person.ts';
import { createPolicies } from './follow-ups/follow-events.ts';
import { createStripePayments } from './payments/stripe-payments.ts';
import { createOrderScan } from './scans/scan-orders.ts';

export function createOrderFlows(parts: {
  readonly core: Pick<ShopCore, 'handler' | 'readModels' | 'sealing' | 'wipe'>;
  readonly identity: Pick<IdentityProvider, 'deleteAccount'>;
  readonly stripe: Stripe;
  readonly forgetPayers: PersonalStores['forgetPayers'];
  readonly clock: Clock;
  readonly logger: Logger;
}) {
  const { clock, logger } = parts;
  const { handler, readModels, sealing, wipe } = parts.core;
  const payments = createStripePayments({ stripe: parts.stripe, handler, clock, logger });
  const scan = createOrderScan({ handler, payments, readModels, clock, logger });
  const stores: PersonalStores = {
    forgetKey: sealing.erase,
    deleteAccount: (uid) => parts.identity.deleteAccount(uid),
    forgetPayers: parts.forgetPayers,
    wipe,
  };
  const erasure = { readModels, stores };
  return { payments, scan, policies: createPolicies({ handler, clock, logger, erasure, onOwing: scan.nudge }) };
}
