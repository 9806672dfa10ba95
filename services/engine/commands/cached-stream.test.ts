import { describe, expect, it } from 'vitest';
import { CachedStream } from './cached-stream.ts';

const EMPTY = { state: null, version: 0 };

describe('a cached stream', () => {
  it('CMD3 maybeHandled() returns the given causes that have been added before', () => {
    const cached = new CachedStream(EMPTY);
    expect(cached.maybeHandled(new Set(['place:1']))).toEqual([]);
    cached.addCause('place:1');
    cached.addCause('place:1');
    cached.addCause('place:2');
    expect(cached.maybeHandled(new Set(['place:3', 'place:1']))).toEqual(['place:1']);
  });

  it('CMD3 after a snapshot, maybeHandled() returns every given cause, because any of them may have been handled before', () => {
    const cached = new CachedStream({ state: null, version: 100 });
    cached.addCause('place:1');
    expect(cached.maybeHandled(new Set(['place:1', 'place:2']))).toEqual(['place:1', 'place:2']);
  });

  it('CMD3 once more causes have been added than fit, maybeHandled() returns every given cause, because any may have been handled before', () => {
    const cached = new CachedStream(EMPTY, 2);
    for (const cause of ['place:1', 'place:2', 'place:2']) cached.addCause(cause);
    expect(cached.maybeHandled(new Set(['place:1', 'place:4']))).toEqual(['place:1']);
    cached.addCause('place:3');
    cached.addCause('place:5');
    expect(cached.maybeHandled(new Set(['place:1', 'place:4', 'place:5']))).toEqual(['place:1', 'place:4', 'place:5']);
  });
});
