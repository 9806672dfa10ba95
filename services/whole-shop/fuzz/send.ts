import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Stripe from 'stripe';
import type { HttpInput, RawInput, Sender } from './input.ts';

/** A response that takes longer than this counts as missing. */
const TIMEOUT_MS = 10_000;
/**
 * How long a raw connection may be idle before it is closed. This is short, because many raw inputs get no response.
 */
const RAW_QUIET_MS = 60;

/** The shop under test, and the credentials and data for the fuzzer's requests. */
export interface Target {
  readonly url: string;
  readonly tokens: Record<Sender, string | null>;
  readonly emails: { readonly customer: string; readonly neighbour: string };
  readonly webhookSecret: string;
  /**
   * the data for the placeholders `@product:n`, `@productName:n`, `@spare:n`, `@order:n`, `@total:n` and `@intent:n`.
   * Orders and intents are listed newest first.
   */
  readonly products: readonly { readonly id: string; readonly name: string }[];
  readonly spares: readonly string[];
  readonly orders: { readonly id: string; readonly total: number }[];
  readonly intents: string[];
  /** the total price of this many units of a product, in whole taka */
  readonly totalOf: (quantity: number) => number;
  /** Signs in again as this sender, for example after a request has closed the sender's account. */
  readonly comeBack: (sender: Sender) => Promise<void>;
  /** Confirms a payment intent using its client secret, as a browser does. */
  readonly pay: (clientSecret: string) => Promise<void>;
}

/** The shop's response to one of the fuzzer's requests, or the reason why there was none. */
export type Reaction =
  | { readonly status: number; readonly type: string; readonly body: string }
  | { readonly silent: string };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** The text of a response's body. An input may have asked for a compressed one. */
function textOf(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string {
  if (body.length === 0 || encoding === undefined) return body.toString();
  return (encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString();
}

/**
 * Sends one HTTP request. Requests to the API carry the sender's token. The `forger` sends a forged token with every
 * request.
 */
export function sendHttp(target: Target, input: HttpInput): Promise<Reaction> {
  const body = input.body === null ? null : Buffer.from(named(target, input, input.body));
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method: input.method,
      path: named(target, input, input.path),
      headers: {
        ...input.headers,
        ...authorization(target, input),
        ...signature(target, input, body),
        ...lengthOf(body),
      },
      timeout: TIMEOUT_MS,
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => resolve({ silent: error.message }));
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, body: textOf(Buffer.concat(chunks), response.headers) });
      });
    });
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error) => resolve({ silent: error.message }));
    request.end(body ?? undefined);
  });
}

/** Replaces placeholders such as `@order:3` with the data that they stand for. */
function named({ products, spares, orders, intents, emails }: Target, { sender }: HttpInput, text: string): string {
  const pick = <T>(all: readonly T[], number: string) => all[Number(number) % Math.max(all.length, 1)];
  const email = sender === 'neighbour' ? emails.neighbour : emails.customer;
  return text
    .replace(/@productName:(\d+)/g, (_, number: string) => pick(products, number)?.name ?? 'none')
    .replace(/@product:(\d+)/g, (_, number: string) => pick(products, number)?.id ?? 'none')
    .replace(/@spare:(\d+)/g, (_, number: string) => pick(spares, number) ?? 'none')
    .replace(/@order:(\d+)/g, (_, number: string) => pick(orders, number)?.id ?? 'none')
    .replace(/"@total:(\d+)"/g, (_, number: string) => String(pick(orders, number)?.total ?? 0))
    .replace(/@intent:(\d+)/g, (_, number: string) => pick(intents, number) ?? 'pi_none')
    .replaceAll('@email', email)
    .replaceAll('@customer', emails.customer)
    .replaceAll('@neighbour', emails.neighbour);
}

function authorization({ tokens }: Target, { sender, part }: HttpInput): Record<string, string> {
  const token = part === 'api' || sender === 'forger' ? tokens[sender] : null;
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function signature({ webhookSecret }: Target, { signed }: HttpInput, body: Buffer | null): Record<string, string> {
  if (!signed) return {};
  const payload = (body ?? '').toString();
  return {
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret }),
  };
}

const lengthOf = (body: Buffer | null): Record<string, string> =>
  body === null ? {} : { 'content-length': String(body.length) };

/**
 * Writes the chunks of a raw input to a new connection. Returns the status of the first HTTP response, if there is one.
 */
export function sendRaw(target: Target, { chunks }: RawInput): Promise<Reaction> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(port), hostname);
    const end = () => {
      socket.destroy();
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(said)?.[1];
      resolve(status ? { status: Number(status), type: '', body: said } : { silent: 'closed' });
    };
    socket.setTimeout(RAW_QUIET_MS, end);
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (chunk: Buffer) => {
      if (said.length < 1_000) said += chunk.toString('latin1');
    });
    socket.on('connect', () => {
      for (const chunk of chunks) socket.write(chunk, 'latin1');
    });
  });
}
