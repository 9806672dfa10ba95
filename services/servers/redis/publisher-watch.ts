/** What a publisher says of itself: who it is, and the number of its last message, from 1. */
export interface PublisherSign {
  readonly from: string;
  readonly n: number;
  /** the message of that number itself; word that nothing came after it; word that nothing will */
  readonly type: 'push' | 'beat' | 'goodbye';
}

export interface PublisherWatchSettings {
  /** the longest silence of a publisher that is taken for health, in ms */
  readonly silenceMs: number;
  /** the silence after which a publisher is taken for dead and no longer waited for, in ms */
  readonly forgetMs: number;
  /** told of each change: false when messages may have been missed, true once they flow; false and true for a gap */
  readonly onLive: (live: boolean) => void;
}

/** Tells by the publishers' numbers and beats whether all that was published has arrived (LIVE5). Times in ms. */
export interface PublisherWatch {
  live(): boolean;
  /** From now on everything that is published should be heard. */
  subscribed(now: number): void;
  disconnected(): void;
  heard(sign: PublisherSign, now: number): void;
  /** To be called now and then, since silence makes no sound. */
  tick(now: number): void;
}

interface Publisher {
  readonly n: number;
  /** null: not heard since the subscription began */
  readonly heardAt: number | null;
}

/**
 * Live means: subscribed, at least one publisher is known, and each one that is known has been heard of late. Publishers
 * are remembered over a lost connection, so that one return of Redis is one recovery, however many publishers there are.
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
      // One that was never heard is held to have begun at 1: its first messages may have been lost as well.
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
