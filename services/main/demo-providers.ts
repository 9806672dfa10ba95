import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { DEMO_ACCOUNTS, ensureDemoAccounts } from '../identity/demo-accounts.ts';
import { createDemoMailbox, createDemoMailboxRouter } from '../identity/demo-mailbox.ts';
import { createEmulatorProxy } from '../identity/emulator-proxy.ts';
import { type IdentityEmulator, startIdentityEmulator } from '../identity/start-emulator.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { type StripeSimulatorChild, startStripeSimulatorChild } from '../stripe-simulator/start-child.ts';

/** A provider of the demo shop could not be started: the message is one readable line. */
export class DemoProviderError extends Error {
  override readonly name = 'DemoProviderError';
}

/** The providers of a demo shop, each in a child process of its own. */
export interface DemoProviders {
  readonly emulator: IdentityEmulator;
  readonly simulator: StripeSimulatorChild;
  stop(): Promise<void>;
}

interface DemoSettings {
  readonly config: Config;
  readonly secrets: Secrets;
  /** the shop's own origin, where webhooks are delivered */
  readonly origin: string;
  /** told when a provider ends without having been asked to */
  readonly onEnded: (reason: string) => void;
}

/** Starts identity emulator and payment simulator on free loopback ports; none is left running where one cannot start. @throws DemoProviderError */
export async function startDemoProviders({ config, secrets, origin, onEnded }: DemoSettings): Promise<DemoProviders> {
  const { dataDir, firebase } = config;
  const starting = [
    startIdentityEmulator({ dataFile: join(dataDir, 'identity.json'), projectId: firebase.projectId }),
    startStripeSimulatorChild({
      dataFile: join(dataDir, 'stripe.sqlite'),
      secretKey: secrets.stripeSecretKey,
      publishableKey: secrets.stripePublishableKey,
      webhookSecret: secrets.stripeWebhookSecret,
      webhookUrl: `${origin}/webhooks/stripe`,
    }),
  ] as const;
  const [emulator, simulator] = await Promise.all(starting).catch((error: Error) => {
    // Whoever reads why is not kept waiting for the other, which is ended as soon as it has started.
    for (const one of starting) void one.then((started) => started.stop()).catch(() => undefined);
    throw new DemoProviderError(error.message, { cause: error });
  });
  let stopping = false;
  const watch = async (name: string, exited: Promise<unknown>) => {
    await exited;
    if (!stopping) onEnded(`The ${name} has ended.`);
  };
  void watch('identity emulator', emulator.exited);
  void watch('payment simulator', simulator.exited);
  await ensureDemoAccounts(emulator.host, firebase.projectId);
  return {
    emulator,
    simulator,
    async stop() {
      stopping = true;
      await Promise.all([emulator.stop(), simulator.stop()]);
    },
  };
}

interface DemoSurroundings {
  readonly config: Config;
  readonly origin: string;
  readonly print: (line: string) => void;
}

/** What only a demo shop serves: the providers on its own origin, the mailbox, and the accounts that one may use. */
export function demoRouters(demo: DemoProviders, { config, origin, print }: DemoSurroundings): RequestHandler[] {
  const emulator = { host: demo.emulator.host, projectId: config.firebase.projectId };
  const mailbox = createDemoMailbox({ emulator, origin: () => origin, clock: systemClock, print });
  const accounts = Router();
  accounts.get('/demo-accounts.json', (_request, response) => {
    response.json(DEMO_ACCOUNTS.map(({ email, password, name, role }) => ({ email, password, name, role })));
  });
  return [
    createEmulatorProxy({
      emulatorHost: demo.emulator.host,
      allowedOrigins: config.corsOrigins,
      onMailSent: () => void mailbox.announce(),
    }),
    createProxyMiddleware({
      target: `http://127.0.0.1:${demo.simulator.port}`,
      pathFilter: '/demo-stripe/v1/**',
      pathRewrite: { '^/demo-stripe': '' },
      proxyTimeout: 15_000,
    }),
    createDemoMailboxRouter(mailbox),
    accounts,
  ];
}

/** E-mails of the demo accounts that are admins from their first sign-in. */
export function demoAdmins(): string[] {
  return DEMO_ACCOUNTS.filter((account) => account.role === 'admin').map((account) => account.email);
}

/** Says whom one can sign in as. */
export function announceDemoAccounts(print: (line: string) => void): void {
  for (const { role, email, password } of DEMO_ACCOUNTS) {
    print(`demo ${(role === 'admin' ? 'admin' : 'shopper').padEnd(8)} ${email.padEnd(28)} ${password}`);
  }
}
