/** How long the first fetches wait for the socket, so that one fetch serves where it connects at once, in milliseconds. */
export const FIRST_CONNECTION_PATIENCE = 400;

/** Holds fetches up while the first connection is being made. */
export function createFirstConnection() {
  let waiting = new Set<() => void>();
  let patience: number | null = null;
  let startedEarly = false;
  return {
    /** Resolves once a fetch may start: at once, except while the first connection is being made. */
    joined(): Promise<void> {
      if (patience === null) return Promise.resolve();
      const limit = patience;
      return new Promise((resolve) => {
        const enter = () => {
          clearTimeout(timer);
          waiting.delete(enter);
          resolve();
        };
        const timer = setTimeout(() => {
          startedEarly = true;
          enter();
        }, limit);
        waiting.add(enter);
      });
    },
    /** Lets fetches wait for `open`, at most `limit` milliseconds each. */
    close(limit: number): void {
      patience = limit;
    },
    /** The rooms are joined. Tells whether a fetch started before that, and so may have missed a push. */
    open(): boolean {
      const early = startedEarly;
      patience = null;
      startedEarly = false;
      for (const enter of [...waiting]) enter();
      waiting = new Set();
      return early;
    },
  };
}

export type FirstConnection = ReturnType<typeof createFirstConnection>;

/** That of the app's one socket. */
export const firstConnection = createFirstConnection();
