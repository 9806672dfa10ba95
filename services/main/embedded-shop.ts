import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import { createApi } from '../api/app.ts';
import { createAuthenticator } from '../api/authenticate.ts';
import { createInProcessExclusive } from '../api/exclusive/in-process-exclusive.ts';
import { createMemoryRateLimit } from '../api/rate-limit/memory-rate-limit.ts';
import { createRecentAppends } from '../api/recent-appends.ts';
import type { CommandHandler } from '../command-handler/command-handler.ts';
import type { ClientConfig } from '../contracts/http.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { createLiveGateway, type LiveGateway } from '../live/gateway.ts';
import { createStripePayments } from '../payments/stripe-payments.ts';
import { createStripeWebhookRouter } from '../payments/webhook.ts';
import { createPolicies } from '../policies/follow-events.ts';
import { createOrderScan } from '../policies/scan-orders.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { type EmbeddedCore, openEmbeddedCore } from './embedded-core.ts';
import type { Endings } from './endings.ts';
import type { ShopServer } from './http-server.ts';
import { shopMetrics } from './metrics.ts';

/** Calls of one caller, or address, that are let in at once, and each second after that. */
const RATE = { burst: 120, perSecond: 20 };

/** What an embedded shop stands on: its settings, its files, its port. */
export interface ShopGround {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly shopServer: ShopServer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly endings: Endings;
}

/** The providers that sign people in and take their money, and what the browser is told of them. */
export interface ShopProviders {
  readonly identity: IdentityProvider;
  readonly stripe: Stripe;
  readonly webhookSecret: string;
  readonly clientConfig: ClientConfig;
  readonly adminEmails: readonly string[];
  /** routers that read bodies themselves, beside Stripe's webhook */
  readonly edge: readonly RequestHandler[];
  /** answers what no route of the API does */
  readonly fallback?: RequestHandler;
  /** appends what the shop is to begin with; any number of times */
  readonly seed?: (handler: CommandHandler) => Promise<void>;
}

/** Opens log, projections, payments, live pushes and HTTP of one embedded shop; resolves once what a crash cut is finished. */
export async function openEmbeddedShop(
  ground: ShopGround,
  providers: ShopProviders,
): Promise<{ core: EmbeddedCore; gateway: LiveGateway }> {
  const { config, secrets, shopServer, clock, logger, endings } = ground;
  const accessTokenSecret = config.accessTokenSecret ?? secrets.accessToken;
  const recentAppends = createRecentAppends();
  const core = openEmbeddedCore({
    dataDir: config.dataDir,
    clock,
    logger,
    onAppended: recentAppends.appended,
    onProjected: recentAppends.projected,
  });
  endings.add(() => core.close());
  const { handler, readModels } = core;
  const payments = createStripePayments({ stripe: providers.stripe, handler, clock, logger });
  const scan = createOrderScan({ handler, payments, readModels, clock, logger });
  endings.add(() => scan.stop());
  const policies = createPolicies({ handler, clock, logger, onOwing: scan.nudge });
  const projecting = await core.startProjecting(policies.follow);
  await providers.seed?.(handler);
  // Placements that a crash cut are finished, and documents are as new as the log, before anybody is let in (ORD1).
  // What policies append is waited for as well.
  while ((await projecting.lag()) > 0) await projecting.caughtUp();

  const authenticator = createAuthenticator({
    handler,
    identity: providers.identity,
    accessTokenSecret,
    clock,
    trustsUnverifiedEmails: config.firebase.mode === 'demo',
  });
  const gateway = await createLiveGateway({
    server: shopServer.server,
    broadcast: core.broadcast,
    authenticate: (token) => authenticator.caller(token),
    clock,
    onRefused: (reason) => logger.info({ reason }, 'a live connection was refused'),
  });
  let draining = false;
  // First of all at the end: no new command, no live connection, and open requests are answered.
  endings.add(async () => {
    draining = true;
    await gateway.close();
    await shopServer.close();
  });
  const { webhookSecret, stripe } = providers;
  const webhook = createStripeWebhookRouter({ stripe, webhookSecret, settle: payments.settle, logger });
  const app = createApi({
    ...core,
    ...shopMetrics({ core, projecting, gateway }),
    recentAppends,
    identity: providers.identity,
    payments,
    exclusive: createInProcessExclusive(),
    clock,
    newId: randomUUID,
    logger,
    clientConfig: providers.clientConfig,
    settings: {
      accessTokenSecret,
      userIdSecret: secrets.userId,
      idempotencySecret: secrets.idempotency,
      adminEmails: providers.adminEmails,
      unpaidOrderTtlMs: config.unpaidOrderTtlMs,
      paymentMinimumTaka: config.paymentMinimumTaka,
      corsOrigins: config.corsOrigins,
    },
    ...(config.rateLimit ? { rateLimit: createMemoryRateLimit({ ...RATE, clock }) } : {}),
    isDraining: () => draining,
    edge: [webhook, ...providers.edge],
    ...(providers.fallback ? { fallback: providers.fallback } : {}),
  });
  shopServer.answerWith(app);
  scan.start();
  return { core, gateway };
}
