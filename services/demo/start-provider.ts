import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import module from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ReadableError } from '../runtime/readable-error.ts';
import { within } from '../runtime/store-unavailable.ts';
import type { EmulatorSettings } from './emulator-child.ts';
import { replySchema } from './run-provider.ts';
import type { SimulatorSettings } from './stripe/settings.ts';

/**
 * How long to wait for a provider to start. Startup takes under a second on an idle machine, but far longer on a busy
 * machine with a cold disk cache.
 */
const START_TIMEOUT_MS = 120_000;
/** A child that takes longer than this to stop is killed, which doesn't damage its data file. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * The providers' names as they appear in messages. The file name of a provider's program begins with the provider's
 * key, as in `stripe-child.ts`.
 */
export const PROVIDERS = { emulator: 'identity emulator', stripe: 'payment simulator' } as const;

interface Settings {
  emulator: EmulatorSettings;
  stripe: SimulatorSettings;
}

export interface ProviderProcess {
  /** The port is open from the start. Calls that arrive before the provider is ready wait for the provider. */
  readonly port: number;
  /** the id of the provider's process; 0 until the process is started */
  readonly pid: number;
  /**
   * Resolves once the provider can serve calls. If it cannot start, rejects with a one-line error after its process has
   * exited.
   */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  /** Stops the process without losing any change that the provider has acknowledged. */
  stop(): Promise<void>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProviderOptions {
  readonly host?: string;
  readonly port?: number;
  /** The provider starts loading when this promise resolves or when the first call arrives, whichever comes first. */
  readonly after?: Promise<unknown>;
  /** the folder that contains the provider's built program; if absent, the program in this module's folder is used */
  readonly builtIn?: string;
}

/**
 * Starts a provider. Resolves as soon as its port is open, even though the provider isn't ready yet.
 * @throws ReadableError if the port cannot be opened
 */
export async function startProvider<Name extends keyof typeof PROVIDERS>(
  name: Name,
  settings: Settings[Name],
  { host = '127.0.0.1', port: wantedPort = 0, after = Promise.resolve(), builtIn }: ProviderOptions = {},
): Promise<ProviderProcess> {
  const failure = (error: Error) => new ReadableError(`The ${PROVIDERS[name]} did not start: ${error.message}`);
  // The port is opened here, so that its number is known before the provider is loaded.
  const socket = createServer().listen(wantedPort, host);
  await once(socket, 'listening').catch((error: Error) => Promise.reject(failure(error)));
  const { port } = socket.address() as AddressInfo;
  const early: Socket[] = [];
  socket.on('connection', (connection) => {
    // Without this listener, a caller that hangs up while the provider loads would crash this process.
    connection.on('error', () => {});
    early.push(connection);
  });
  let child: ChildProcess | null = null;
  const stopping = new AbortController();

  async function load(): Promise<ChildProcess> {
    await Promise.race([after, once(socket, 'connection'), once(stopping.signal, 'abort')]);
    if (stopping.signal.aborted) throw new Error('it was stopped before it was loaded');
    child = fork(programOf(name, builtIn), {
      // A built program doesn't need the flags that this process uses to load TypeScript.
      ...(builtIn ? { execArgv: ['--enable-source-maps'] } : {}),
      env: environmentOf(process.env),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // Settings can contain secrets, so they aren't passed as arguments: any user can read a process's command line.
    child.send(settings, () => {});
    return child;
  }
  const loading = load();
  const exited = loading.then(exitOf, () => ({ code: 0, signal: null }));

  async function begin(): Promise<void> {
    const loaded = await loading;
    await readiness(loaded, exited);
    await handOver(socket, loaded);
    // From Node 26 on, a connection whose caller has hung up can't be piped.
    for (const connection of early.filter(({ destroyed }) => !destroyed)) {
      pipeline(connection, connect(port, host), connection, () => {});
    }
  }
  const ready = begin().catch(async (error: Error) => {
    socket.close();
    for (const connection of early) connection.destroy();
    child?.kill('SIGKILL');
    await exited;
    throw failure(error);
  });
  ready.catch(() => undefined);
  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    ready,
    exited,
    async stop() {
      if (child) return stop(child, exited);
      stopping.abort();
      socket.close();
    },
  };
}

const programOf = (name: string, builtIn: string | undefined) =>
  builtIn
    ? join(builtIn, `${name}-child.js`)
    : fileURLToPath(new URL(`./${name}-child${extname(import.meta.url)}`, import.meta.url));

/**
 * Hands the open port over to a child that's ready to serve calls. A child accepts connections as soon as it receives
 * the port. A child that was still loading would accept calls without responding to them.
 */
function handOver(socket: Server, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.send({ kind: 'listen' }, socket, (error) => {
      socket.close();
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Returns the environment variables for a provider's process, which must not inherit the shop's secrets. */
function environmentOf({ PATH, HOME, TMPDIR, NODE_PATH }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  return { PATH, HOME, TMPDIR, NODE_PATH, NODE_COMPILE_CACHE: getCompileCacheDir?.() };
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  const [code, signal] = await once(child, 'exit').catch(() => [null, null]);
  return { code, signal };
}

async function readiness(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  const ended = exited.then(({ code, signal }) => {
    throw new Error(`its process exited (${signal ?? `exit code ${code}`})`);
  });
  const late = () => new Error(`no reply within ${START_TIMEOUT_MS / 1000} s`);
  const [message] = await within(START_TIMEOUT_MS, () => Promise.race([once(child, 'message'), ended]), late);
  const { data: reply } = replySchema.safeParse(message);
  if (reply?.kind !== 'ready') throw new Error(reply?.reason ?? 'its first message could not be read');
}

/**
 * Stops the child by closing its IPC channel. The child ignores SIGINT and SIGTERM, so that Ctrl-C, which signals the
 * whole process group, doesn't stop it before the shop.
 */
async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.connected) child.disconnect();
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(limit);
}
