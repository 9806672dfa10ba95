import type { Broadcast } from '../../engine/projector/broadcast.ts';
import type { ShopCore } from '../../engine/shop-core.ts';
import { createAuthenticator } from '../../http/authenticate.ts';
import type { IdentityProvider } from '../../identity/identity-provider.ts';
import { createLiveGateway } from '../../live/gateway.ts';
import { createAccounts } from '../../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../../shop/tracking/tracked-order-flow.ts';
import type { RunningGateway } from './live-network.ts';
import { createMemoryLiveTransport, type MemoryLiveTransport } from './memory-live-transport.ts';
import { createReadableTokens, SECRETS } from './simulated-api.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

/** Opens the gateway of one process, which pushes changes to browsers. */
export async function openSimulatedGateway(
  world: World,
  parts: {
    readonly process: SimulatedProcess;
    readonly core: ShopCore;
    readonly identity: IdentityProvider;
    readonly broadcast: Pick<Broadcast, 'subscribe'>;
  },
): Promise<RunningGateway> {
  const { process, core, identity, broadcast } = parts;
  const { clock, timing, schedule, every } = process;
  const logger = world.loggerOf(process);
  const accessTokens = createReadableTokens(clock);
  const authenticator = createAuthenticator(
    { accounts: createAccounts(core.handler, SECRETS.userId), identity, accessTokens, clock, logger, schedule },
    { trustsUnverifiedEmails: false },
  );
  const trackingLinks = createTrackingLinks(core, SECRETS.idempotency, clock);
  let transport: MemoryLiveTransport | undefined;
  await createLiveGateway({
    openTransport(listener) {
      transport = createMemoryLiveTransport(listener, process);
      return transport;
    },
    broadcast: {
      subscribe: (listener) =>
        broadcast.subscribe({
          ...listener,
          live(isLive) {
            if (!isLive) world.note('a gateway missed pushes of the broadcast');
            listener.live(isLive);
          },
        }),
    },
    authenticate: (token) => authenticator.caller(token),
    track: (token) => trackingLinks.open(token),
    clock,
    timing,
    every,
    onUnread: () => world.note("a gateway couldn't read a role"),
  });
  if (!transport) throw new Error('The gateway opened no transport.');
  return { process, transport };
}
