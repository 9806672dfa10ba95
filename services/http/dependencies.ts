import type { RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { ClientConfig } from '../contracts/client-config.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import type { EventLog } from '../engine/log/event-log.ts';
import type { Sealing } from '../engine/log/sealing.ts';
import type { Projection } from '../engine/projector/projection.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import type { AccessTokens } from '../identity/access-token.ts';
import type { Accounts } from '../identity/accounts.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import type { ReadYourWrites } from './read-your-writes.ts';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, unknown>>;
}

type Setting =
  | 'unpaidOrderTtlMs'
  | 'maxUnpaidOrders'
  | 'paymentMinimumTaka'
  | 'corsOrigins'
  | 'trustedProxies'
  | 'publicOrigin'
  | 'metricsToken';

/** Creates the handler for requests that match no route. */
export type Fallback = (shop: ApiDependencies) => RequestHandler;

/**
 * What every route gets. The rooms of the shop add to this interface what only their own routes need
 * (`declare module`).
 */
export interface ApiDependencies {
  readonly handler: CommandHandler;
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  readonly readYourWrites: ReadYourWrites;
  readonly identity: IdentityProvider;
  readonly accounts: Accounts;
  readonly clock: Clock;
  /** generates request ids, and keys for requests without an Idempotency-Key */
  readonly newId: () => string;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly readiness: () => Promise<Readiness>;
  readonly clientConfig: ClientConfig;
  readonly settings: Pick<Config, Setting> & { readonly adminEmails: readonly string[] };
  readonly accessTokens: AccessTokens;
  readonly secrets: Pick<Secrets, 'userId' | 'idempotency'>;
  /** requests are not limited if this is null or absent */
  readonly rateLimit?: RateLimit | null;
  /** returns true once the process is stopping and refuses commands */
  readonly isDraining?: () => boolean;
  /** routers that read request bodies themselves (Stripe's webhook, the demo's proxies), mounted before the routes */
  readonly edge?: readonly RequestHandler[];
  /** creates the handler that serves the web client where no route matches (spa.ts) */
  readonly fallback?: Fallback;
}
