/**
 * How long the first fetches wait for the socket, in milliseconds. If it connects in time, each resource is fetched
 * only once.
 */
const PATIENCE = 400;

/** Delays fetches while the first connection is being made. */
export function createFirstConnection() {
  let connecting: Promise<void> | null = null;
  let connected = () => {};
  let startedEarly = false;
  return {
    /** Resolves when a fetch may start. That's at once, except while the first connection is being made. */
    async joined(): Promise<void> {
      if (connecting === null) return;
      const runsOut = new Promise<'early'>((resolve) => setTimeout(resolve, PATIENCE, 'early'));
      if ((await Promise.race([connecting, runsOut])) === 'early') startedEarly = true;
    },
    /** Makes fetches wait for `open`. */
    close(): void {
      connecting ??= new Promise((resolve) => {
        connected = resolve;
      });
    },
    /**
     * Call once the rooms are joined, to let fetches start. Returns true if a fetch started earlier and so may have
     * missed a push.
     */
    open(): boolean {
      const early = startedEarly;
      connected();
      connecting = null;
      startedEarly = false;
      return early;
    },
  };
}

export type FirstConnection = ReturnType<typeof createFirstConnection>;

/** The gate of the app's only socket. */
export const firstConnection = createFirstConnection();
