import type { Server } from 'node:http';
import type { Broadcast } from '../engine/projector/broadcast.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import { createAccessTokens } from '../identity/access-token.ts';
import { SESSION_CHECK_MS } from '../identity/session-watch.ts';
import { createLiveGateway, type LiveGateway } from '../live/gateway.ts';
import { createSocketIoTransport } from '../live/socket-io-transport.ts';
import { clientAddress } from '../runtime/client-address.ts';
import type { PackingFeed } from '../shop/packing/packing-claims.ts';
import { createAccounts } from '../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../shop/tracking/tracked-order-flow.ts';
import { measureLive } from './measurements.ts';
import type { ShopContext } from './shop-context.ts';

/** Builds the gateway that pushes each change to the browsers that may see it. */
export async function buildGateway(
  { config, secrets, core, providers, rateLimit, measurements, clock, logger }: ShopContext,
  server: Server,
  feeds: { readonly broadcast: Pick<Broadcast, 'subscribe'>; readonly packing: PackingFeed },
): Promise<LiveGateway> {
  const trustsUnverifiedEmails = config.providers.mode === 'demo';
  const accessTokens = createAccessTokens({ secret: secrets.accessToken, clock });
  const authenticator = createAuthenticator(
    { ...core, ...providers, clock, logger, accessTokens, accounts: createAccounts(core.handler, secrets.userId) },
    { trustsUnverifiedEmails },
  );
  const trackingLinks = createTrackingLinks(core, secrets.idempotency, clock);
  const gateway = await createLiveGateway({
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
    broadcast: feeds.broadcast,
    packing: feeds.packing.subscribe,
    authenticate: (token) => authenticator.caller(token),
    track: (token) => trackingLinks.open(token),
    clock,
    roleCheckMs: SESSION_CHECK_MS,
    onUnread: (error) =>
      logger.warn({ err: error }, "roles or tracking links can't be read: live connections keep their current access"),
    onRefused: (reason) => logger.info({ reason }, 'a live connection was refused or closed'),
  });
  measureLive(measurements, gateway);
  return gateway;
}
