import { spawn } from 'node:child_process';

const READY_TIMEOUT_MS = 120_000;

/** A server in a process of its own. */
export interface ReadyProcess {
  readonly url: string;
  /** SIGTERM; answers the exit code */
  stop(): Promise<number | null>;
  /** SIGKILL: no goodbye */
  kill(): Promise<void>;
}

/** Runs a TypeScript file and resolves once it has printed its line `ready URL`; rejects where it does not, and ends it. */
export async function startReadyProcess(
  file: URL,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<ReadyProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', file.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...variables },
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`${file.pathname} ended with ${code} before it was ready.`)));
    child.stdout?.on('data', (chunk: Buffer) => {
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

/** Runs a TypeScript file that ends by itself; answers what it printed. @throws Error where it fails */
export async function runToItsEnd(
  file: URL,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', file.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...variables },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${file.pathname} ended with ${code}.`);
  return output;
}
