import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT } from './test-programs.fixture.ts';

/** The arguments that `npm start` passes to `node`. */
export const START = ['--enable-source-maps', fileURLToPath(new URL('../main/run.mjs', import.meta.url)), 'start'];
const READY_TIMEOUT_MS = 150_000;

/** A complete shop in a separate process, started with the command that `npm start` runs. */
export interface ShopProcess {
  readonly url: string;
  readonly pid: number;
  /** everything printed so far, to stdout and stderr */
  output(): string;
  /** stops the shop gracefully with SIGTERM; returns the exit code and how long the shutdown took, in ms */
  stop(): Promise<{ code: number | null; tookMs: number }>;
  /** simulates a crash with SIGKILL, which leaves no time for a graceful shutdown */
  kill(): Promise<void>;
}

/** Creates an empty data directory. `remove` deletes it. */
export function freshDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'micro-center-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Removes the limit on unpaid orders, because a test may place hundreds of orders as a single customer. */
export const UNLIMITED = { MAX_UNPAID_ORDERS: '0' };

/**
 * Starts the shop on a free port and resolves once the shop prints `ready`. If the shop exits first, rejects with its
 * output.
 */
export async function startShopProcess(dataDir: string, variables: Record<string, string> = {}): Promise<ShopProcess> {
  const child = spawn(process.execPath, [...ENDS_WITH_PARENT, ...START], {
    env: {
      ...process.env,
      ...UNLIMITED,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The shop was not ready within ${READY_TIMEOUT_MS / 1000} s:\n${output}`));
    }, READY_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^ready (http:\S+)$/m.exec(output)?.[1];
      if (!ready) return;
      clearTimeout(timer);
      resolve(ready);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The shop exited with code ${code}:\n${output}`));
    });
  });
  return shopProcess(child, url, exited, () => output);
}

function shopProcess(
  child: ChildProcess,
  url: string,
  exited: Promise<number | null>,
  output: () => string,
): ShopProcess {
  return {
    url,
    pid: child.pid ?? 0,
    output,
    async stop() {
      const began = Date.now();
      child.kill('SIGTERM');
      return { code: await exited, tookMs: Date.now() - began };
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
