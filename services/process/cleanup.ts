import type { Shop } from './run-process.ts';

type End = () => Promise<void> | void;
export type Cleanup = ReturnType<typeof createCleanup>;

export function createCleanup() {
  const steps: End[] = [];
  let running: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    for (const end of steps.toReversed()) await end();
  }

  return {
    add(end: End): void {
      steps.push(end);
    },
    /** Runs everything once, last added first; later calls wait for the same run. */
    run(): Promise<void> {
      running ??= endAll();
      return running;
    },
  };
}

/** Starts a shop, which answers at the origin that `start` resolves with. What was opened is closed again if that fails. */
export async function startWithCleanup(start: (cleanup: Cleanup) => Promise<string>): Promise<Shop> {
  const cleanup = createCleanup();
  try {
    return { origin: await start(cleanup), stop: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

interface Closable {
  close(): Promise<unknown>;
}

/** Adds the first step of a stop: no new command, no live connection, and open requests are answered. The result tells whether it has begun. */
export function drainFirst(cleanup: Cleanup, shopServer: Closable, gateway: Closable | null): () => boolean {
  let draining = false;
  cleanup.add(async () => {
    draining = true;
    await gateway?.close();
    await shopServer.close();
  });
  return () => draining;
}
