import type { RequestListener } from 'node:http';
import type { Projecting } from '../engine/projector/follow-feed.ts';
import type { ShopCore } from '../engine/shop-core.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import type { ReadYourWrites } from '../http/read-your-writes.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import type { Payments } from '../shop/payment/payments.ts';
import type { Cleanup } from './cleanup.ts';
import type { ShopServer } from './http-server.ts';
import type { Measurements } from './measurements.ts';
import type { ProviderClients } from './shop-providers.ts';

/**
 * A process of a shop starts in four steps. An embedded shop and a shop on servers do the first step differently, and
 * share the other three:
 *
 * 1. openStores opens the log, the documents, the keys and the feed (embedded-core.ts, servers-core.ts).
 * 2. buildCore builds on them the command handler (shop-core.ts).
 * 3. buildProjector, buildGateway and buildApi build the parts that the process runs from this context.
 * 4. run starts the parts.
 */
export interface ShopContext {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly core: ShopCore;
  readonly providers: ProviderClients;
  readonly readYourWrites: ReadYourWrites;
  /** null disables rate limiting */
  readonly rateLimit: RateLimit | null;
  readonly measurements: Measurements;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cleanup: Cleanup;
}

export interface ShopProjector extends Pick<Projecting, 'consumer'> {
  readonly payments: Payments;
  /** Starts the work that isn't caused by an event: scanning orders, reading Stripe's lists and sending e-mails. */
  start(): void;
}

export function run(shopServer: ShopServer, listener: RequestListener, projector: ShopProjector | null): void {
  shopServer.answerWith(listener);
  projector?.start();
}
