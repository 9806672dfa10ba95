import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childMessageSchema } from './child-messages.ts';
import type { SimulatorSettings } from './simulator-settings.ts';

/** A child that has not ended this long after it was asked to is killed; its file survives that. */
const STOP_TIMEOUT_MS = 5_000;

export interface StripeSimulatorChild {
  /** loopback port of the API */
  port: number;
  pid: number;
  /** Ends the child and waits for it. */
  stop(): Promise<void>;
  /** Resolves when the child has ended, asked to or not. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Forks the simulator and resolves once it listens on `port` of loopback (0: a free one); rejects with one readable line where it cannot. The child is
 * built where its parent is, and otherwise loads TypeScript as its parent does, by the same `execArgv`.
 */
export async function startStripeSimulatorChild(
  settings: SimulatorSettings,
  execArgv: string[] = process.execArgv,
  port = 0,
): Promise<StripeSimulatorChild> {
  const file = new URL(`./stripe-child${extname(import.meta.url)}`, import.meta.url);
  const child = fork(fileURLToPath(file), [], {
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ready = readiness(child);
  child.send({ kind: 'start', settings, port });
  try {
    return { port: await ready, pid: child.pid ?? 0, stop: () => stop(child, exited), exited };
  } catch (error) {
    await stop(child, exited);
    throw error;
  }
}

function readiness(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The Stripe simulator ended at once (${signal ?? code}).`)));
    child.once('message', (message) => {
      const { data: answer } = childMessageSchema.safeParse(message);
      if (answer?.kind === 'ready') resolve(answer.port);
      else reject(new Error(`The Stripe simulator does not start: ${answer?.message ?? 'it answered nonsense'}`));
    });
  });
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.connected) child.disconnect();
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(limit);
}
