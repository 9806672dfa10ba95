import type { Envelope } from './redis-channel.ts';

/** `n` is the number of the publisher's last message, from 1. */
export type PublisherSign = Pick<Envelope, 'from' | 'n' | 'type'>;

export interface PublisherWatchSettings {
  /** a publisher silent for longer than this, in ms, is not healthy */
  readonly silenceMs: number;
  /** after this silence, in ms, a publisher is taken for dead and no longer waited for */
  readonly forgetMs: number;
  /** called on each change: false when messages may have been missed, true once they flow; both for a gap */
  readonly onLive: (live: boolean) => void;
}

/** Tells by the publishers' numbers and heartbeats whether everything published has arrived (LIVE5). Times in ms. */
export interface PublisherWatch {
  live(): boolean;
  subscribed(now: number): void;
  disconnected(): void;
  heard(sign: PublisherSign, now: number): void;
  /** To be called regularly, to notice silence. */
  tick(now: number): void;
}

interface Publisher {
  readonly n: number;
  /** null: not heard since the subscription began */
  readonly heardAt: number | null;
}

/** Publishers are remembered over a lost connection, so that one return of Redis is one recovery, however many there are. */
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
      // A publisher never heard before is assumed to have begun at 1: its first messages may be lost as well.
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
