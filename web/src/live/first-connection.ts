/**
 * How long the first fetches wait for the socket, in milliseconds. If the socket connects in time, each resource is
 * fetched only once.
 */
const PATIENCE = 400;

/** Creates a gate that delays fetches while the live socket is connecting for the first time. */
export function createFirstConnection() {
  let connecting: Promise<void> | null = null;
  let connected = () => {};
  let startedEarly = false;
  return {
    /** Resolves when a fetch may start. While the gate is closed, a fetch waits for `open`, but no longer than `PATIENCE`. */
    async joined(): Promise<void> {
      if (connecting === null) return;
      const runsOut = new Promise<'early'>((resolve) => setTimeout(resolve, PATIENCE, 'early'));
      if ((await Promise.race([connecting, runsOut])) === 'early') startedEarly = true;
    },
    /** Closes the gate, so that fetches wait for `open`. */
    close(): void {
      connecting ??= new Promise((resolve) => {
        connected = resolve;
      });
    },
    /**
     * Opens the gate. Call this after the socket has joined its rooms on the server. Returns true if a fetch started
     * before the gate opened and may therefore have missed a push.
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

/** The gate for the app's only socket. */
export const firstConnection = createFirstConnection();
