import type { Push } from './views.ts';

/** How often to apply pushes while the page is hidden, in milliseconds. */
const UNSEEN_INTERVAL = 1000;

export interface PushQueue {
  add(push: Push): void;
  /** Forgets what is waiting. */
  clear(): void;
  close(): void;
}

/**
 * Collects pushes and hands them to `take` once per frame, of each document the newest alone. While the page is hidden, and
 * where none of them `isFollowed`, it is once a second: they make no frame of their own.
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
