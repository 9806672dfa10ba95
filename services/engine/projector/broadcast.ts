import type { Audience } from '../../contracts/projection.ts';
import type { DocumentPush } from '../../contracts/pushes.ts';

/**
 * One changed document on its way to the browsers. A cancelled order is pushed as `view: null` to everyone who may
 * still see it. A changed user also makes the gateways reread that user's role.
 */
export interface PushMessage {
  readonly push: DocumentPush;
  readonly audiences: readonly Audience[];
  /** true if the push may be delayed for a moment, because a newer push of the same document would replace it */
  readonly paced?: boolean | undefined;
}

export interface BroadcastListener {
  message(message: PushMessage): void;
  /** Called with true once messages flow, and with false when some may have been missed. After a gap, clients must refetch. */
  live(live: boolean): void;
}

/** Carries pushes from projectors to gateways. Messages can get lost, and a resync makes up for them (LIVE5). */
export interface Broadcast {
  publish(message: PushMessage): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: BroadcastListener): Promise<() => void>;
  close(): Promise<void>;
}

/** A broadcast within one process. It loses nothing, so it is always live. */
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
