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
    /** Runs every step once, in reverse order. Later calls wait for the same run. */
    run(): Promise<void> {
      running ??= endAll();
      return running;
    },
  };
}

/** Starts a shop at the origin that `start` resolves with. If `start` fails, closes everything it opened. */
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

/**
 * Adds the first step of a stop: refuses new commands, closes live connections and finishes open requests. Returns a
 * function that tells whether the stop has started.
 */
export function drainFirst(cleanup: Cleanup, shopServer: Closable, gateway: Closable | null): () => boolean {
  let draining = false;
  cleanup.add(async () => {
    draining = true;
    await gateway?.close();
    await shopServer.close();
  });
  return () => draining;
}
