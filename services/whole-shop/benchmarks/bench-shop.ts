import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { DEMO_ACCOUNTS } from '../../demo/identity/demo-accounts.ts';
import { addProduct, call, inParallel, orderOf, type Person, passwordIdToken, signIn } from '../shop-client.fixture.ts';
import { freshDataDir, UNLIMITED } from '../shop-process.fixture.ts';
import { ENDS_WITH_PARENT } from '../test-programs.fixture.ts';

const BUYERS = 64;
const PRODUCTS = 100;
const STOCK = 1_000_000;
const READY_WITHIN_MS = 150_000;
const TICKS_PER_SECOND = 100;

/** One of a shop's processes. */
export type Part = 'shop' | 'identity' | 'stripe';
const PROGRAMS: Record<Part, RegExp> = { shop: /run\.mjs/, identity: /emulator-child/, stripe: /stripe-child/ };

/** A shop that was started with `npm start` in a given source tree, and that has users and products. */
export interface BenchShop {
  readonly url: string;
  readonly admin: Person;
  readonly buyers: readonly Person[];
  readonly products: readonly string[];
  /** CPU time that each process has used so far, in ms */
  worked(): Record<Part, number>;
  /** resident memory of each process, in MB */
  holds(): Record<Part, number>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** the root folder of the source tree whose shop is started */
  readonly root: string;
  readonly dataDir: string;
  readonly nodeFlags?: readonly string[];
}

/** Runs `work` on a new shop. The shop's data directory is empty unless `prepare` puts something there. */
export async function withShop<T>(
  root: string,
  work: (shop: BenchShop) => Promise<T>,
  prepare?: (dataDir: string) => Promise<void>,
): Promise<T> {
  const data = freshDataDir();
  try {
    await prepare?.(data.path);
    const shop = await openShop({ root, dataDir: data.path });
    return await work(shop).finally(() => shop.stop());
  } finally {
    data.remove();
  }
}

export async function openShop(options: BenchOptions): Promise<BenchShop> {
  const { child, url, stop } = await startShop(options);
  try {
    const { email, password } = DEMO_ACCOUNTS[0];
    const admin = await signIn(url, email, await passwordIdToken(url, email, password));
    const buyers: Person[] = [];
    await inParallel(BUYERS, 8, async (n) => {
      buyers[n] = await newBuyer(url, `buyer${n}@bench.test`);
    });
    const products: string[] = [];
    await inParallel(PRODUCTS, 8, async (n) => {
      products[n] = await addProduct(admin, { name: `Tower ${n}`, quantity: STOCK });
    });
    const pids = processesOf(child);
    return {
      url,
      admin,
      buyers,
      products,
      stop,
      worked: () => each(pids, processorMs),
      holds: () => each(pids, residentMb),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a shop without adding users or products for the benchmark. */
export async function startShop({ root, dataDir, nodeFlags = [] }: BenchOptions) {
  const args = [...nodeFlags, '--enable-source-maps', ...ENDS_WITH_PARENT, 'services/main/run.mjs', 'start'];
  const env = {
    ...process.env,
    ...UNLIMITED,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error(`The shop exited before it was ready: ${printed}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const ready = /^ready (http:\S+)$/m.exec(printed)?.[1];
      if (ready) resolve(ready);
    });
  }).finally(() => clearTimeout(tooLong));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { child, url, stop };
}

/** Creates an account in the shop's own identity emulator and signs in with it. */
async function newBuyer(url: string, email: string): Promise<Person> {
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo';
  const { body } = await call(url, 'POST', path, { body: { email, password: 'benchmark', returnSecureToken: true } });
  return signIn(url, email, z.object({ idToken: z.string() }).parse(body).idToken);
}

function processesOf(child: ChildProcess): Record<Part, number> {
  const running = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const pids: Record<Part, number> = { shop: child.pid ?? 0, identity: 0, stripe: 0 };
  for (const line of running) {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) !== child.pid) continue;
    for (const part of ['identity', 'stripe'] as const)
      if (PROGRAMS[part].test(args.join(' '))) pids[part] = Number(pid);
  }
  return pids;
}

function each(pids: Record<Part, number>, measure: (pid: number) => number): Record<Part, number> {
  return { shop: measure(pids.shop), identity: measure(pids.identity), stripe: measure(pids.stripe) };
}

/** Returns the CPU time that a process has used, in ms. Works only on Linux, because it reads `/proc`. */
function processorMs(pid: number): number {
  const fields =
    readFileSync(join('/proc', String(pid), 'stat'), 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

function residentMb(pid: number): number {
  const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export interface Sent {
  readonly status: number;
  readonly body: string;
  readonly etag: string;
  /** the time from sending the request to the end of the response */
  readonly ms: number;
}

/**
 * Sends one request over a keep-alive connection. This takes little CPU time, so that the shop on the same machine
 * isn't slowed down.
 */
export function send(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const began = performance.now();
  const all = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { method, agent, headers: all }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode = 0, headers } = answer;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: statusCode, body: text, etag: headers.etag ?? '', ms: performance.now() - began });
      });
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Places an order and returns its id. @throws Error if the order is refused */
export async function place(url: string, buyer: Person, productId: string): Promise<string> {
  const body = JSON.stringify(orderOf(buyer, productId));
  const answer = await send(url, 'POST', '/orders', { token: buyer.token, body });
  if (answer.status !== 201) throw new Error(`An order was not placed: ${answer.status} ${answer.body}`);
  return createdSchema.parse(JSON.parse(answer.body)).insertedId;
}

const secretSchema = z.object({ clientSecret: z.string() });
const configSchema = z.object({ stripe: z.object({ publishableKey: z.string() }) });

/** Returns a function that pays for an order as the browser does, with a card that is always accepted. */
export async function payer(url: string): Promise<(buyer: Person, orderId: string) => Promise<void>> {
  const { stripe } = configSchema.parse((await call(url, 'GET', '/config.json')).body);
  const key = { authorization: `Bearer ${stripe.publishableKey}`, 'content-type': 'application/x-www-form-urlencoded' };
  const insist = async (sent: Promise<Sent>) => {
    const { status, body } = await sent;
    if (status >= 300) throw new Error(`An order could not be paid for: ${status} ${body}`);
    return body;
  };
  return async ({ token }, orderId) => {
    const wanted = JSON.stringify({ orderId, totalPrice: 1000 });
    const started = await insist(send(url, 'POST', '/create-payment-intent', { token, body: wanted }));
    const { clientSecret } = secretSchema.parse(JSON.parse(started));
    const intent = clientSecret.split('_secret_')[0] ?? '';
    const body = new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }).toString();
    await insist(send(url, 'POST', `/demo-stripe/v1/payment_intents/${intent}/confirm`, { headers: key, body }));
    const told = JSON.stringify({ order: orderId, transactionId: intent });
    await insist(send(url, 'PATCH', `/orders/${orderId}`, { token, body: told }));
  };
}
