import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createStripeSimulator } from '../demo/stripe/simulator.ts';
import { openEmbeddedShop } from '../embedded/embedded-shop.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { createCleanup } from '../process/cleanup.ts';
import { openShopServer } from '../process/http-server.ts';
import { forgetPayersLocally } from '../process/shop-providers.ts';
import { systemClock } from '../runtime/clock.ts';
import { type EmbeddedConfig, readConfig } from '../runtime/config.ts';
import { holdDataDir, loadSecrets } from '../runtime/data-dir.ts';
import { createLogger } from '../runtime/log.ts';
import { WEBHOOK_EVENTS } from '../shop/payment/payments.ts';
import { createStripeClient } from '../shop/payment/stripe-client-flow.ts';
import { plainIdentity } from './plain-identity.fixture.ts';
import { UNLIMITED } from './shop-process.fixture.ts';

/** The e-mail address of the admin in every shop that `startLightShop` starts. */
export const LIGHT_ADMIN = 'boss@shop.test';

export type LightShop = Awaited<ReturnType<typeof startLightShop>>;

/**
 * Starts a shop in this process with the same parts as `npm start`: log, commands, projections, payments, HTTP, pushes
 * and a payment simulator. The only difference is sign-in, which uses plain tokens unless `identity` is given. If
 * `stripePort` is given, the shop uses the payment simulator at that port instead of its own.
 */
export async function startLightShop(
  dataDir: string,
  change: Partial<EmbeddedConfig> = {},
  onFatal: (reason: string) => void = () => {},
  { identity = plainIdentity, stripePort }: { identity?: IdentityProvider; stripePort?: number | undefined } = {},
) {
  const variables = { ...UNLIMITED, PORT: '0', DATA_DIR: dataDir, DEMO_DATA: '0', LOG_LEVEL: 'error' };
  const config = { ...(readConfig(variables) as EmbeddedConfig), ...change };
  const cleanup = createCleanup();
  const lock = holdDataDir(dataDir);
  cleanup.add(() => lock.release());
  const secrets = loadSecrets(dataDir);
  const shopServer = await openShopServer(config);
  const startStripe = async () => {
    const simulator = createStripeSimulator({
      dataFile: join(dataDir, 'stripe.sqlite'),
      secretKey: secrets.stripeSecretKey,
      publishableKey: secrets.stripePublishableKey,
      webhookSecret: secrets.stripeWebhookSecret,
      webhookUrl: `${shopServer.origin}/webhooks/stripe`,
      webhookEvents: [...WEBHOOK_EVENTS],
      clock: systemClock,
      newId: (prefix) => `${prefix}${randomUUID().replaceAll('-', '')}`,
    });
    const { port } = await simulator.start();
    cleanup.add(() => simulator.stop());
    return port;
  };
  const port = stripePort ?? (await startStripe());
  const stripe = createStripeClient({ secretKey: secrets.stripeSecretKey, simulatorUrl: `http://127.0.0.1:${port}` });
  const shop = await openEmbeddedShop(
    {
      config,
      secrets,
      shopServer,
      clock: systemClock,
      logger: createLogger(config.logLevel),
      cleanup,
      onFatal,
      // The writer thread is used only in a built program, because starting a thread from TypeScript sources is slow.
      writerThread: import.meta.url.endsWith('.js'),
    },
    {
      identity,
      stripe,
      forgetPayers: (intents) => forgetPayersLocally(stripe, intents),
      webhookSecret: secrets.stripeWebhookSecret,
      clientConfig: {
        stripe: { mode: 'demo', publishableKey: secrets.stripePublishableKey },
        firebase: { mode: 'demo', projectId: 'demo-light', apiKey: 'demo' },
      },
    },
    { adminEmails: [LIGHT_ADMIN], edge: () => [] },
  ).catch(async (error: unknown) => {
    await cleanup.run();
    throw error;
  });
  return { ...shop, stripe, secrets, url: shopServer.origin, stop: cleanup.run };
}
