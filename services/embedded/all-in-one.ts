import type { DemoProviders, DemoSettings } from '../demo/demo-providers.ts';
import { type Cleanup, startWithCleanup } from '../process/cleanup.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, StartOptions } from '../process/run-process.ts';
import type { Config } from '../runtime/config.ts';
import { holdDataDir, loadSecrets } from '../runtime/data-dir.ts';

export function startShop(config: Config, options: StartOptions): Promise<Shop> {
  return startWithCleanup((cleanup) => assemble(config, options, cleanup));
}

async function assemble(config: Config, options: StartOptions, cleanup: Cleanup): Promise<string> {
  const { logger, print, onFatal } = options;
  const lock = holdDataDir(config.dataDir);
  cleanup.add(() => lock.release());
  const secrets = loadSecrets(config.dataDir);
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
  const demo =
    config.stripe.mode === 'demo'
      ? await startDemo({ config, secrets, origin, answering, logger, onEnded: onFatal })
      : null;
  if (demo) cleanup.add(demo.stop);
  const { openOnProviders } = await import('./open-on-providers.ts');
  await openOnProviders({ config, secrets, shopServer, cleanup, demo, ...options });
  answers();
  await demo?.ready;
  demo?.announceAccounts(print);
  return origin;
}

async function startDemo(settings: DemoSettings): Promise<DemoProviders> {
  const { startDemoProviders } = await import('../demo/demo-providers.ts');
  return startDemoProviders(settings);
}
