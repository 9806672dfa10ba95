import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import type { SimulatorSettings } from './settings.ts';
import { createStripeSimulator } from './simulator.ts';

export const SECRET_KEY = 'sk_test_simulator0123456789';
export const PUBLISHABLE_KEY = 'pk_test_simulator0123456789';
export const WEBHOOK_SECRET = 'whsec_simulator0123456789';

/** A webhook endpoint that verifies each signature with the SDK and records the events in order of arrival. */
export interface Receiver {
  url: string;
  events: Stripe.Event[];
  /** returns the status to respond with, 200 by default; 0 drops the connection without a response */
  answer: (event: Stripe.Event, attempt: number) => number | Promise<number>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const attempts = new Map<string, number>();
  const receiver: Receiver = { url: '', events: [], answer: () => 200, close: async () => {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const signature = request.headers['stripe-signature'] ?? '';
    const event = Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, WEBHOOK_SECRET);
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    receiver.events.push(event);
    const status = await receiver.answer(event, attempt);
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`;
  receiver.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return receiver;
}

/** Returns the real Stripe SDK, set up to call the simulator as the shop does. */
export function sdk(port: number, key = SECRET_KEY, maxNetworkRetries = 0): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries, telemetry: false });
}

export function settingsFor(folder: string, webhookUrl: string): SimulatorSettings {
  return {
    dataFile: join(folder, 'stripe.sqlite'),
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl,
    retry: { firstMs: 10, maxMs: 40, attempts: 5 },
  };
}

/** The object that a control endpoint changed, or its refusal. */
export interface ControlAnswer {
  id?: string;
  status?: string;
  error?: { code?: string; message: string };
}

export interface Control {
  faults(knobs: Record<string, unknown>): Promise<Response>;
  /** Posts JSON to a path under /simulator, as the simulator's dashboard does. */
  control(path: string, body: object): Promise<{ status: number; body: ControlAnswer }>;
  /** Changes an existing refund's status. */
  changeRefund(id: string, status: string): Promise<Response>;
  /** Waits up to 10 s for every delivery to settle, and returns the deliveries. */
  settled(): Promise<{ settled: boolean; deliveries: { type: string; state: string; attempts: number }[] }>;
  /** Calls a path of the simulator without the SDK. `body` must be form-encoded. */
  raw(
    path: string,
    init?: { key?: string; method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
}

export function control(port: number, secretKey = SECRET_KEY): Control {
  const address = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  return {
    faults: (knobs) => fetch(`${address}/simulator/faults`, { method: 'POST', headers, body: JSON.stringify(knobs) }),
    control: async (path, body) => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${address}/simulator/${path}`, init);
      return { status: answer.status, body: (await answer.json()) as ControlAnswer };
    },
    changeRefund: (id, status) =>
      fetch(`${address}/simulator/refunds/${id}`, { method: 'POST', headers, body: JSON.stringify({ status }) }),
    settled: async () => {
      const answer = await fetch(`${address}/simulator/deliveries?waitMs=10000`, { headers });
      return (await answer.json()) as Awaited<ReturnType<Control['settled']>>;
    },
    raw: (path, { key = secretKey, method = 'POST', body, headers: more } = {}) =>
      fetch(`${address}${path}`, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...more,
        },
        ...(body !== undefined && { body }),
      }),
  };
}

export interface Running extends Control {
  stripe: Stripe;
  browser: Stripe;
  receiver: Receiver;
  port: number;
  /** Stops the simulator, calls `meanwhile`, and starts another simulator on the same file. */
  restart(meanwhile?: (settings: SimulatorSettings) => void): Promise<Running>;
  close(): Promise<void>;
}

let made = 0;
function newId(prefix: string): string {
  made += 1;
  return `${prefix}${String(made).padStart(14, '0')}`;
}

/** Starts a simulator with its own file and webhook receiver. `now` replaces the clock and returns milliseconds since the epoch. */
export async function startSimulator(settings: Partial<SimulatorSettings> = {}, now?: () => number): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-simulator-'));
  const receiver = await startReceiver();
  const clock = now ?? (() => Date.now());
  const run = async (): Promise<Running> => {
    const all = { ...settingsFor(folder, receiver.url), ...settings };
    const simulator = createStripeSimulator({ ...all, clock, newId, onError: (error) => console.error(error) });
    const { port } = await simulator.start();
    return {
      ...control(port),
      stripe: sdk(port),
      browser: sdk(port, PUBLISHABLE_KEY),
      receiver,
      port,
      async restart(meanwhile = () => {}) {
        await simulator.stop();
        meanwhile(all);
        return run();
      },
      async close() {
        await simulator.stop();
        await receiver.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  return run();
}

/** Returns the error that the SDK threw. Fails the test if the SDK threw nothing. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}
