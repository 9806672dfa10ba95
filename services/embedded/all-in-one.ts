import type { DemoProviders, DemoSettings } from '../demo/demo-providers.ts';
import { type Cleanup, startWithCleanup } from '../process/cleanup.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, StartOptions } from '../process/run-process.ts';
import { systemClock } from '../runtime/clock.ts';
import type { EmbeddedConfig, Providers } from '../runtime/config.ts';
import { holdDataDir, loadSecrets, type Secrets } from '../runtime/data-dir.ts';
import type { EmbeddedContext } from './embedded-shop.ts';

export function startShop(config: EmbeddedConfig, options: StartOptions): Promise<Shop> {
  return startWithCleanup((cleanup) => assemble(config, options, cleanup));
}

async function assemble(config: EmbeddedConfig, options: StartOptions, cleanup: Cleanup): Promise<string> {
  const { dataDir } = config;
  const { logger, print, onFatal } = options;
  const lock = holdDataDir(dataDir);
  cleanup.add(() => lock.release());
  const secrets = loadSecrets(dataDir);
  const shopServer = await openShopServer(config);
  const { origin } = shopServer;
  cleanup.add(() => shopServer.close());
  let answers = () => {};
  const answering = new Promise<void>((resolve) => {
    answers = resolve;
  });
  // A demo's providers aren't loaded until the shop serves pages, because the identity provider takes the longest to
  // load and would delay the first page. If a provider is called earlier, it starts loading at once, and the call waits
  // until the provider is ready.
  const settings = { dataDir, secrets, origin, answering, logger, onEnded: onFatal };
  const { providers, demo } = await startProviders(config, settings);
  if (demo) cleanup.add(demo.stop);
  // Imported on demand, so that the port opens sooner.
  const { openClients, openSite } = await import('../process/shop-providers.ts');
  const { openEmbeddedShop } = await import('./embedded-shop.ts');
  const shopConfig = { ...config, providers };
  const clients = openClients(shopConfig, secrets, { cleanup });
  const site = await openSite(shopConfig, clients.clientConfig, { secrets, origin, print });
  const seed = providers.mode === 'demo' && providers.withData ? seedOf(secrets) : undefined;
  const context = { config, secrets, shopServer, clock: systemClock, logger, cleanup, demo, seed, onFatal };
  await openEmbeddedShop(context, clients, site);
  answers();
  await demo?.ready;
  demo?.announceAccounts(print);
  return origin;
}

/** Loads the demo's code only for a demo. */
async function startProviders(
  { providers }: EmbeddedConfig,
  settings: DemoSettings,
): Promise<{ providers: Providers; demo: DemoProviders | null }> {
  if (providers.mode === 'live') return { providers, demo: null };
  const { startDemoProviders } = await import('../demo/demo-providers.ts');
  const demo = await startDemoProviders(settings);
  return { providers: { ...providers, addresses: demo.addresses }, demo };
}

function seedOf({ userId }: Secrets): EmbeddedContext['seed'] {
  return async (handler) => {
    const { seedDemoData } = await import('../demo/seed/seed-demo-data.ts');
    await seedDemoData(handler, userId);
  };
}
