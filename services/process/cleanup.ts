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
