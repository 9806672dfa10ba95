import type { RequestHandler } from 'express';
import { demoAdmins, demoRouters } from '../demo/demo-edge.ts';
import type { DemoProviders } from '../demo/demo-providers.ts';
import { seedDemoData } from '../demo/seed/seed-demo-data.ts';
import { createSpa } from '../http/spa.ts';
import { WEB_DIST } from '../process/builds.mjs';
import type { StartOptions } from '../process/run-process.ts';
import { createIdentity, stripeAndClientConfig } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import { openEmbeddedShop, type ShopContext } from './embedded-shop.ts';

interface WholeContext extends StartOptions, Pick<ShopContext, 'config' | 'secrets' | 'shopServer' | 'cleanup'> {
  /** null: real providers */
  readonly demo: DemoProviders | null;
}

/** Opens the embedded shop on its providers of identity and payment, with the web client before it. */
export async function openOnProviders({ demo, print, ...context }: WholeContext): Promise<void> {
  const { config, secrets, shopServer, cleanup } = context;
  const addresses = demo?.addresses ?? null;
  const identity = createIdentity(config, addresses);
  cleanup.add(() => identity.close());
  const publicOrigin = config.publicOrigin ?? shopServer.origin;
  const providers = stripeAndClientConfig(config, secrets, addresses);
  const edge: RequestHandler[] = addresses ? demoRouters(addresses, { config, origin: publicOrigin, print }) : [];

  await openEmbeddedShop(
    {
      ...context,
      clock: systemClock,
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
}
