import type { Shop } from './run-process.ts';

type End = () => Promise<void> | void;
export type Cleanup = ReturnType<typeof createCleanup>;

export function createCleanup() {
  const steps: End[] = [];
  let running: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const end of steps.toReversed()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several cleanup steps failed.');
    if (errors.length === 1) throw errors[0];
  }

  return {
    add(end: End): void {
      steps.push(end);
    },
    /**
     * Runs every step once, starting with the last one added. Later calls return the same promise. @throws the errors
     * of failed steps, after all steps have run
     */
    run(): Promise<void> {
      running ??= endAll();
      return running;
    },
  };
}

/**
 * Starts a shop by calling `start`, which resolves with the shop's origin. If `start` fails, runs the cleanup steps
 * that `start` has added.
 */
export async function startWithCleanup(start: (cleanup: Cleanup) => Promise<string>): Promise<Shop> {
  const cleanup = createCleanup();
  try {
    return { origin: await start(cleanup), stop: cleanup.run };
  } catch (error) {
    await cleanup.run().catch(() => undefined);
    throw error;
  }
}

interface Closable {
  close(): Promise<unknown>;
}

/**
 * Adds a cleanup step that makes the API refuse changes, closes live connections and waits for open requests to finish.
 * The step runs before all steps that were added earlier. Returns a function that tells whether the step has started.
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
