/** How long the first fetches wait for the socket, so that one fetch serves where it connects at once, in milliseconds. */
const PATIENCE = 400;

/** Holds fetches up while the first connection is being made. */
export function createFirstConnection() {
  let connecting: Promise<void> | null = null;
  let connected = () => {};
  let startedEarly = false;
  return {
    /** Resolves once a fetch may start: at once, except while the first connection is being made. */
    async joined(): Promise<void> {
      if (connecting === null) return;
      const runsOut = new Promise<'early'>((resolve) => setTimeout(resolve, PATIENCE, 'early'));
      if ((await Promise.race([connecting, runsOut])) === 'early') startedEarly = true;
    },
    /** Lets fetches wait for `open`. */
    close(): void {
      connecting ??= new Promise((resolve) => {
        connected = resolve;
      });
    },
    /** The rooms are joined. Tells whether a fetch started before that, and so may have missed a push. */
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

/** That of the app's one socket. */
export const firstConnection = createFirstConnection();
