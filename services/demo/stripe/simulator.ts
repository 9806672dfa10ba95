import { createServer, type Server } from 'node:http';
import type { AddressInfo, ListenOptions, Server as Socket } from 'node:net';
import type { Express } from 'express';
import { z } from 'zod';
import type { Clock } from '../../runtime/clock.ts';
import { createApp } from './app.ts';
import { createControl } from './control.ts';
import { openDatabase } from './database.ts';
import { createDeliveryQueue, retrySchema } from './delivery-queue.ts';
import { NO_FAULTS } from './faults.ts';
import { forgetPayers } from './forget-payers.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { changeRefund } from './refunds.ts';
import { createStore } from './store.ts';
import { createWebhookSender } from './webhooks.ts';

/** As the shop's own: after Node's 5 s a busy shop lost calls on the connections that its Stripe client keeps. */
const KEEP_ALIVE_MS = 65_000;

/** Takes test keys only. */
export const simulatorSettingsSchema = z.strictObject({
  /** its folder is created if missing */
  dataFile: z.string().min(1),
  secretKey: z.string().regex(/^sk_test_[A-Za-z0-9_]{8,200}$/, 'a secret key begins with sk_test_'),
  publishableKey: z.string().regex(/^pk_test_[A-Za-z0-9_]{8,200}$/, 'a publishable key begins with pk_test_'),
  webhookSecret: z.string().regex(/^whsec_[A-Za-z0-9+/=_-]{8,200}$/, 'a webhook secret begins with whsec_'),
  webhookUrl: z.url(),
  /** '*' is all types of event */
  webhookEvents: z.array(z.string().min(1)).min(1).default(['*']),
  retry: retrySchema.prefault({}),
  webhookTimeoutMs: z.number().int().positive().default(10_000),
});
export type SimulatorSettings = z.input<typeof simulatorSettingsSchema>;

export interface StripeSimulator {
  app: Express;
  /** Takes an address, or an open port; begins to deliver. */
  start(on?: ListenOptions | Socket): Promise<{ port: number }>;
  /** Pending events are delivered after the next start. */
  stop(): Promise<void>;
}

/** `newId(prefix)` must never repeat; `clock` is in milliseconds since the epoch. */
export function createStripeSimulator(
  options: SimulatorSettings & {
    clock: Clock;
    newId: (prefix: string) => string;
    onError?: (error: unknown) => void;
  },
): StripeSimulator {
  const { clock, newId, onError = () => {}, ...settings } = options;
  const parsed = simulatorSettingsSchema.parse(settings);
  const { dataFile, secretKey, publishableKey, webhookSecret, webhookUrl, webhookEvents, retry, webhookTimeoutMs } =
    parsed;
  const keys = { secretKey, publishableKey };
  const database = openDatabase(dataFile);
  let faults = { ...NO_FAULTS };
  const getFaults = () => faults;
  const commit = createGroupCommit(database);
  const store = createStore(database);
  const deliveries = createDeliveryQueue(database, clock, retry, getFaults);
  const isSubscribed = (type: string) => webhookEvents.includes('*') || webhookEvents.includes(type);
  const sender = createWebhookSender({
    queue: deliveries,
    store,
    commit,
    clock,
    url: webhookUrl,
    secret: webhookSecret,
    timeoutMs: webhookTimeoutMs,
  });
  const setFaults = (next: typeof faults) => {
    faults = next;
  };
  const simulation = { store, deliveries, isSubscribed, clock, newId, faults: getFaults };
  const byHand = () => ({ simulation, publishable: false, requestId: newId('req_'), idempotencyKey: null });
  const app = createApp({
    simulation,
    keys,
    idempotency: createIdempotencyKeys(database, clock),
    commit,
    committed: sender.wake,
    faults: getFaults,
    control: createControl({
      keys,
      deliveries,
      sender,
      getFaults,
      setFaults,
      changeRefund: (id, status) => database.transaction(() => changeRefund(byHand(), id, status)).immediate(),
      forgetPayers: (intents) => forgetPayers(database, intents),
    }),
    onError,
  });
  let server: Server | undefined;

  return {
    app,
    async start(on = { port: 0, host: '127.0.0.1' }) {
      server = createServer(app);
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      const listening = await listen(server, on);
      sender.start();
      return { port: listening };
    },
    async stop() {
      await sender.stop();
      if (server) await close(server);
      database.close();
    },
  };
}

function listen(server: Server, on: ListenOptions | Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(on, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
