import { type ChildProcess, fork } from 'node:child_process';
import module from 'node:module';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ReadableError } from '../runtime/readable-error.ts';
import type { EmulatorSettings } from './emulator-child.ts';
import { replySchema } from './run-provider.ts';
import type { SimulatorSettings } from './stripe/settings.ts';

/** In ms: under a second on a quiet machine, far more on a busy one with a cold disk. */
const START_TIMEOUT_MS = 120_000;
/** In ms until a child that does not stop is killed; its file survives that. */
const STOP_TIMEOUT_MS = 5_000;

/** Keys name their programs beside this file. */
export const PROVIDERS = { emulator: 'identity emulator', stripe: 'payment simulator' } as const;

interface Settings {
  emulator: EmulatorSettings;
  stripe: SimulatorSettings;
}

export interface ProviderProcess {
  /** calls that come before it is ready wait */
  readonly port: number;
  /** 0 before it is loaded */
  readonly pid: number;
  /** Rejects with one readable line where it cannot start; the process has ended then. */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  /** Nothing acknowledged is lost. */
  stop(): Promise<void>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProviderOptions {
  readonly host?: string;
  readonly port?: number;
  /** It is loaded once this has resolved, or at the first call if that comes sooner. */
  readonly after?: Promise<unknown>;
  /** the folder of its built program, where this process is not built itself */
  readonly builtIn?: string;
}

/** Resolves once the port is open, before the provider is ready. @throws ReadableError where the port cannot be opened */
export async function startProvider<Name extends keyof typeof PROVIDERS>(
  name: Name,
  settings: Settings[Name],
  { host = '127.0.0.1', port: wantedPort = 0, after = Promise.resolve(), builtIn }: ProviderOptions = {},
): Promise<ProviderProcess> {
  const failure = (error: Error) => new ReadableError(`The ${PROVIDERS[name]} did not start: ${error.message}`);
  const early: Socket[] = [];
  // Opened here, so that the port is known before the provider is loaded.
  const socket = await listen(host, wantedPort).catch((error: Error) => Promise.reject(failure(error)));
  let hurry = () => {};
  const called = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  socket.on('connection', (connection) => {
    // A caller that hangs up meanwhile would otherwise end this process.
    connection.on('error', () => {});
    early.push(connection);
    hurry();
  });
  const address = socket.address();
  const port = typeof address === 'object' && address ? address.port : wantedPort;
  let child: ChildProcess | null = null;
  let stopped = false;
  let end: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>((resolve) => {
    end = resolve;
  });

  async function load(): Promise<void> {
    await Promise.race([after, called]);
    if (stopped) throw new Error('it was stopped before');
    child = fork(programOf(name, builtIn), {
      // What loads TypeScript here is no use to a built program.
      ...(builtIn ? { execArgv: ['--enable-source-maps'] } : {}),
      env: environmentOf(process.env),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('exit', (code, signal) => end({ code, signal }));
    child.once('error', () => end({ code: null, signal: null }));
    // Not as arguments, since any user may read a command line.
    child.send(settings, () => {});
    await readiness(child, exited);
    await handOver(socket, child);
    for (const connection of early) handOn(connection, connect(port, host));
  }
  const ready = load().catch(async (error: Error) => {
    socket.close();
    for (const connection of early) connection.destroy();
    child?.kill('SIGKILL');
    if (child) await exited;
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
      stopped = true;
      hurry();
      socket.close();
      end({ code: 0, signal: null });
    },
  };
}

const programOf = (name: string, builtIn: string | undefined) =>
  builtIn
    ? join(builtIn, `${name}-child.js`)
    : fileURLToPath(new URL(`./${name}-child${extname(import.meta.url)}`, import.meta.url));

/**
 * Gives the open port to a child that's ready to answer. Node accepts connections for a child as soon as the child receives
 * the port, so while its program is still loading nobody would answer them.
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

/** A connection that came before the provider listened. */
function handOn(connection: Socket, provider: Socket): void {
  pipeline(connection, provider, connection, () => {});
}

/** A provider must not inherit the shop's secrets. */
function environmentOf({ PATH, HOME, TMPDIR, NODE_PATH }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  return { PATH, HOME, TMPDIR, NODE_PATH, NODE_COMPILE_CACHE: getCompileCacheDir?.() };
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const socket = createServer();
    socket.once('error', reject);
    socket.listen(port, host, () => resolve(socket));
  });
}

function readiness(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no reply within ${START_TIMEOUT_MS / 1000} s`)), START_TIMEOUT_MS);
    exited.then(({ code, signal }) => {
      clearTimeout(limit);
      reject(new Error(`its process ended (${signal ?? `exit code ${code}`})`));
    });
    child.once('message', (message) => {
      clearTimeout(limit);
      const { data: reply } = replySchema.safeParse(message);
      if (reply?.kind === 'ready') resolve();
      else reject(new Error(reply?.reason ?? 'its first message could not be read'));
    });
  });
}

/** By closing the channel: the child ignores signals, which reach the whole process group. */
async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.connected) child.disconnect();
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(limit);
}
