import { join } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { DEMO_PROJECT_ID, type DemoAddresses } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { Logger } from '../runtime/log.ts';
import { WEBHOOK_EVENTS } from '../shop/payment/payments.ts';
import { announceDemoAccounts } from './identity/demo-accounts.ts';
import { PROVIDERS, type ProviderOptions, startProvider } from './start-provider.ts';
import { supervise } from './supervise.ts';

/** The identity emulator and the payment simulator, each in its own child process. */
export interface DemoProviders {
  readonly addresses: DemoAddresses;
  /** Resolves once both providers can serve calls and the demo accounts exist. Rejects with a one-line error if a provider cannot start. */
  readonly ready: Promise<unknown>;
  /** true while both providers can serve calls; false while either is loading, at startup or after a restart */
  readonly isReady: () => boolean;
  readonly announceAccounts: (print: (line: string) => void) => void;
  stop(): Promise<void>;
}

export interface DemoSettings {
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly origin: string;
  /** resolves once the shop serves requests */
  readonly answering: Promise<unknown>;
  /** called when a provider keeps crashing or cannot be restarted */
  readonly onEnded: (reason: string) => void;
  readonly logger: Logger;
}

/**
 * Opens a free loopback port for each provider. A provider starts loading when the shop is ready to serve requests or
 * when the provider's first call arrives, whichever comes first. Calls that arrive before the provider is ready wait
 * for it.
 */
export async function startDemoProviders(settings: DemoSettings): Promise<DemoProviders> {
  const { dataDir, secrets, origin, answering, onEnded, logger } = settings;
  const emulatorSettings = { dataFile: join(dataDir, 'identity.json'), projectId: DEMO_PROJECT_ID, loopback: true };
  const simulatorSettings = {
    dataFile: join(dataDir, 'stripe.sqlite'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    webhookUrl: `${origin}/webhooks/stripe`,
    webhookEvents: [...WEBHOOK_EVENTS],
  };
  const startEmulator = (at: ProviderOptions) => startProvider('emulator', emulatorSettings, at);
  const startSimulator = (at: ProviderOptions) => startProvider('stripe', simulatorSettings, at);
  const emulator = await startEmulator({ after: answering });
  const simulator = await startSimulator({ after: answering });
  const keep = { clock: systemClock, onGivenUp: onEnded, logger };
  const kept = [
    supervise(PROVIDERS.emulator, emulator, () => startEmulator({ port: emulator.port }), keep),
    supervise(PROVIDERS.stripe, simulator, () => startSimulator({ port: simulator.port }), keep),
  ];
  const ready = Promise.all([emulator.ready, simulator.ready]);
  // The shop reports the failure. This handler only prevents an unhandled rejection.
  ready.catch(() => undefined);
  return {
    addresses: { emulatorHost: `127.0.0.1:${emulator.port}`, simulatorUrl: `http://127.0.0.1:${simulator.port}` },
    ready,
    isReady: () => kept.every((child) => child.isReady()),
    announceAccounts: announceDemoAccounts,
    async stop() {
      await Promise.all(kept.map((child) => child.stop()));
    },
  };
}
