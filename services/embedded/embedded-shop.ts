import { join } from 'node:path';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { assertLogIsThere } from '../engine/log/lost-log.ts';
import { createMemoryRateLimit } from '../http/rate-limit/memory-rate-limit.ts';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { createReadYourWrites } from '../http/read-your-writes.ts';
import type { LiveGateway } from '../live/gateway.ts';
import { buildApi } from '../process/build-api.ts';
import { buildGateway } from '../process/build-gateway.ts';
import { buildProjector } from '../process/build-projector.ts';
import { type Cleanup, drainFirst } from '../process/cleanup.ts';
import type { ShopServer } from '../process/http-server.ts';
import { createMeasurements, measureDemo } from '../process/measurements.ts';
import { run } from '../process/shop-context.ts';
import type { ProviderClients, ShopSite } from '../process/shop-providers.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EmbeddedConfig } from '../runtime/config.ts';
import { type Secrets, SHOP_FILE } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { everyInterval } from '../runtime/schedule.ts';
import { type EmbeddedCore, openEmbeddedCore } from './embedded-core.ts';
import { createMemoryPackingClaims } from './memory-packing-claims.ts';

export interface EmbeddedContext {
  readonly config: EmbeddedConfig;
  readonly secrets: Secrets;
  readonly shopServer: ShopServer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cleanup: Cleanup;
  /** The demo's own identity and payment providers; null if the shop uses real ones. */
  readonly demo?: { readonly isReady: () => boolean } | null;
  /** Appends the demo data that isn't in the log yet. */
  readonly seed?: ((handler: CommandHandler) => Promise<void>) | undefined;
  /** Called when the shop can't keep running. */
  readonly onFatal?: (reason: string) => void;
  /** Whether a separate thread writes the shop's file. False for a shop that runs inside a test's process. */
  readonly writerThread?: boolean;
}

/**
 * Resolves once the shop accepts requests. By then, order placements that were interrupted by a crash have been
 * completed (ORD1).
 */
export async function openEmbeddedShop(
  context: EmbeddedContext,
  providers: ProviderClients,
  site: ShopSite,
): Promise<{ core: EmbeddedCore; gateway: LiveGateway }> {
  const { config, shopServer, clock, cleanup } = context;
  const secrets = { ...context.secrets, accessToken: config.accessTokenSecret ?? context.secrets.accessToken };
  const readYourWrites = createReadYourWrites();
  const core = openEmbeddedCore({
    ...context,
    onWriterEnded: context.writerThread === false ? undefined : (reason) => context.onFatal?.(reason),
    dataDir: config.dataDir,
    onAppended: readYourWrites.appended,
    onProjected: readYourWrites.projected,
  });
  cleanup.add(() => core.close());
  await assertLogIsThere(core, join(config.dataDir, SHOP_FILE));
  core.watchFiles(everyInterval, (reason) => context.onFatal?.(reason));
  await core.noteErasures(everyInterval);
  const rateLimit = config.rateLimit ? createMemoryRateLimit({ ...RATE, clock }) : null;
  const measurements = createMeasurements();
  if (context.demo) measureDemo(measurements, context.demo);
  const shop = { ...context, secrets, core, providers, readYourWrites, rateLimit, measurements };

  const projector = await buildProjector(shop, config.publicOrigin ?? shopServer.origin, core.startProjecting);
  await context.seed?.(core.handler);
  // Before requests are admitted, order placements interrupted by a crash are completed, and documents catch up with
  // the log, including the events that policies append (ORD1).
  const { consumer, payments } = projector;
  while ((await consumer.lag()) > 0) await consumer.caughtUp();
  const packing = createMemoryPackingClaims(clock);
  const gateway = await buildGateway(shop, shopServer.server, { broadcast: core.broadcast, packing });
  const isDraining = drainFirst(cleanup, shopServer, gateway);
  const api = buildApi(shop, { site, payments, packing, isDraining });
  run(shopServer, api, projector);
  return { core, gateway };
}
