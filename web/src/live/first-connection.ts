import { BROWSER_PAGE, type Page } from './page.ts';

/**
 * The longest time that the first fetches wait for the socket, in milliseconds. If the socket connects in time, each
 * resource is fetched only once.
 */
const PATIENCE = 400;

/**
 * Creates an object that makes fetches wait while the live socket is connecting for the first time. It works like a
 * gate: after `close`, fetches wait for `open`.
 */
export function createFirstConnection({ schedule }: Pick<Page, 'schedule'> = BROWSER_PAGE) {
  let connecting: Promise<void> | null = null;
  let connected = () => {};
  let startedEarly = false;
  return {
    /** Resolves when a fetch may start. After `close`, a fetch waits for `open`, but no longer than `PATIENCE`. */
    async joined(): Promise<void> {
      if (connecting === null) return;
      const runsOut = new Promise<'early'>((resolve) => void schedule(PATIENCE, () => resolve('early')));
      if ((await Promise.race([connecting, runsOut])) === 'early') startedEarly = true;
    },
    /** Makes fetches wait for `open`. */
    close(): void {
      connecting ??= new Promise((resolve) => {
        connected = resolve;
      });
    },
    /**
     * Lets the waiting fetches start. Call this after the socket has joined its rooms on the server. Returns true if a
     * fetch stopped waiting before this call and may therefore have missed a push.
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

/** Makes the app's fetches wait while its only socket is connecting for the first time. */
export const firstConnection = createFirstConnection();
