import { describe, expect, it } from 'vitest';
import { HandledCauses } from './handled-causes.ts';

describe('causes handled on a stream', () => {
  it('CMD3 among() returns the given causes that have been added before', () => {
    const seen = new HandledCauses();
    expect(seen.among(new Set(['place:1']))).toEqual([]);
    seen.add('place:1');
    seen.add('place:1');
    seen.add('place:2');
    expect(seen.among(new Set(['place:3', 'place:1']))).toEqual(['place:1']);
  });

  it('CMD3 after forget(), among() returns every given cause, because any of them may have been handled before', () => {
    const seen = new HandledCauses();
    seen.forget();
    seen.add('place:1');
    expect(seen.among(new Set(['place:1', 'place:2']))).toEqual(['place:1', 'place:2']);
  });

  it('CMD3 once more causes have been added than fit, among() returns every given cause, because any may have been handled before', () => {
    const seen = new HandledCauses(2);
    for (const cause of ['place:1', 'place:2', 'place:2']) seen.add(cause);
    expect(seen.among(new Set(['place:1', 'place:4']))).toEqual(['place:1']);
    seen.add('place:3');
    seen.add('place:5');
    expect(seen.among(new Set(['place:1', 'place:4', 'place:5']))).toEqual(['place:1', 'place:4', 'place:5']);
  });
});
