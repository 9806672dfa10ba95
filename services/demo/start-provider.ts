import { type ChildProcess, fork } from 'node:child_process';
import module from 'node:module';
import { createServer, type Server } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReadableError } from '../runtime/readable-error.ts';
import type { EmulatorSettings } from './emulator-child.ts';
import { replySchema } from './run-provider.ts';
import type { SimulatorSettings } from './stripe/simulator.ts';

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

interface ProviderOptions {
  readonly host?: string;
  readonly port?: number;
  /** the folder of its built program, where this process is not built itself */
  readonly builtIn?: string;
}

/** Resolves once the port is open, before the provider is ready. @throws ReadableError where the port cannot be opened */
export async function startProvider<Name extends keyof typeof PROVIDERS>(
  name: Name,
  settings: Settings[Name],
  { host = '127.0.0.1', port = 0, builtIn }: ProviderOptions = {},
): Promise<ProviderProcess> {
  const failure = (error: Error) => new ReadableError(`The ${PROVIDERS[name]} did not start: ${error.message}`);
  // Opened here, so that the port is known before the provider is loaded.
  const socket = await listen(host, port).catch((error: Error) => Promise.reject(failure(error)));
  const address = socket.address();
  const program = builtIn
    ? join(builtIn, `${name}-child.js`)
    : fileURLToPath(new URL(`./${name}-child${extname(import.meta.url)}`, import.meta.url));
  const child = fork(program, {
    // What loads TypeScript here is no use to a built program.
    ...(builtIn ? { execArgv: ['--enable-source-maps'] } : {}),
    env: environmentOf(process.env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  // Not as arguments, since any user may read a command line.
  child.send(settings, socket, () => socket.close());
  const ready = readiness(child, exited).catch(async (error: Error) => {
    child.kill('SIGKILL');
    await exited;
    throw failure(error);
  });
  ready.catch(() => undefined);
  return {
    port: typeof address === 'object' && address ? address.port : port,
    pid: child.pid ?? 0,
    ready,
    exited,
    stop: () => stop(child, exited),
  };
}

/** A provider must not inherit the shop's secrets. */
function environmentOf({ PATH, HOME, TMPDIR, NODE_PATH }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  return { PATH, HOME, TMPDIR, NODE_PATH, NODE_COMPILE_CACHE: getCompileCacheDir?.() };
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    // A restarted provider's port is known already: clients that connect too early connect again.
    const socket = createServer((connection) => connection.destroy());
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
