import type { RequestListener } from 'node:http';
import { type Cleanup, drainFirst, startWithCleanup } from '../process/cleanup.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, StartOptions } from '../process/run-process.ts';
import { type Config, ConfigError, type ServersConfig } from '../runtime/config.ts';
import { openApiRole } from './api-role.ts';
import { openLiveRole } from './live-role.ts';
import { startProjectorRole } from './projector-role.ts';
import { openRoleContext } from './role-context.ts';
import { createRoleHealth } from './role-health.ts';

/** Any number of processes may run a role, and one process may run several roles. */
export type Role = 'api' | 'projector' | 'live';

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
  cleanup.add(() => shopServer.close());
  const context = await openRoleContext(config, options, cleanup);
  if (roles.includes('projector')) await startProjectorRole(context);
  const gateway = roles.includes('live') ? await openLiveRole(context, shopServer.server) : null;
  const isDraining = drainFirst(cleanup, shopServer, gateway);
  const listener: RequestListener = roles.includes('api')
    ? await openApiRole(context, { origin: shopServer.origin, isDraining })
    : createRoleHealth(context.measurements, config);
  shopServer.answerWith(listener);
  return shopServer.origin;
}
