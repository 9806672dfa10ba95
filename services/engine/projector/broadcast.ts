import type { Audience } from '../../contracts/projection.ts';
import type { DocumentPush } from '../../contracts/pushes.ts';

/**
 * One changed document on its way to the browsers. A cancelled order goes to those who may still see it as `view: null`.
 * A user's change also makes gateways read that user's role again.
 */
export interface PushMessage {
  readonly push: DocumentPush;
  readonly audiences: readonly Audience[];
  /** whether it may wait for a moment, for a newer one of the same document that makes it needless */
  readonly paced?: boolean | undefined;
}

export interface BroadcastListener {
  message(message: PushMessage): void;
  /** false when messages may have been missed; true again once they flow, after which clients must fetch again */
  live(live: boolean): void;
}

/** Carries pushes from projectors to gateways. Lossy: what is missed is healed by a resync (LIVE5). */
export interface Broadcast {
  publish(message: PushMessage): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: BroadcastListener): Promise<() => void>;
  close(): Promise<void>;
}

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
