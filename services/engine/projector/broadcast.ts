import type { DocumentPush } from '../../contracts/pushes.ts';
import type { Audience } from './projection.ts';

/** A push of one changed document to browsers. A document that is no longer in any list is pushed with `view: null`. */
export interface PushMessage {
  readonly push: DocumentPush;
  readonly audiences: readonly Audience[];
  /** true if a gateway may delay the push for a moment, because a newer push of the same document would replace it */
  readonly paced?: boolean | undefined;
}

export interface BroadcastListener {
  message(message: PushMessage): void;
  /**
   * Called with true once messages are being received, and with false when messages may have been lost. After a loss,
   * clients must refetch once messages are being received again.
   */
  live(live: boolean): void;
}

/** Carries pushes from projectors to gateways. If messages may have been lost, clients resync (LIVE5). */
export interface Broadcast {
  publish(message: PushMessage): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: BroadcastListener): Promise<() => void>;
  close(): Promise<void>;
}

/** Returns a `Broadcast` within a single process. It never loses messages, so it always reports that it's live. */
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
