import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, ListenOptions, Server as Socket } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';
import { createApp } from './app.ts';
import { createBanks } from './banks.ts';
import { openDatabase } from './database.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import { faultsSchema } from './faults.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLaterQueue } from './later.ts';
import { type SimulatorSettings, simulatorSettingsSchema } from './settings.ts';
import { createStore } from './store.ts';
import { createWebhookSender } from './webhooks.ts';

/**
 * The same keep-alive timeout as on the shop's server. With Node's default of 5 s, calls failed when a busy shop reused
 * a connection just as the simulator closed it.
 */
const KEEP_ALIVE_MS = 65_000;

export interface StripeSimulator {
  /** Listens on an address or on an already open socket, and starts delivering webhooks. */
  start(on?: ListenOptions | Socket): Promise<{ port: number }>;
  /** Stops the simulator. Events that are still pending are delivered after the next start. */
  stop(): Promise<void>;
}

/** `newId(prefix)` must never return the same id twice. `clock` returns milliseconds since the epoch. */
export function createStripeSimulator(
  options: SimulatorSettings & {
    clock: Clock;
    newId: (prefix: string) => string;
    onError?: (error: unknown) => void;
  },
): StripeSimulator {
  const { clock, newId, onError = () => {}, ...given } = options;
  const settings = simulatorSettingsSchema.parse(given);
  const database = openDatabase(settings.dataFile);
  const faults = faultsSchema.parse({});
  const simulation = {
    settings,
    database,
    commit: createGroupCommit(database),
    store: createStore(database, () => faults.account),
    deliveries: createDeliveryQueue(database, clock, settings.retry, faults),
    later: createLaterQueue(database),
    faults,
    clock,
    newId,
  };
  const sender = createWebhookSender(simulation);
  const banks = createBanks(simulation, sender.wake, onError);
  const wake = () => {
    sender.wake();
    banks.wake();
  };
  const server = createServer(createApp(simulation, wake, onError));
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  return {
    async start(on = { port: 0, host: '127.0.0.1' }) {
      server.listen(on);
      await once(server, 'listening');
      sender.start();
      banks.start();
      return { port: (server.address() as AddressInfo).port };
    },
    async stop() {
      await banks.stop();
      await sender.stop();
      if (server.listening) {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }
      database.close();
    },
  };
}
