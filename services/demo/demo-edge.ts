import { type RequestHandler, Router } from 'express';
import type { ShopCore } from '../engine/shop-core.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Config, DEMO_PROJECT_ID, type Demo } from '../runtime/config.ts';
import { DEMO_ACCOUNTS } from './identity/demo-accounts.ts';
import { createDemoMailbox, createDemoMailboxRouter } from './identity/demo-mailbox.ts';
import { createEmulatorProxy } from './identity/emulator-proxy.ts';
import { readOrderMails } from './order-mailbox.ts';
import { createProviderProxy } from './provider-proxy.ts';
import { createStripeDashboard } from './stripe-dashboard/stripe-dashboard.ts';

export interface DemoOptions {
  readonly config: Config;
  readonly origin: string;
  readonly print: (line: string) => void;
  /** the secret key of the local Stripe */
  readonly stripeSecretKey: string;
}

export interface DemoEdge {
  readonly adminEmails: readonly string[];
  /**
   * returns handlers that serve the identity emulator, the payment simulator and its dashboard, the demo mailbox and the
   * list of demo accounts on the shop's own origin; `adminGuard` creates a handler that lets only admins' requests pass
   */
  readonly edge: (core: ShopCore, adminGuard: () => RequestHandler) => readonly RequestHandler[];
}

/** Returns the demo's request handlers and its admins' e-mail addresses. Prints a warning if other machines can reach the demo. */
export function openDemoEdge(
  { isPublic, addresses: { emulatorHost, simulatorUrl } }: Demo,
  { config, origin, print, stripeSecretKey: secretKey }: DemoOptions,
): DemoEdge {
  const emulator = { host: emulatorHost, projectId: DEMO_PROJECT_ID };
  const mailbox = createDemoMailbox({ emulator, origin: () => origin, clock: systemClock, print });
  const accounts = Router();
  accounts.get('/demo-accounts.json', (_request, response) => {
    response.json(DEMO_ACCOUNTS.map(({ email, password, name, role }) => ({ email, password, name, role })));
  });
  if (isPublic) {
    print(
      `demo open to others at ${origin}: anyone can sign in as its admin, reset any password and read every mail. Keep nothing real in it.`,
    );
  }
  return {
    adminEmails: DEMO_ACCOUNTS.filter(({ role }) => role === 'admin').map(({ email }) => email),
    edge: (core, adminGuard) => [
      createEmulatorProxy({
        emulatorHost,
        allowedOrigins: config.corsOrigins,
        onMailSent: () => void mailbox.announce(),
      }),
      createSimulatorProxy(simulatorUrl),
      createStripeDashboard({ simulatorUrl, secretKey, adminsOnly: adminGuard() }),
      createDemoMailboxRouter(mailbox, (email) => readOrderMails(core, { origin, email })),
      accounts,
    ],
  };
}

function createSimulatorProxy(simulatorUrl: string): RequestHandler {
  const absent = { code: 'payment_unavailable', detail: 'The local Stripe is unavailable.' } as const;
  const forward = createProviderProxy(simulatorUrl, absent, { pathRewrite: { '^/demo-stripe': '' } });
  return (request, response, next) => {
    if (!request.path.startsWith('/demo-stripe/v1/')) next();
    else forward(request, response, next);
  };
}
