import { announceDemoAccounts, announceDemoPublic } from '../demo/announce-demo.ts';
import { type DemoProviders, startDemoProviders } from '../demo/demo-providers.ts';
import { createEndings, type Endings } from '../process/endings.ts';
import { openShopServer } from '../process/http-server.ts';
import type { Shop, Surroundings } from '../process/run-process.ts';
import type { Config } from '../runtime/config.ts';
import { holdDataDir, loadSecrets } from '../runtime/data-dir.ts';

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
  const starting: Promise<DemoProviders> | null =
    config.stripe.mode === 'demo' ? startDemoProviders({ config, secrets, origin, logger, onEnded: onFatal }) : null;
  endings.add(async () => (await starting?.catch(() => null))?.stop());
  // Sign-in takes longest to start: what the rest of the shop is made of is loaded meanwhile.
  const [demo, { openOnProviders }] = await Promise.all([starting, import('./open-on-providers.ts')]);
  await openOnProviders({ config, secrets, shopServer, endings, demo, ...surroundings });
  if (demo) {
    await demo.accountsReady;
    announceDemoAccounts(print);
  }
  announceDemoPublic(config, origin, print);
  return origin;
}
