import type { Push } from './views.ts';

/** How often pushes are taken in while nobody sees the page, in milliseconds. */
const HIDDEN_INTERVAL = 1000;

export interface PushQueue {
  add(push: Push): void;
  /** Forgets what is waiting. */
  clear(): void;
  close(): void;
}

/**
 * Collects pushes and hands them to `take` once per frame, of each document the newest alone; once a second while the page
 * is hidden, where there are no frames.
 */
export function createPushQueue(take: (pushes: readonly Push[]) => void): PushQueue {
  const waiting = new Map<string, Push>();
  let cancel: (() => void) | null = null;

  const flush = () => {
    cancel?.();
    cancel = null;
    if (waiting.size === 0) return;
    const pushes = [...waiting.values()];
    waiting.clear();
    take(pushes);
  };
  const schedule = () => {
    if (document.visibilityState === 'hidden') {
      const timer = setTimeout(flush, HIDDEN_INTERVAL);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(flush);
    return () => cancelAnimationFrame(frame);
  };
  document.addEventListener('visibilitychange', flush);

  return {
    add(push) {
      const name = `${push.kind} ${push.id}`;
      if ((waiting.get(name)?.version ?? 0) >= push.version) return;
      waiting.set(name, push);
      cancel ??= schedule();
    },
    clear: () => waiting.clear(),
    close() {
      document.removeEventListener('visibilitychange', flush);
      waiting.clear();
      cancel?.();
    },
  };
}
