import type { RequestHandler } from 'express';
import { announceDemoAccounts, announceDemoPublic, demoAdmins, demoRouters } from '../demo/demo-edge.ts';
import { startDemoProviders } from '../demo/demo-providers.ts';
import { seedDemoData } from '../demo/seed/seed-demo-data.ts';
import { createSpa } from '../http/spa.ts';
import { createEndings, type Endings } from '../process/endings.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, Surroundings } from '../process/run-process.ts';
import { createIdentity, stripeAndClientConfig } from '../process/shop-providers.ts';
import { WEB_DIST } from '../process/web-build.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { holdDataDir, loadSecrets } from '../runtime/data-dir.ts';
import { openEmbeddedShop } from './embedded-shop.ts';

/** Starts every part of the embedded shop in this process, its demo providers beside it, and resolves once all answer. */
export async function startShop(config: Config, surroundings: Surroundings): Promise<Shop> {
  const endings = createEndings();
  try {
    const origin = await assemble(config, surroundings, endings);
    return { origin, stop: endings.run };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function assemble(config: Config, surroundings: Surroundings, endings: Endings): Promise<string> {
  const { logger, print, onFatal } = surroundings;
  const lock = holdDataDir(config.dataDir);
  endings.add(() => lock.release());
  const secrets = loadSecrets(config.dataDir);
  const shopServer = await openShopServer(config.host, config.port);
  const { origin } = shopServer;
  endings.add(() => shopServer.close());
  const demo =
    config.stripe.mode === 'demo'
      ? await startDemoProviders({ config, secrets, origin, logger, onEnded: onFatal })
      : null;
  if (demo) endings.add(() => demo.stop());
  const addresses = demo?.addresses ?? null;
  const identity = createIdentity(config, addresses);
  endings.add(() => identity.close());
  const publicOrigin = config.publicOrigin ?? origin;
  const providers = stripeAndClientConfig(config, secrets, addresses);
  const edge: RequestHandler[] = addresses ? demoRouters(addresses, { config, origin: publicOrigin, print }) : [];

  await openEmbeddedShop(
    {
      config,
      secrets,
      shopServer,
      clock: systemClock,
      logger,
      endings,
      onFatal,
      ...(config.demoData ? { seed: (handler) => seedDemoData(handler, secrets.userId) } : {}),
    },
    {
      identity,
      ...providers,
      adminEmails: [...config.adminEmails, ...(demo ? demoAdmins() : [])],
      edge,
      fallback: createSpa(WEB_DIST, providers.clientConfig, publicOrigin),
    },
  );
  if (demo) announceDemoAccounts(print);
  announceDemoPublic(config, origin, print);
  return origin;
}
