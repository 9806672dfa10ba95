import type { DemoProviders } from '../demo/demo-providers.ts';
import { createSpa } from '../http/spa.ts';
import { WEB_DIST } from '../process/builds.mjs';
import type { StartOptions } from '../process/run-process.ts';
import { createIdentity, openDemo, stripeAndClientConfig } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { openEmbeddedShop, type ShopContext } from './embedded-shop.ts';

interface WholeContext extends StartOptions, Pick<ShopContext, 'config' | 'secrets' | 'shopServer' | 'cleanup'> {
  /** null: real providers */
  readonly demo: DemoProviders | null;
}

export async function openOnProviders({ demo, print, ...context }: WholeContext): Promise<void> {
  const { config, secrets, shopServer, cleanup } = context;
  const addresses = demo?.addresses ?? null;
  const identity = createIdentity(config, addresses);
  cleanup.add(() => identity.close());
  const publicOrigin = config.publicOrigin ?? shopServer.origin;
  const providers = stripeAndClientConfig(config, secrets, addresses);
  const { adminEmails, edge } = await openDemo(addresses, { config, origin: publicOrigin, print });

  await openEmbeddedShop(
    {
      ...context,
      demo,
      clock: systemClock,
      ...(config.demoData ? { seed: seedOf(secrets) } : {}),
    },
    {
      identity,
      ...providers,
      adminEmails: [...config.adminEmails, ...adminEmails],
      edge,
      fallback: createSpa(WEB_DIST, providers.clientConfig, publicOrigin),
    },
  );
}

function seedOf({ userId }: Secrets): ShopContext['seed'] {
  return async (handler) => {
    const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
    await seedDemoData(handler, userId);
  };
}
