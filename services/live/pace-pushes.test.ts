import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentPush } from '../contracts/pushes.ts';
import type { PushMessage } from '../engine/projector/broadcast.ts';
import { pacePushes } from './pace-pushes.ts';

interface Sent {
  readonly at: number;
  readonly push: DocumentPush;
  readonly paced: boolean;
}

/** Creates a push pacer with its own clock, and records everything that it delivers. */
function startPace() {
  const sent: Sent[] = [];
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  let now = 0;
  const pace = pacePushes(
    (messages) => {
      for (const { push, paced = false } of messages) sent.push({ at: now, push, paced });
    },
    (delay, callback) => {
      const timer = { due: now + delay, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  );

  function pass(milliseconds: number): void {
    const until = now + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (!next) break;
      timers.delete(next);
      now = next.due;
      next.callback();
    }
    now = until;
  }
  return { pace, sent, pass, now: () => now, timers };
}

const message = (kind: DocumentPush['kind'], id: string, version: number, paced: boolean): PushMessage => ({
  push: { kind, id, version, view: null, at: { appended: 1, projected: 2, pushed: 3 } } as DocumentPush,
  audiences: ['everyone'],
  paced,
});
const versionsOf = (sent: readonly Sent[], name: string) =>
  sent.filter(({ push }) => push.id === name).map(({ push }) => push.version);

describe('pacing pushes', () => {
  const step = fc.record({
    wait: fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, fc.nat(300)),
    id: fc.constantFrom('a', 'b', 'c'),
    // How many versions a redelivered push is behind the newest one (FEED2), or 0 for a new push.
    back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 })),
    paced: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  });

  it('LIVE6 the latest stock always arrives within 100 ms, and a product’s stock is pushed at most ten times a second', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
        const { pace, sent, pass, now } = startPace();
        const newest = new Map<string, { version: number; at: number }>();
        for (const { wait, id, back, paced } of steps) {
          pass(wait);
          const before = newest.get(id)?.version ?? 0;
          const version = Math.max(1, back === 0 ? before + 1 : before - back);
          pace.push(message('product', id, version, paced));
          if (version > before) newest.set(id, { version, at: now() });
        }
        pass(100);
        for (const [id, { version, at }] of newest) {
          const arrived = sent.find(({ push }) => push.id === id && push.version === version);
          expect(arrived?.at).toBeLessThanOrEqual(at + 100);
          const paced = sent.filter((one) => one.paced && one.push.id === id);
          for (const { at: from } of paced) {
            expect(paced.filter((one) => one.at >= from && one.at < from + 1_000).length).toBeLessThanOrEqual(10);
          }
        }
        // No push is sent twice: there are at most as many deliveries as pushes.
        for (const id of newest.keys()) {
          const versions = versionsOf(sent, id);
          expect(versions.length).toBeLessThanOrEqual(steps.filter((one) => one.id === id).length);
        }
        pass(10_000);
        expect(sent.every(({ at }) => at <= now() - 10_000)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('LIVE6 pushes of prices, removals and orders are sent immediately, whatever else is waiting', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const { pace, sent, pass, now } = startPace();
        for (const [index, { wait, id, paced }] of steps.entries()) {
          pass(wait);
          pace.push(message('product', id, index + 1, paced));
          if (!paced) expect(sent.at(-1)).toMatchObject({ at: now(), push: { id, version: index + 1 } });
          pace.push(message('order', 'o', index + 1, false));
          expect(sent.at(-1)).toMatchObject({ at: now(), push: { kind: 'order', version: index + 1 } });
        }
      }),
      { numRuns: 100 },
    );
  });

  it('LIVE6 after a pause, a stock change is pushed immediately, together with all other stock changes made at the same moment', () => {
    const { pace, sent, pass } = startPace();
    for (const version of [1, 2]) for (const id of ['a', 'b']) pace.push(message('product', id, version, true));
    pass(0);
    expect(sent.map(({ at, push }) => [at, push.id, push.version])).toEqual([
      [0, 'a', 2],
      [0, 'b', 2],
    ]);
    pace.push(message('product', 'a', 3, true));
    pass(99);
    expect(sent).toHaveLength(2);
    pass(1);
    expect(versionsOf(sent, 'a')).toEqual([2, 3]);
  });

  it('LIVE6 a pushed price or removal replaces a waiting stock push that is older, but never one that is newer', () => {
    const { pace, sent, pass } = startPace();
    pace.push(message('product', 'a', 4, true));
    pace.push(message('product', 'a', 5, false));
    pace.push(message('product', 'b', 9, true));
    pace.push(message('product', 'b', 8, false));
    pass(100);
    expect([versionsOf(sent, 'a'), versionsOf(sent, 'b')]).toEqual([[5], [8, 9]]);
  });

  it('no timer runs while no push is waiting, or after the pacer is closed', () => {
    const { pace, sent, pass, timers } = startPace();
    pace.push(message('product', 'a', 1, true));
    pass(100);
    expect(timers.size).toBe(0);
    pace.push(message('product', 'a', 2, true));
    pace.close();
    expect(timers.size).toBe(0);
    pass(1_000);
    expect(versionsOf(sent, 'a')).toEqual([1]);
  });
});
