import type { Broadcast, BroadcastListener } from './broadcast.ts';

/** Broadcast within one process: loses nothing, so it is always live. */
export function createInProcessBroadcast(): Broadcast {
  const listeners = new Set<BroadcastListener>();
  return {
    publish(message) {
      for (const listener of listeners) listener.message(message);
    },
    async subscribe(listener) {
      listeners.add(listener);
      listener.live(true);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
    },
  };
}
