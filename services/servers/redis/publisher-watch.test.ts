import { beforeEach, describe, expect, it } from 'vitest';
import { createPublisherWatch, type PublisherSign, type PublisherWatch } from './publisher-watch.ts';

const SILENCE = 3_000;
const FORGET = 10_000;

let now: number;
let told: boolean[];
let watch: PublisherWatch;

beforeEach(() => {
  now = 1_000_000;
  told = [];
  watch = createPublisherWatch({ silenceMs: SILENCE, forgetMs: FORGET, onLive: (live) => told.push(live) });
});

function hear(from: string, type: PublisherSign['type'], n: number): void {
  watch.heard({ from, type, n }, now);
}

/**
 * Advances time in steps of half a second. In each step, every publisher named in `beats` sends a heartbeat with the
 * push number given there.
 */
function pass(milliseconds: number, beats: Record<string, number> = {}): void {
  for (const end = now + milliseconds; now < end; ) {
    now += 500;
    for (const [from, n] of Object.entries(beats)) hear(from, 'beat', n);
    watch.tick(now);
  }
}

function subscribe(): void {
  watch.subscribed(now);
}

describe('publisher watch', () => {
  it('LIVE5 the broadcast is live only once the watch is subscribed and has heard from a publisher', () => {
    watch.tick(now);
    hear('a', 'beat', 0);
    expect(told).toEqual([]);
    watch = createPublisherWatch({ silenceMs: SILENCE, forgetMs: FORGET, onLive: (live) => told.push(live) });
    subscribe();
    pass(60_000);
    expect(told).toEqual([]);
    hear('a', 'beat', 0);
    expect(told).toEqual([true]);
    expect(watch.live()).toBe(true);
  });

  it('LIVE5 the publisher watch reports just once that the broadcast is live, as long as messages and heartbeats arrive in sequence', () => {
    subscribe();
    hear('a', 'beat', 0);
    for (const n of [1, 2, 3]) hear('a', 'push', n);
    hear('b', 'push', 1);
    pass(30_000, { a: 3, b: 1 });
    expect(told).toEqual([true]);
  });

  it.each<[string, PublisherSign['type'], number]>([
    ['a message', 'push', 7],
    ['a beat', 'beat', 6],
    ['a goodbye', 'goodbye', 6],
  ])('LIVE5 reports messages missed before %s', (_, type, n) => {
    subscribe();
    hear('b', 'beat', 0);
    hear('a', 'beat', 5);
    told.length = 0;
    hear('a', type, n);
    expect(told).toEqual([false, true]);
  });

  it('LIVE5 a gap in the push numbers is reported only once', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('a', 'push', 1);
    hear('a', 'push', 3);
    hear('a', 'push', 4);
    pass(5_000, { a: 4 });
    expect(told).toEqual([true, false, true]);
  });

  it('LIVE5 a message that arrives late or twice does not count as a gap, and neither does the message after it', () => {
    subscribe();
    hear('a', 'push', 1);
    hear('a', 'push', 3);
    told.length = 0;
    hear('a', 'push', 2);
    hear('a', 'push', 4);
    hear('a', 'push', 4);
    hear('a', 'push', 5);
    expect(told).toEqual([]);
  });

  it('LIVE5 missed messages are reported if the first message heard from a publisher is not the first that it sent', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('b', 'push', 2);
    expect(told).toEqual([true, false, true]);
    hear('c', 'beat', 1);
    expect(told).toEqual([true, false, true, false, true]);
  });

  it('LIVE5 no missed messages are reported if the first message heard from a new publisher is the first that it sent', () => {
    subscribe();
    hear('a', 'beat', 9);
    hear('b', 'push', 1);
    hear('c', 'beat', 0);
    expect(told).toEqual([true]);
  });

  it('LIVE5 the broadcast is not live while any publisher has been silent for longer than silenceMs', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('b', 'beat', 0);
    pass(SILENCE, { a: 0 });
    expect(told).toEqual([true]);
    pass(500, { a: 0 });
    expect(told).toEqual([true, false]);
    pass(2_000, { a: 0 });
    expect(told).toEqual([true, false]);
    hear('b', 'beat', 0);
    expect(told).toEqual([true, false, true]);
  });

  it('LIVE5 a dead publisher is forgotten after forgetMs, and then the broadcast is live again', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('dead', 'push', 1);
    pass(FORGET, { a: 0 });
    expect(told).toEqual([true, false]);
    pass(500, { a: 0 });
    expect(told).toEqual([true, false, true]);
    hear('dead', 'beat', 4);
    expect(told).toEqual([true, false, true, false, true]);
  });

  it('LIVE5 the broadcast stops being live once no publisher is left, and is live again once another publisher is heard from', () => {
    subscribe();
    hear('a', 'beat', 0);
    pass(60_000);
    expect(told).toEqual([true, false]);
    hear('b', 'beat', 0);
    expect(told).toEqual([true, false, true]);
    hear('b', 'goodbye', 0);
    expect(told).toEqual([true, false, true, false]);
  });

  it('LIVE5 the broadcast stays live if one of several publishers says goodbye and then falls silent', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('b', 'push', 1);
    hear('b', 'goodbye', 1);
    pass(30_000, { a: 0 });
    expect(told).toEqual([true]);
  });

  it('LIVE5 a lost connection is reported immediately, and its recovery is reported once every publisher has been heard from again', () => {
    subscribe();
    hear('a', 'beat', 3);
    hear('b', 'push', 1);
    watch.disconnected();
    expect(told).toEqual([true, false]);
    pass(60_000);
    subscribe();
    hear('a', 'push', 90);
    expect(told).toEqual([true, false]);
    hear('b', 'beat', 40);
    expect(told).toEqual([true, false, true]);
  });

  it('LIVE5 a publisher that died while the connection was lost delays the recovery only for a bounded time', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('dead', 'beat', 0);
    watch.disconnected();
    pass(60_000);
    subscribe();
    pass(FORGET, { a: 0 });
    expect(told).toEqual([true, false]);
    pass(500, { a: 0 });
    expect(told).toEqual([true, false, true]);
  });
});
