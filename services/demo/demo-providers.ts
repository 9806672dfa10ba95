import { join } from 'node:path';
import { WEBHOOK_EVENTS } from '../flows/payments/webhook-events.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import type { DemoAddresses } from '../runtime/demo-addresses.ts';
import type { Logger } from '../runtime/log.ts';
import { ReadableError } from '../runtime/readable-error.ts';
import { announceDemoAccounts, ensureDemoAccounts } from './identity/demo-accounts.ts';
import { startIdentityEmulator } from './identity/start-emulator.ts';
import { keepRunning } from './keep-running.ts';
import { startStripeSimulatorChild } from './stripe/start-child.ts';

const LOOPBACK = '127.0.0.1';

/** A provider of the demo shop could not be started: the message is one readable line. */
export class DemoProviderError extends ReadableError {
  override readonly name = 'DemoProviderError';
}

/** The providers of a demo shop, each in a child process of its own. */
export interface DemoProviders {
  readonly addresses: DemoAddresses;
  /** resolves once the demo accounts can sign in */
  readonly accountsReady: Promise<void>;
  /** Prints whom one can sign in as. */
  readonly announceAccounts: (print: (line: string) => void) => void;
  stop(): Promise<void>;
}

export interface DemoSettings {
  readonly config: Config;
  readonly secrets: Secrets;
  /** the shop's own origin, where webhooks are delivered */
  readonly origin: string;
  /** told when a provider ends again and again without having been asked to */
  readonly onEnded: (reason: string) => void;
  readonly logger: Logger;
}

/** Starts identity emulator and payment simulator on free loopback ports; none is left running where one cannot start. @throws DemoProviderError */
export async function startDemoProviders({
  config,
  secrets,
  origin,
  onEnded,
  logger,
}: DemoSettings): Promise<DemoProviders> {
  const { dataDir, firebase } = config;
  const startEmulator = (port = 0) =>
    startIdentityEmulator({
      dataFile: join(dataDir, 'identity.json'),
      projectId: firebase.projectId,
      listen: { host: LOOPBACK, port },
    });
  const simulatorSettings = {
    dataFile: join(dataDir, 'stripe.sqlite'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    webhookUrl: `${origin}/webhooks/stripe`,
    webhookEvents: [...WEBHOOK_EVENTS],
  };
  const startSimulator = (port = 0) => startStripeSimulatorChild(simulatorSettings, process.execArgv, port);
  const starting = [startEmulator(), startSimulator()] as const;
  const [emulator, simulator] = await Promise.all(starting).catch((error: Error) => {
    // Whoever reads why is not kept waiting for the other, which is ended as soon as it has started.
    for (const one of starting) void one.then((started) => started.stop()).catch(() => undefined);
    throw new DemoProviderError(error.message, { cause: error });
  });
  const keep = { clock: systemClock, onGivenUp: onEnded, logger };
  const emulatorPort = Number(emulator.host.split(':').at(-1));
  const kept = [
    keepRunning('identity emulator', emulator, () => startEmulator(emulatorPort), keep),
    keepRunning('payment simulator', simulator, () => startSimulator(simulator.port), keep),
  ];
  const accountsReady = ensureDemoAccounts(emulator.host, firebase.projectId);
  // Awaited by whoever opens the shop beside it.
  accountsReady.catch(() => undefined);
  return {
    accountsReady,
    announceAccounts: announceDemoAccounts,
    addresses: { emulatorHost: emulator.host, simulatorUrl: `http://${LOOPBACK}:${simulator.port}` },
    async stop() {
      await Promise.all(kept.map((child) => child.stop()));
    },
  };
}
