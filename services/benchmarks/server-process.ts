import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A server under measurement, in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a TypeScript file beside this one, waits for its line `ready URL`. */
export async function startServerProcess(file: string, args: readonly string[] = []): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error(`${file} ended before it was ready.`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^ready (\S+)$/m.exec(output)?.[1];
      if (ready) resolve(ready);
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
