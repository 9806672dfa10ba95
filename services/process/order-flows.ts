import { randomUUID } from 'node:crypto';
import type { ShopCore } from '../engine/shop-core.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Every, Timing } from '../runtime/schedule.ts';
import { createStripeReader } from '../shop/ledger/stripe-reader-flow.ts';
import { createOrderMailer } from '../shop/mail/order-mailer-flow.ts';
import type { MailTransport } from '../shop/mail/send-mail.ts';
import type { StripeCalls } from '../shop/payment/payment-context-flow.ts';
import { createOrderScan } from '../shop/payment/scan-orders-flow.ts';
import { createStripePayments } from '../shop/payment/stripe-payments-flow.ts';
import { createErasures, type ErasureSettings, type PersonalStores } from '../shop/people/erase-person-flow.ts';
import { createPolicies } from './policies.ts';

export function createOrderFlows(parts: {
  readonly core: ShopCore & Pick<ErasureSettings, 'vault'>;
  readonly identity: Pick<IdentityProvider, 'accounts' | 'deleteAccount'>;
  readonly stripe: StripeCalls;
  readonly forgetPayers: PersonalStores['forgetPayers'];
  /** undefined if the shop sends no e-mail */
  readonly mail: MailTransport | undefined;
  /** the shop's origin as browsers see it, e.g. `https://shop.example` */
  readonly origin: string;
  /** how long an order waits for a payment that Stripe is processing, in ms; 24 hours by default */
  readonly processingTtlMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId?: () => string;
  readonly every?: Every;
  readonly timing?: Timing;
}) {
  const { identity, mail, origin, processingTtlMs, clock, logger, newId = randomUUID, every, timing } = parts;
  const schedule = timing?.schedule;
  const { handler, log, readModels, sealing, vault, wipe } = parts.core;
  const payments = createStripePayments({
    stripe: parts.stripe,
    handler,
    clock,
    logger,
    processingTtlMs,
    schedule,
  });
  const reader = createStripeReader({ stripe: parts.stripe, payments, handler, clock, logger, every });
  const scan = createOrderScan({ handler, payments, readModels, clock, logger, every });
  const mailer =
    mail &&
    createOrderMailer({ handler, source: parts.core, identity, ...mail, origin, clock, newId, logger, every, timing });
  const stores: PersonalStores = {
    forgetKey: sealing.erase,
    deleteAccount: (uid) => identity.deleteAccount(uid),
    forgetPayers: parts.forgetPayers,
    wipe,
  };
  const erasures = createErasures({ handler, log, vault, stores, logger, schedule });
  const policies = createPolicies({ handler, clock, logger, erasures, onOwing: scan.nudge, ...(mailer && { mailer }) });
  return { payments, reader, scan, mailer, erasures, policies };
}
