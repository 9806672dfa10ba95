import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { type Control, control, sdk } from '../demo/stripe/simulator.fixture.ts';
import { createStripeSimulator } from '../demo/stripe/simulator.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Secrets } from '../runtime/data-dir.ts';
import { WEBHOOK_EVENTS } from '../shop/payment/payments.ts';

/** What happens to webhooks on their way to the shop. */
export interface Courier {
  /** the probability that a webhook never arrives, although Stripe gets an acknowledgement */
  readonly lost: number;
  /** how many copies of each webhook arrive */
  readonly copies: number;
  /** the longest delay of a copy, in ms; the delays are random, so copies arrive in any order */
  readonly longestDelayMs: number;
}

/** A payment simulator that outlives the processes of a shop. A courier that loses and delays webhooks brings them to the shop. */
export interface StripeBesideShop {
  readonly port: number;
  readonly stripe: Stripe;
  /** Changes what the payment simulator does, e.g. decides a dispute. */
  readonly decide: Control['control'];
  readonly counts: { sent: number; lost: number; arrived: number; refused: number };
  /** Returns true once the simulated banks have decided everything and no webhook is on its way. */
  isIdle(): Promise<boolean>;
  stop(): Promise<void>;
}

/** `shopUrl` returns the shop's URL at the moment. Copies that arrive while the shop is down are lost. */
export async function startStripeBesideShop(
  folder: string,
  secrets: Secrets,
  {
    courier,
    decisionMs,
    shopUrl,
    port: fixedPort = 0,
  }: { courier: Courier; decisionMs: number; shopUrl: () => string; port?: number },
): Promise<StripeBesideShop> {
  const counts = { sent: 0, lost: 0, arrived: 0, refused: 0 };
  const onTheirWay = new Set<NodeJS.Timeout>();

  /** Signs the copy when it arrives, because Stripe signs each attempt again. */
  async function bring(payload: string): Promise<void> {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.stripeWebhookSecret });
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    try {
      const { ok } = await fetch(`${shopUrl()}/webhooks/stripe`, { method: 'POST', headers, body: payload });
      counts[ok ? 'arrived' : 'refused'] += 1;
    } catch {
      counts.lost += 1;
    }
  }

  const server = createServer(async (request, response) => {
    const payload = await text(request);
    response.end();
    counts.sent += 1;
    if (Math.random() < courier.lost) {
      counts.lost += courier.copies;
      return;
    }
    for (let copy = 0; copy < courier.copies; copy += 1) {
      const timer = setTimeout(() => {
        void bring(payload).finally(() => onTheirWay.delete(timer));
      }, Math.random() * courier.longestDelayMs);
      onTheirWay.add(timer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const simulator = createStripeSimulator({
    dataFile: join(folder, 'outliving-stripe.sqlite'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    webhookEvents: [...WEBHOOK_EVENTS],
    clock: systemClock,
    newId: (prefix) => `${prefix}${randomUUID().replaceAll('-', '')}`,
  });
  const { port } = await simulator.start({ port: fixedPort, host: '127.0.0.1' });
  const { control: decide, faults, raw } = control(port, secrets.stripeSecretKey);
  await faults({ decisionMs });
  const stripe = sdk(port, secrets.stripeSecretKey);

  return {
    port,
    stripe,
    decide,
    counts,
    async isIdle() {
      const answer = await raw('/simulator/deliveries?limit=1', { method: 'GET', key: secrets.stripeSecretKey });
      return onTheirWay.size === 0 && ((await answer.json()) as { unsettled: number }).unsettled === 0;
    },
    async stop() {
      for (const timer of onTheirWay) clearTimeout(timer);
      await simulator.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
