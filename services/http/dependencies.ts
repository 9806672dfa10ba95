import type { RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { ClientConfig } from '../contracts/answers.ts';
import type { Projection } from '../contracts/projection.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import type { EventLog } from '../engine/log/event-log.ts';
import type { Sealing } from '../engine/log/sealing.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import type { Payments } from '../flows/payments/payments.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import type { RecentAppends } from './recent-appends.ts';

/** Whether every part answers, each part by name. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, unknown>>;
}

/** What the API takes from the configuration. Times in milliseconds, amounts in whole taka. */
export interface ApiSettings {
  /** signs access tokens; 32 bytes or more */
  readonly accessTokenSecret: string;
  /** turns e-mails into user ids */
  readonly userIdSecret: string;
  /** turns idempotency keys into the ids of what a POST creates */
  readonly idempotencySecret: string;
  /** trimmed and lower-cased */
  readonly adminEmails: readonly string[];
  readonly unpaidOrderTtlMs: number;
  /** of one customer at once; 0: neither these nor the pace of placements are limited */
  readonly maxUnpaidOrders: number;
  readonly paymentMinimumTaka: number;
  /** other origins whose pages may call this API */
  readonly corsOrigins: readonly string[];
  /** reverse proxies in front, whose X-Forwarded-For tells the caller's address */
  readonly trustedProxies: number;
  /** how browsers reach the shop; null: by loopback, or by its address, alone */
  readonly publicOrigin: string | null;
  /** the bearer that opens /metrics, and the details of /readyz, to others than loopback */
  readonly metricsToken: string | null;
}

/** Everything that the HTTP API stands on. */
export interface ApiDependencies {
  readonly handler: CommandHandler;
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly projection: Projection;
  readonly recentAppends: RecentAppends;
  readonly identity: IdentityProvider;
  readonly payments: Payments;
  readonly clock: Clock;
  /** makes ids that never repeat: of requests, and in place of an Idempotency-Key that did not come */
  readonly newId: () => string;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly readiness: () => Promise<Readiness>;
  readonly clientConfig: ClientConfig;
  readonly settings: ApiSettings;
  /** absent: nobody is limited */
  readonly rateLimit?: RateLimit;
  /** true once the process is stopping: commands are refused from then on */
  readonly isDraining?: () => boolean;
  /** routers that read bodies themselves (webhook, proxies), mounted before the API's routes */
  readonly edge?: readonly RequestHandler[];
  /** answers what no route of the API does: the web client (spa.ts) */
  readonly fallback?: RequestHandler;
}
