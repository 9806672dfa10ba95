import type { Server } from 'node:http';
import type { Broadcast } from '../engine/projector/broadcast.ts';
import type { ShopCore } from '../engine/shop-core.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import type { RateLimit } from '../http/rate-limit/rate-limit.ts';
import { createAccessTokens } from '../identity/access-token.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { SESSION_CHECK_MS } from '../identity/session-watch.ts';
import { createLiveGateway, type LiveGateway } from '../live/gateway.ts';
import { createSocketIoTransport } from '../live/socket-io-transport.ts';
import { clientAddress } from '../runtime/client-address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import type { PackingFeed } from '../shop/packing/packing-claims.ts';
import { createAccounts } from '../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../shop/tracking/tracked-order-flow.ts';

interface ShopGatewayParts {
  readonly server: Server;
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'accessToken' | 'idempotency' | 'userId'>;
  readonly core: ShopCore;
  readonly identity: IdentityProvider;
  readonly broadcast: Pick<Broadcast, 'subscribe'>;
  readonly packing: PackingFeed;
  readonly clock: Clock;
  readonly logger: Logger;
  /** null disables rate limiting */
  readonly rateLimit: RateLimit | null;
}

export function openShopGateway(parts: ShopGatewayParts): Promise<LiveGateway> {
  const { server, config, secrets, core, broadcast, packing, clock, logger, rateLimit } = parts;
  const trustsUnverifiedEmails = config.providers.mode === 'demo';
  const accessTokens = createAccessTokens({ secret: secrets.accessToken, clock });
  const authenticator = createAuthenticator(
    { ...parts, accessTokens, accounts: createAccounts(core.handler, secrets.userId) },
    { trustsUnverifiedEmails },
  );
  const trackingLinks = createTrackingLinks(core, secrets.idempotency, clock);
  return createLiveGateway({
    openTransport: (listener) =>
      createSocketIoTransport(listener, {
        server,
        clock,
        publicOrigin: config.publicOrigin,
        ...(rateLimit && {
          admits: async (request) =>
            (await rateLimit.take(`socket:${clientAddress(request, config.trustedProxies)}`)).allowed,
        }),
      }),
    broadcast,
    packing: packing.subscribe,
    authenticate: (token) => authenticator.caller(token),
    track: (token) => trackingLinks.open(token),
    clock,
    roleCheckMs: SESSION_CHECK_MS,
    onUnread: (error) =>
      logger.warn({ err: error }, "roles or tracking links can't be read: live connections keep their current access"),
    onRefused: (reason) => logger.info({ reason }, 'a live connection was refused or closed'),
  });
}
