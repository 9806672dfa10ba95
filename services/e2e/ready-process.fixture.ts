import { spawn } from 'node:child_process';

/** A server in a process of its own. */
export interface ReadyProcess {
  readonly url: string;
  /** SIGKILL: no goodbye */
  kill(): Promise<void>;
}

/** Runs a TypeScript file and resolves once it has printed its line `ready URL`; rejects where it ends before. */
export async function startReadyProcess(file: URL, args: readonly string[] = []): Promise<ReadyProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', file.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`${file.pathname} ended with ${code} before it was ready.`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^ready (\S+)$/m.exec(output)?.[1];
      if (ready) resolve(ready);
    });
  });
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
