import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmulatorSettings, emulatorReplySchema, reachableHost } from './emulator-messages.ts';

/** How long a start may take, in milliseconds: 5 s on a quiet machine, far more on a busy one with a cold disk. */
const START_TIMEOUT = 120_000;
/** How long a stop may take, in milliseconds, before the process is killed. */
const STOP_TIMEOUT = 3_000;

export interface EmulatorExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface IdentityEmulator {
  /** where it listens, `127.0.0.1:port` */
  host: string;
  pid: number;
  /** resolves once the process is gone; nothing acknowledged is lost */
  stop(): Promise<void>;
  /** resolves when the process ends, whoever ended it */
  exited: Promise<EmulatorExit>;
}

export interface IdentityEmulatorOptions {
  dataFile: string;
  /** begins with `demo-` */
  projectId: string;
  /** a free loopback port where absent */
  listen?: EmulatorSettings['listen'];
  /** node's own options; this process's where absent (unless it is built, they must load TypeScript) */
  execArgv?: string[];
}

/**
 * Starts the identity emulator in a child process of this process group.
 * @throws Error with one readable line when it does not answer within 2 minutes
 */
export async function startIdentityEmulator(options: IdentityEmulatorOptions): Promise<IdentityEmulator> {
  const listen = options.listen ?? { host: '127.0.0.1', port: 0 };
  const file = new URL(`./emulator-child${extname(import.meta.url)}`, import.meta.url);
  const child = fork(fileURLToPath(file), {
    execArgv: options.execArgv ?? process.execArgv,
    env: environmentOf(process.env),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = exitOf(child);
  const deadline = AbortSignal.timeout(START_TIMEOUT);
  const settings: EmulatorSettings = {
    kind: 'settings',
    dataFile: options.dataFile,
    projectId: options.projectId,
    listen,
  };
  try {
    const port = await readyPort(child, settings, exited, deadline);
    const host = `${reachableHost(listen.host)}:${port}`;
    await fetch(`http://${host}/`, { signal: deadline });
    return { host, pid: child.pid ?? 0, exited, stop: () => stop(child, exited) };
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The identity emulator did not start: ${reason}`, { cause: error });
  }
}

/** The shop's secrets stay with the shop. */
function environmentOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_PATH } = environment;
  return { PATH, HOME, TMPDIR, NODE_PATH };
}

function exitOf(child: ChildProcess): Promise<EmulatorExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}

/** Sends the settings and waits for the child's one answer. */
function readyPort(
  child: ChildProcess,
  settings: EmulatorSettings,
  exited: Promise<EmulatorExit>,
  deadline: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error(`no answer within ${START_TIMEOUT / 1000} s`)));
    exited.then(({ code, signal }) => reject(new Error(`its process ended (${signal ?? `exit code ${code}`})`)));
    child.once('message', (message) => {
      const answer = emulatorReplySchema.safeParse(message);
      if (!answer.success) reject(new Error('its first message could not be read'));
      else if (answer.data.kind === 'failed') reject(new Error(answer.data.reason));
      else resolve(answer.data.port);
    });
    child.send(settings, (error) => {
      if (error) reject(error);
    });
  });
}

/** Closing the channel is what stops it: signals it ignores, as they reach the whole process group. */
async function stop(child: ChildProcess, exited: Promise<EmulatorExit>): Promise<void> {
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
  await exited;
  clearTimeout(timer);
}
