import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { builtPrograms, ENDS_WITH_PARENT } from './test-programs.fixture.ts';

const READY_TIMEOUT_MS = 120_000;

/** A server in a separate process. */
export interface ReadyProcess {
  readonly url: string;
  /** sends SIGTERM; returns the exit code */
  stop(): Promise<number | null>;
  /** sends SIGKILL, so the process can't shut down gracefully */
  kill(): Promise<void>;
}

/** Starts the program called `name` in test-programs.config.ts. If this process exits, the program exits too. */
export async function spawnProgram(
  name: string,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const file = join(await builtPrograms(), `${name}.js`);
  return spawn(process.execPath, ['--enable-source-maps', ...ENDS_WITH_PARENT, file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...variables },
  });
}

/**
 * Runs a program and resolves once it prints the line `ready URL`. Rejects if the program exits first. A program that
 * isn't ready within READY_TIMEOUT_MS is killed.
 */
export async function startReadyProcess(
  ...[name, args, variables]: Parameters<typeof spawnProgram>
): Promise<ReadyProcess> {
  const child = await spawnProgram(name, args, variables);
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`${name} exited with code ${code} before it was ready.`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^ready (\S+)$/m.exec(output)?.[1];
      if (ready) resolve(ready);
    });
  }).finally(() => clearTimeout(tooLong));
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a program until it exits on its own, and returns its stdout. @throws Error if the exit code isn't 0 */
export async function runToItsEnd(...[name, args, variables]: Parameters<typeof spawnProgram>): Promise<string> {
  const child = await spawnProgram(name, args, variables);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${name} ended with ${code}.`);
  return output;
}
