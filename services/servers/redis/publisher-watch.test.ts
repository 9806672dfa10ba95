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
 * Advances time in steps of half a second. In each step, every publisher in `beats` sends a heartbeat with its push
 * number.
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
  it('LIVE5 is live once it is subscribed and has heard a publisher, and not before', () => {
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

  it('LIVE5 reports live once, and stays live while messages and beats arrive in sequence', () => {
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

  it('LIVE5 reports a gap only once', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('a', 'push', 1);
    hear('a', 'push', 3);
    hear('a', 'push', 4);
    pass(5_000, { a: 4 });
    expect(told).toEqual([true, false, true]);
  });

  it('LIVE5 a message that arrives late or twice is not a gap, and neither is the next one', () => {
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

  it('LIVE5 reports missed messages if a publisher is first heard after its first message', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('b', 'push', 2);
    expect(told).toEqual([true, false, true]);
    hear('c', 'beat', 1);
    expect(told).toEqual([true, false, true, false, true]);
  });

  it('LIVE5 reports no missed messages if a new publisher is heard from its first message on', () => {
    subscribe();
    hear('a', 'beat', 9);
    hear('b', 'push', 1);
    hear('c', 'beat', 0);
    expect(told).toEqual([true]);
  });

  it('LIVE5 is not live while one of several publishers has been silent for longer than silenceMs', () => {
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

  it('LIVE5 a dead publisher is forgotten, and then the watch is live again', () => {
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

  it('LIVE5 is not live once no publisher is left, until another is heard', () => {
    subscribe();
    hear('a', 'beat', 0);
    pass(60_000);
    expect(told).toEqual([true, false]);
    hear('b', 'beat', 0);
    expect(told).toEqual([true, false, true]);
    hear('b', 'goodbye', 0);
    expect(told).toEqual([true, false, true, false]);
  });

  it('LIVE5 does not wait for a publisher that has said goodbye', () => {
    subscribe();
    hear('a', 'beat', 0);
    hear('b', 'push', 1);
    hear('b', 'goodbye', 1);
    pass(30_000, { a: 0 });
    expect(told).toEqual([true]);
  });

  it('LIVE5 reports a lost connection immediately, and the recovery once every publisher has been heard again', () => {
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

  it('LIVE5 a publisher that died while the connection was lost delays the recovery for a bounded time', () => {
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
