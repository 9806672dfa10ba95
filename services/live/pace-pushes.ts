import type { PushMessage } from '../engine/projector/broadcast.ts';
import { type Schedule, scheduleTimer } from '../runtime/schedule.ts';

/** The minimum interval between two batches of paced pushes, in milliseconds. */
const EVERY_MS = 100;

/**
 * Delivers most pushes immediately. Pushes marked as paced are delivered in batches, at most ten times a second, and
 * each batch contains only the newest push for each document. Skipping earlier pushes loses nothing, because each view
 * is complete (LIVE1). The last push for a document always arrives.
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
        // If no batch was sent within the last EVERY_MS, the next batch is sent without delay. It is still sent from a
        // timer, so that pushes that arrive together share a batch.
        cancel ??= schedule(0, flush);
      }
    },
    /** Drops the pushes that are still waiting. */
    close(): void {
      cancel?.();
    },
  };
}
