import { buildApi } from '../process/build-api.ts';
import { buildGateway } from '../process/build-gateway.ts';
import { buildProjector } from '../process/build-projector.ts';
import { type Cleanup, drainFirst, startWithCleanup } from '../process/cleanup.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, StartOptions } from '../process/run-process.ts';
import { run } from '../process/shop-context.ts';
import { openSite } from '../process/shop-providers.ts';
import { type Config, ConfigError, type ServersConfig } from '../runtime/config.ts';
import { createStripePayments } from '../shop/payment/stripe-payments-flow.ts';
import { openFeedsOfPushes, openPackingClaims, startProjecting } from './role-adapters.ts';
import { openRoleContext } from './role-context.ts';
import { createRoleHealth } from './role-health.ts';

/** Any number of processes may run a role, and one process may run several roles. */
export type Role = 'api' | 'projector' | 'live';

/**
 * A projector's own address isn't the shop's. Sending real mail requires PUBLIC_ORIGIN. In a demo, any origin will do,
 * because the mailbox runs in another process and renders e-mails with its own links.
 */
const DEMO_ORIGIN = 'http://127.0.0.1:8080';

export async function startRoles(roles: readonly Role[], config: Config, options: StartOptions): Promise<Shop> {
  if (!config.servers) {
    throw new ConfigError('Configuration: this role requires MONGODB_URI, KAFKA_BROKERS and REDIS_URL.');
  }
  return startWithCleanup((cleanup) => assemble(roles, config, options, cleanup));
}

async function assemble(
  roles: readonly Role[],
  config: ServersConfig,
  options: StartOptions,
  cleanup: Cleanup,
): Promise<string> {
  const shopServer = await openShopServer(config);
  const { origin } = shopServer;
  cleanup.add(() => shopServer.close());
  const shop = await openRoleContext(config, options, cleanup);
  const { core, providers, measurements, clock, logger } = shop;

  const projector = roles.includes('projector')
    ? await buildProjector(shop, config.publicOrigin ?? DEMO_ORIGIN, (runPolicies) =>
        startProjecting(shop, runPolicies),
      )
    : null;
  const gateway = roles.includes('live') ? await buildGateway(shop, shopServer.server, openFeedsOfPushes(shop)) : null;
  const isDraining = drainFirst(cleanup, shopServer, gateway);
  async function openApi() {
    const { handler, secrets } = core;
    const { processingTtlMs } = config;
    return buildApi(shop, {
      site: await openSite(config, providers.clientConfig, { secrets, origin, print: options.print }),
      payments: createStripePayments({ stripe: providers.stripe, handler, clock, logger, processingTtlMs }),
      packing: openPackingClaims(shop),
      isDraining,
    });
  }
  const listener = roles.includes('api') ? await openApi() : createRoleHealth(measurements, config);

  run(shopServer, listener, projector);
  return origin;
}
