import type { DemoProviders } from '../demo/demo-providers.ts';
import type { StartOptions } from '../process/run-process.ts';
import { openClients, openSite } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import type { EmbeddedConfig, Providers } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { type EmbeddedContext, openEmbeddedShop } from './embedded-shop.ts';

interface WholeContext extends StartOptions, Pick<EmbeddedContext, 'secrets' | 'shopServer' | 'cleanup'> {
  readonly config: EmbeddedConfig & { readonly providers: Providers };
  /** The demo's own identity and payment providers; null if the shop uses real ones. */
  readonly demo: DemoProviders | null;
}

export async function openOnProviders(context: WholeContext): Promise<void> {
  const { config, secrets, shopServer, print } = context;
  const clients = openClients(config, secrets, context);
  const site = await openSite(config, clients.clientConfig, { secrets, origin: shopServer.origin, print });
  const withData = config.providers.mode === 'demo' && config.providers.withData;
  const seed = withData ? seedOf(secrets) : undefined;
  await openEmbeddedShop({ ...context, clock: systemClock, seed }, clients, site);
}

function seedOf({ userId }: Secrets): EmbeddedContext['seed'] {
  return async (handler) => {
    const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
    await seedDemoData(handler, userId);
  };
}
