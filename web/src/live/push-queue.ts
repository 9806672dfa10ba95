import type { Push } from './views.ts';

/** How often to apply pushes that don't affect anything visible, in milliseconds. */
const UNSEEN_INTERVAL = 1000;

export interface PushQueue {
  add(push: Push): void;
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
): PushQueue {
  const waiting = new Map<string, Push>();
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    [frame, timer] = [0, undefined];
  };
  const flush = () => {
    cancel();
    if (waiting.size === 0) return;
    const pushes = [...waiting.values()];
    waiting.clear();
    take(pushes);
  };
  document.addEventListener('visibilitychange', flush);

  return {
    add(push) {
      const name = `${push.kind} ${push.id}`;
      if ((waiting.get(name)?.version ?? 0) >= push.version) return;
      waiting.set(name, push);
      if (document.visibilityState !== 'hidden' && isFollowed(push)) frame ||= requestAnimationFrame(flush);
      else timer ??= setTimeout(flush, UNSEEN_INTERVAL);
    },
    clear: () => waiting.clear(),
    close() {
      document.removeEventListener('visibilitychange', flush);
      cancel();
    },
  };
}
