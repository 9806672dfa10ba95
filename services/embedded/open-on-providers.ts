import type { DemoProviders } from '../demo/demo-providers.ts';
import type { StartOptions } from '../process/run-process.ts';
import { createIdentity, openProviders } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { openEmbeddedShop, type ShopContext } from './embedded-shop.ts';

interface WholeContext extends StartOptions, Pick<ShopContext, 'config' | 'secrets' | 'shopServer' | 'cleanup'> {
  /** The demo's own identity and payment providers; null if the shop uses real ones. */
  readonly demo: DemoProviders | null;
}

export async function openOnProviders({ demo, print, ...context }: WholeContext): Promise<void> {
  const { config, secrets, shopServer, cleanup } = context;
  const addresses = demo?.addresses ?? null;
  const identity = createIdentity(config, addresses);
  cleanup.add(() => identity.close());
  const { origin } = shopServer;
  const providers = await openProviders({ config, secrets, demo: addresses, identity, origin, print });
  const seed = config.demoData ? seedOf(secrets) : undefined;
  await openEmbeddedShop({ ...context, demo, clock: systemClock, seed }, providers);
}

function seedOf({ userId }: Secrets): ShopContext['seed'] {
  return async (handler) => {
    const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
    await seedDemoData(handler, userId);
  };
}
