import type { RequestListener } from 'node:http';
import { createEndings, type Endings } from '../process/endings.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, Surroundings } from '../process/run-process.ts';
import type { Config } from '../runtime/config.ts';
import { openApiRole } from './api-role.ts';
import { openLiveRole } from './live-role.ts';
import { startProjectorRole } from './projector-role.ts';
import { openRoleGround } from './role-ground.ts';
import { createRoleHealth } from './role-health.ts';

/**
 * What a process of a shop on servers does: answer HTTP, project and follow events, or push to browsers. Each role runs
 * any number of times, alone in a process or beside others.
 */
export type Role = 'api' | 'projector' | 'live';

/** Starts roles of a shop on servers in this process; resolves once they answer. */
export async function startRoles(roles: readonly Role[], config: Config, surroundings: Surroundings): Promise<Shop> {
  const endings = createEndings();
  try {
    const origin = await assemble(roles, config, surroundings, endings);
    return { origin, stop: endings.run };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function assemble(
  roles: readonly Role[],
  config: Config,
  surroundings: Surroundings,
  endings: Endings,
): Promise<string> {
  const shopServer = await openShopServer(config.host, config.port);
  endings.add(() => shopServer.close());
  const ground = await openRoleGround(config, surroundings, endings);
  if (roles.includes('projector')) await startProjectorRole(ground);
  const gateway = roles.includes('live') ? await openLiveRole(ground, shopServer.server) : null;
  let draining = false;
  // First of all at the end: no new command, no live connection, and open requests are answered.
  endings.add(async () => {
    draining = true;
    await gateway?.close();
    await shopServer.close();
  });
  const listener: RequestListener = roles.includes('api')
    ? openApiRole(ground, { origin: shopServer.origin, isDraining: () => draining })
    : createRoleHealth(ground.measurements, config);
  shopServer.answerWith(listener);
  return shopServer.origin;
}
