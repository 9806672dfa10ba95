import { BROWSER_SOCKET_PAGE, type SocketPage } from './socket-page.ts';
import type { Push } from './views.ts';

/** How often to apply pushes that don't affect anything visible, in milliseconds. */
const UNSEEN_INTERVAL = 1000;

export interface PushQueue {
  add(push: Push): void;
  /** Passes all waiting pushes to `take` now. */
  flush(): void;
  /** Drops all waiting pushes. */
  clear(): void;
  close(): void;
}

/**
 * Creates a queue that passes the newest push of each document to `take`, at most once per animation frame. While the
 * page is hidden, or if `isFollowed` is false for all queued pushes, the queue requests no animation frame and calls
 * `take` once a second instead.
 */
export function createPushQueue(
  take: (pushes: readonly Push[]) => void,
  isFollowed: (push: Push) => boolean = () => true,
  page: SocketPage = BROWSER_SOCKET_PAGE,
): PushQueue {
  const waiting = new Map<string, Push>();
  let cancelFrame: (() => void) | null = null;
  let cancelTimer: (() => void) | null = null;

  const cancel = () => {
    cancelFrame?.();
    cancelTimer?.();
    [cancelFrame, cancelTimer] = [null, null];
  };
  const flush = () => {
    cancel();
    if (waiting.size === 0) return;
    const pushes = [...waiting.values()];
    waiting.clear();
    take(pushes);
  };
  const endListening = page.onVisibilityChange(flush);

  return {
    add(push) {
      const name = `${push.kind} ${push.id}`;
      if ((waiting.get(name)?.version ?? 0) >= push.version) return;
      waiting.set(name, push);
      if (!page.isHidden() && isFollowed(push)) cancelFrame ??= page.frame(flush);
      else cancelTimer ??= page.schedule(UNSEEN_INTERVAL, flush);
    },
    flush,
    clear: () => waiting.clear(),
    close() {
      endListening();
      cancel();
    },
  };
}
