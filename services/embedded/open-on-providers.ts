import type { DemoProviders } from '../demo/demo-providers.ts';
import type { StartOptions } from '../process/run-process.ts';
import { createIdentity, openProviders } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import type { EmbeddedConfig, Providers } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { openEmbeddedShop, type ShopContext } from './embedded-shop.ts';

interface WholeContext extends StartOptions, Pick<ShopContext, 'secrets' | 'shopServer' | 'cleanup'> {
  readonly config: EmbeddedConfig & { readonly providers: Providers };
  /** The demo's own identity and payment providers; null if the shop uses real ones. */
  readonly demo: DemoProviders | null;
}

export async function openOnProviders({ demo, print, ...context }: WholeContext): Promise<void> {
  const { config, secrets, shopServer, cleanup } = context;
  const identity = createIdentity(config.providers);
  cleanup.add(() => identity.close());
  const { origin } = shopServer;
  const providers = await openProviders({ config, secrets, identity, origin, print });
  const withData = config.providers.mode === 'demo' && config.providers.withData;
  const seed = withData ? seedOf(secrets) : undefined;
  await openEmbeddedShop({ ...context, demo, clock: systemClock, seed }, providers);
}

function seedOf({ userId }: Secrets): ShopContext['seed'] {
  return async (handler) => {
    const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
    await seedDemoData(handler, userId);
  };
}
