import type { RequestHandler } from 'express';
import { createSpa } from '../api/spa.ts';
import type { ClientConfig } from '../contracts/http.ts';
import { createFirebaseIdentity } from '../identity/firebase-identity.ts';
import { createStripeClient } from '../payments/stripe-client.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { holdDataDir, loadSecrets, type Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import {
  announceDemoAccounts,
  type DemoProviders,
  demoAdmins,
  demoRouters,
  startDemoProviders,
} from './demo-providers.ts';
import { openEmbeddedShop } from './embedded-shop.ts';
import { createEndings, type Endings } from './endings.ts';
import { openShopServer } from './http-server.ts';
import { seedDemoData } from './seed-demo-data.ts';
import { WEB_DIST } from './web-build.ts';

/** A running embedded shop. */
export interface Shop {
  /** e.g. `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Ends it with nothing lost; any number of calls. */
  stop(): Promise<void>;
}

interface ShopSurroundings {
  readonly logger: Logger;
  /** takes a line that a person reads */
  readonly print: (line: string) => void;
  /** told why the shop cannot go on */
  readonly onFatal: (reason: string) => void;
}

/** Starts every part of the embedded shop in this process, its demo providers beside it, and resolves once all answer. */
export async function startShop(config: Config, surroundings: ShopSurroundings): Promise<Shop> {
  const endings = createEndings();
  try {
    const origin = await assemble(config, surroundings, endings);
    return { origin, stop: endings.run };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function assemble(config: Config, surroundings: ShopSurroundings, endings: Endings): Promise<string> {
  const { logger, print, onFatal } = surroundings;
  const lock = holdDataDir(config.dataDir);
  endings.add(() => lock.release());
  const secrets = loadSecrets(config.dataDir);
  const shopServer = await openShopServer(config.host, config.port);
  const { origin } = shopServer;
  endings.add(() => shopServer.close());
  const demo =
    config.stripe.mode === 'demo' ? await startDemoProviders({ config, secrets, origin, onEnded: onFatal }) : null;
  if (demo) endings.add(() => demo.stop());
  const identity = createIdentity(config, demo);
  endings.add(() => identity.close());
  const edge: RequestHandler[] = demo ? demoRouters(demo, { config, origin, print }) : [];

  await openEmbeddedShop(
    { config, secrets, shopServer, clock: systemClock, logger, endings },
    {
      identity,
      ...stripeOf(config, secrets, demo),
      clientConfig: clientConfigOf(config, secrets),
      adminEmails: [...config.adminEmails, ...(demo ? demoAdmins() : [])],
      edge,
      fallback: createSpa(WEB_DIST),
      ...(config.demoData ? { seed: (handler) => seedDemoData(handler, secrets.userId) } : {}),
    },
  );
  if (demo) announceDemoAccounts(print);
  return origin;
}

function createIdentity({ firebase }: Config, demo: DemoProviders | null) {
  const { projectId } = firebase;
  return createFirebaseIdentity(
    demo ? { mode: 'demo', projectId, emulatorHost: demo.emulator.host } : { mode: 'live', projectId },
  );
}

function stripeOf({ stripe }: Config, secrets: Secrets, demo: DemoProviders | null) {
  if (stripe.mode === 'live') {
    return { stripe: createStripeClient({ secretKey: stripe.secretKey }), webhookSecret: stripe.webhookSecret };
  }
  const simulatorUrl = `http://127.0.0.1:${demo?.simulator.port}`;
  return {
    stripe: createStripeClient({ secretKey: secrets.stripeSecretKey, simulatorUrl }),
    webhookSecret: secrets.stripeWebhookSecret,
  };
}

function clientConfigOf({ stripe, firebase }: Config, secrets: Secrets): ClientConfig {
  return {
    stripe: {
      mode: stripe.mode,
      publishableKey: stripe.mode === 'live' ? stripe.publishableKey : secrets.stripePublishableKey,
    },
    firebase:
      firebase.mode === 'live'
        ? { mode: 'live', config: { ...firebase.webConfig } }
        : { mode: 'demo', projectId: firebase.projectId, apiKey: 'demo' },
  };
}
