import type { Server } from 'node:http';
import type { Broadcast } from '../engine/projector/broadcast.ts';
import type { ShopCore } from '../engine/shop-core.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { SESSION_CHECK_MS } from '../identity/session-watch.ts';
import { createLiveGateway, type LiveGateway } from '../live/gateway.ts';
import { clientAddress } from '../runtime/client-address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';

interface ShopGatewayParts {
  readonly server: Server;
  readonly config: Config;
  readonly accessTokenSecret: string;
  readonly core: Pick<ShopCore, 'handler'>;
  readonly identity: IdentityProvider;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
  /** null: no limit */
  readonly rateLimit: RateLimit | null;
}

export function openShopGateway(parts: ShopGatewayParts): Promise<LiveGateway> {
  const { server, config, core, identity, broadcast, clock, logger, rateLimit } = parts;
  const authenticator = createAuthenticator({
    handler: core.handler,
    identity,
    accessTokenSecret: parts.accessTokenSecret,
    clock,
    logger,
    trustsUnverifiedEmails: config.firebase.mode === 'demo',
  });
  return createLiveGateway({
    server,
    broadcast,
    publicOrigin: config.publicOrigin,
    authenticate: (token) => authenticator.caller(token),
    clock,
    roleCheckMs: SESSION_CHECK_MS,
    onRolesUnread: (error) =>
      logger.warn({ err: error }, 'roles cannot be read: live connections keep what they see for now'),
    ...(rateLimit && {
      admits: async (request) =>
        (await rateLimit.take(`socket:${clientAddress(request, config.trustedProxies)}`)).allowed,
    }),
    onRefused: (reason) => logger.info({ reason }, 'a live connection was refused'),
  });
}
