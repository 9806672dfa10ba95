import type { Envelope } from './redis-channel.ts';

/**
 * A publisher's message, excluding any push that it carries. `n` is the sequence number of the publisher's last push,
 * starting at 1, or 0 if the publisher hasn't sent a push yet.
 */
export type PublisherSign = Pick<Envelope, 'from' | 'n' | 'type'>;

export interface PublisherWatchSettings {
  /** How long a publisher may be silent before the broadcast no longer counts as live, in ms. */
  readonly silenceMs: number;
  /**
   * How long a publisher may be silent before it counts as dead, in ms. A dead publisher no longer prevents the
   * broadcast from being live.
   */
  readonly forgetMs: number;
  /**
   * Called with false when pushes may have been missed, and with true once pushes arrive again. If a push was missed
   * but pushes are still arriving, the function is called with false and then immediately with true.
   */
  readonly onLive: (live: boolean) => void;
}

/**
 * Detects lost pushes from gaps in the publishers' push numbers, and silent publishers from missing heartbeats (LIVE5).
 * Times are in ms.
 */
export interface PublisherWatch {
  live(): boolean;
  subscribed(now: number): void;
  disconnected(): void;
  heard(sign: PublisherSign, now: number): void;
  /** Must be called regularly, so that silent publishers are detected. */
  tick(now: number): void;
}

interface Publisher {
  readonly n: number;
  /** null if the publisher hasn't been heard from since the connection was last lost */
  readonly heardAt: number | null;
}

/**
 * Creates a watch. While the connection is lost, the watch keeps its list of publishers. After the connection is
 * restored, the watch reports a single recovery, once every publisher on the list has been heard from or counts as
 * dead.
 */
export function createPublisherWatch({ silenceMs, forgetMs, onLive }: PublisherWatchSettings): PublisherWatch {
  const publishers = new Map<string, Publisher>();
  let subscribedAt: number | null = null;
  let live = false;

  function tell(now: boolean): void {
    if (now === live) return;
    live = now;
    onLive(live);
  }

  function flowing(now: number): boolean {
    if (subscribedAt === null || publishers.size === 0) return false;
    return [...publishers.values()].every(({ heardAt }) => heardAt !== null && now - heardAt <= silenceMs);
  }

  return {
    live: () => live,
    subscribed(now) {
      subscribedAt = now;
    },
    disconnected() {
      subscribedAt = null;
      for (const [from, { n }] of publishers) publishers.set(from, { n, heardAt: null });
      tell(false);
    },
    heard({ from, n, type }, now) {
      // An unknown publisher is assumed to have started with number 1, so that the loss of its first pushes is detected
      // too.
      const known = publishers.get(from)?.n ?? 0;
      const missed = n > (type === 'push' ? known + 1 : known);
      if (type === 'goodbye') publishers.delete(from);
      else publishers.set(from, { n: Math.max(n, known), heardAt: now });
      if (missed) tell(false);
      tell(flowing(now));
    },
    tick(now) {
      if (subscribedAt === null) return;
      for (const [from, { heardAt }] of publishers) {
        if (now - (heardAt ?? subscribedAt) > forgetMs) publishers.delete(from);
      }
      tell(flowing(now));
    },
  };
}
