import { type RequestHandler, Router } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { answerForAbsent, refusesBody } from '../runtime/provider-proxy.ts';
import { DEMO_ACCOUNTS } from './identity/demo-accounts.ts';
import { createDemoMailbox, createDemoMailboxRouter } from './identity/demo-mailbox.ts';
import { createEmulatorProxy } from './identity/emulator-proxy.ts';

/** Where the providers of a demo shop answer, whoever started them. */
export interface DemoAddresses {
  /** host:port */
  readonly emulatorHost: string;
  /** e.g. `http://127.0.0.1:4010` */
  readonly simulatorUrl: string;
}

/** Those of a demo shop whose providers run by themselves; null with real providers. */
export function demoAddressesOf({ stripe, firebase }: Config): DemoAddresses | null {
  if (stripe.mode === 'live' || firebase.mode === 'live') return null;
  if (!stripe.simulatorUrl || !firebase.emulatorHost) return null;
  return { emulatorHost: firebase.emulatorHost, simulatorUrl: stripe.simulatorUrl };
}

interface DemoOptions {
  readonly config: Config;
  readonly origin: string;
  readonly print: (line: string) => void;
}

/** What only a demo shop serves: the providers on its own origin, the mailbox, and the accounts that one may use. */
export function demoRouters(
  { emulatorHost, simulatorUrl }: DemoAddresses,
  { config, origin, print }: DemoOptions,
): RequestHandler[] {
  const emulator = { host: emulatorHost, projectId: config.firebase.projectId };
  const mailbox = createDemoMailbox({ emulator, origin: () => origin, clock: systemClock, print });
  const accounts = Router();
  accounts.get('/demo-accounts.json', (_request, response) => {
    response.json(DEMO_ACCOUNTS.map(({ email, password, name, role }) => ({ email, password, name, role })));
  });
  return [
    createEmulatorProxy({
      emulatorHost,
      allowedOrigins: config.corsOrigins,
      onMailSent: () => void mailbox.announce(),
    }),
    createSimulatorProxy(simulatorUrl),
    createDemoMailboxRouter(mailbox),
    accounts,
  ];
}

/** Serves the local Stripe's API on the shop's own origin, for browsers. */
function createSimulatorProxy(simulatorUrl: string): RequestHandler {
  const forward = createProxyMiddleware({
    target: simulatorUrl,
    pathFilter: '/demo-stripe/v1/**',
    pathRewrite: { '^/demo-stripe': '' },
    proxyTimeout: 15_000,
    on: {
      error: (_error, _request, response) =>
        answerForAbsent(response, 'payment_unavailable', 'The local Stripe does not answer.'),
    },
  });
  return (request, response, next) => {
    if (request.path.startsWith('/demo-stripe/') && refusesBody(request, response)) return;
    void forward(request, response, next);
  };
}

/** E-mails of the demo accounts that are admins from their first sign-in. */
export function demoAdmins(): string[] {
  return DEMO_ACCOUNTS.filter((account) => account.role === 'admin').map((account) => account.email);
}
