import { join } from 'node:path';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { assertLogIsThere } from '../engine/log/lost-log.ts';
import { createMemoryRateLimit } from '../http/rate-limit/memory-rate-limit.ts';
import { RATE } from '../http/rate-limit/rate-limit.ts';
import { createReadYourWrites } from '../http/read-your-writes.ts';
import type { LiveGateway } from '../live/gateway.ts';
import { type Cleanup, drainFirst } from '../process/cleanup.ts';
import type { ShopServer } from '../process/http-server.ts';
import {
  createMeasurements,
  measureCommands,
  measureDemo,
  measureLive,
  measureMails,
  measureProjecting,
  measureReader,
  measureRefunds,
} from '../process/measurements.ts';
import { openMail } from '../process/open-mail.ts';
import { createOrderFlows } from '../process/order-flows.ts';
import { createShopApi, type ShopProviders } from '../process/shop-api.ts';
import { openShopGateway } from '../process/shop-gateway.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { type Secrets, SHOP_FILE } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { everyInterval } from '../runtime/schedule.ts';
import { createMemoryPackingClaims } from '../shop/packing/memory-packing-claims.ts';
import { type EmbeddedCore, openEmbeddedCore } from './embedded-core.ts';

export interface ShopContext {
  readonly config: Config;
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
  context: ShopContext,
  providers: ShopProviders,
): Promise<{ core: EmbeddedCore; gateway: LiveGateway }> {
  const { config, shopServer, clock, logger, cleanup } = context;
  const secrets = { ...context.secrets, accessToken: config.accessTokenSecret ?? context.secrets.accessToken };
  const readYourWrites = createReadYourWrites();
  const core = openEmbeddedCore({
    onWriterEnded: context.writerThread === false ? undefined : (reason) => context.onFatal?.(reason),
    dataDir: config.dataDir,
    clock,
    logger,
    onAppended: readYourWrites.appended,
    onProjected: readYourWrites.projected,
  });
  cleanup.add(() => core.close());
  await assertLogIsThere(core, join(config.dataDir, SHOP_FILE));
  core.watchFiles(everyInterval, (reason) => context.onFatal?.(reason));
  await core.noteErasures(everyInterval);
  const mail = await openMail(config, logger, cleanup);
  const origin = config.publicOrigin ?? shopServer.origin;
  const { payments, policies, reader, scan, mailer, erasures } = createOrderFlows({
    core,
    ...providers,
    mail,
    origin,
    processingTtlMs: config.processingTtlMs,
    clock,
    logger,
  });
  cleanup.add(() => reader.stop());
  cleanup.add(() => scan.stop());
  cleanup.add(async () => mailer?.stop());
  cleanup.add(() => erasures.stop());
  const projecting = await core.startProjecting(policies.follow);
  await context.seed?.(core.handler);
  // Before requests are admitted, order placements interrupted by a crash are completed, and documents catch up with
  // the log, including the events that policies append (ORD1).
  const { consumer } = projecting;
  while ((await consumer.lag()) > 0) await consumer.caughtUp();

  const rateLimit = config.rateLimit ? createMemoryRateLimit({ ...RATE, clock }) : null;
  const packing = createMemoryPackingClaims(clock);
  const { server } = shopServer;
  const gateway = await openShopGateway({
    server,
    config,
    secrets,
    core,
    identity: providers.identity,
    broadcast: core.broadcast,
    packing,
    clock,
    logger,
    rateLimit,
  });
  const isDraining = drainFirst(cleanup, shopServer, gateway);
  const measurements = createMeasurements();
  measureCommands(measurements, core.handler);
  measureProjecting(measurements, projecting, clock);
  measureLive(measurements, gateway);
  measureRefunds(measurements, scan);
  measureReader(measurements, reader);
  if (context.demo) measureDemo(measurements, context.demo);
  if (mailer) measureMails(measurements, mailer);
  const app = createShopApi({
    config,
    secrets,
    clock,
    logger,
    core,
    providers,
    payments,
    readYourWrites,
    packing,
    rateLimit,
    measurements,
    isDraining,
  });
  shopServer.answerWith(app);
  scan.start();
  reader.start();
  mailer?.start();
  return { core, gateway };
}
