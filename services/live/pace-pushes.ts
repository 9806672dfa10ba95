import type { PushMessage } from '../engine/projector/broadcast.ts';
import { type Schedule, scheduleTimer } from '../runtime/schedule.ts';

/** Paced pushes go out together, at most this often. */
const EVERY_MS = 100;

/**
 * Delivers pushes at once, but of a document's paced ones the newest alone, at most ten times a second. Whatever came last
 * arrives: views are whole, so what is left out was no message that anybody counts (LIVE1).
 */
export function pacePushes(deliver: (messages: readonly PushMessage[]) => void, schedule: Schedule = scheduleTimer) {
  const waiting = new Map<string, PushMessage>();
  let cancel: (() => void) | null = null;

  function flush(): void {
    cancel = null;
    if (waiting.size === 0) return;
    cancel = schedule(EVERY_MS, flush);
    const newest = [...waiting.values()];
    waiting.clear();
    deliver(newest);
  }

  return {
    push(message: PushMessage): void {
      const { kind, id, version } = message.push;
      const name = `${kind} ${id}`;
      const isNewest = (waiting.get(name)?.push.version ?? 0) <= version;
      if (!message.paced) {
        if (isNewest) waiting.delete(name);
        deliver([message]);
      } else if (isNewest) {
        waiting.set(name, message);
        // After a rest they wait only for what comes at the same moment.
        cancel ??= schedule(0, flush);
      }
    },
    /** Delivers nothing of what is waiting. */
    close(): void {
      cancel?.();
    },
  };
}
