import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { describe, expect, it } from 'vitest';
import {
  applyToEntry,
  applyToList,
  ENDED,
  keyOf,
  type LiveList,
  mergeWindow,
  type VersionedPush,
} from './apply-push.ts';

type Push = VersionedPush<ReviewView>;

function review(id: string, minute: number, version = 1, ratings = 5): ReviewView {
  const postedAt = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  return { _id: id, name: 'Case', ratings, username: 'Rahim', description: 'Good', postedAt, version };
}

function listOf(items: ReviewView[], rest: Partial<LiveList<ReviewView>> = {}): LiveList<ReviewView> {
  return { items, next: null, end: null, wanted: 200, gone: {}, ...rest };
}

const push = (view: ReviewView): Push => ({ id: view._id, version: view.version, view });
const gone = (id: string, version: number): Push => ({ id, version, view: null });
const anything = () => true;
const apply = (list: LiveList<ReviewView>, pushes: Push[], fits: (view: ReviewView) => boolean = anything) =>
  pushes.reduce((before, next) => applyToList(before, next, fits), list);
const shown = (list: LiveList<ReviewView>) => list.items.map((view) => `${view._id}@${view.version}`);

function permutations<T>(things: T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, index) => permutations(things.toSpliced(index, 1)).map((rest) => [thing, ...rest]));
}

describe('applyToList', () => {
  it('LIVE1 keeps the higher version, whatever the order and however often a push comes', () => {
    const history = [
      push(review('a', 1, 2)),
      push(review('a', 1, 3)),
      push(review('b', 2, 1)),
      push(review('b', 2, 2)),
    ];
    for (const order of permutations(history)) {
      expect(shown(apply(listOf([review('a', 1, 1)]), [...order, ...order]))).toEqual(['b@2', 'a@3']);
    }
  });

  it('LIVE1 gives back the same list for a push that says nothing new', () => {
    const list = listOf([review('a', 1, 3)], { gone: { b: 2 } });
    expect(applyToList(list, push(review('a', 1, 3)), anything)).toBe(list);
    expect(applyToList(list, push(review('a', 1, 2)), anything)).toBe(list);
    expect(applyToList(list, gone('a', 3), anything)).toBe(list);
    expect(applyToList(list, push(review('b', 1, 2)), anything)).toBe(list);
  });

  it('LIVE1 does not bring back what left, in any order of arrival', () => {
    const history = [push(review('a', 1, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(history)) {
      expect(shown(apply(listOf([]), [...order, ...order]))).toEqual([]);
    }
  });

  it('LIVE1 takes a later version of what left, since it came back', () => {
    const list = apply(listOf([review('a', 1, 1)]), [gone('a', 2), push(review('a', 1, 3))]);
    expect(shown(list)).toEqual(['a@3']);
    expect(list.gone).toEqual({});
  });

  it('LIVE1 never brings back what this client ended itself', () => {
    expect(shown(apply(listOf([review('a', 1, 1)]), [gone('a', ENDED), push(review('a', 1, 99))]))).toEqual([]);
  });

  it('LIST1 orders by time of the first event and then by id, newest first', () => {
    const arrivals = [review('b', 5), review('d', 7), review('a', 5), review('c', 5)].map(push);
    for (const order of permutations(arrivals)) {
      expect(shown(apply(listOf([]), order))).toEqual(['d@1', 'c@1', 'b@1', 'a@1']);
    }
  });

  it('LIST1 lets a view enter only where its key lies within what is loaded', () => {
    const oldest = review('m', 5);
    const list = listOf([review('z', 9), oldest], { next: '/reviews?cursor=x', end: keyOf(oldest) });
    expect(shown(apply(list, [push(review('older', 4))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(list, [push(review('a', 5))]))).toEqual(['z@1', 'm@1']);
    expect(shown(apply(list, [push(review('n', 5))]))).toEqual(['z@1', 'n@1', 'm@1']);
    expect(shown(apply(list, [push(review('newer', 10))]))).toEqual(['newer@1', 'z@1', 'm@1']);
  });

  it('LIST1 keeps the window where its oldest row has left', () => {
    const oldest = review('m', 5);
    const list = listOf([review('z', 9), oldest], { next: '/reviews?cursor=x', end: keyOf(oldest) });
    expect(shown(apply(list, [gone('m', 2), push(review('m', 5, 3))]))).toEqual(['z@1', 'm@3']);
  });

  it('LIST1 lets a view leave when it no longer fits, and enter again when it does', () => {
    const fits = (view: ReviewView) => view.ratings >= 4;
    const left = apply(listOf([review('a', 1, 1, 5)]), [push(review('a', 1, 2, 3))], fits);
    expect(shown(left)).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 1, 5))], fits))).toEqual([]);
    expect(shown(apply(left, [push(review('a', 1, 3, 4))], fits))).toEqual(['a@3']);
  });

  it('LIST1 lets nothing enter that never fitted, late versions of it included', () => {
    const fits = (view: ReviewView) => view.ratings >= 4;
    const pushes = [push(review('a', 1, 2, 1)), push(review('a', 1, 1, 5))];
    expect(shown(apply(listOf([]), pushes, fits))).toEqual([]);
  });
});

describe('mergeWindow', () => {
  it('LIVE2 keeps a pushed version that the answer has not caught up with', () => {
    const merged = mergeWindow(listOf([review('a', 1, 4)]), listOf([review('b', 2, 1), review('a', 1, 3)]));
    expect(shown(merged)).toEqual(['b@1', 'a@4']);
  });

  it('LIVE2 keeps away what left at a version that the answer has not caught up with', () => {
    const known = listOf([], { gone: { a: 3 } });
    expect(shown(mergeWindow(known, listOf([review('a', 1, 2)])))).toEqual([]);
    expect(shown(mergeWindow(known, listOf([review('a', 1, 4)])))).toEqual(['a@4']);
  });

  it('LIVE2 drops what the answer no longer lists, and remembers what had left', () => {
    const merged = mergeWindow(listOf([review('a', 1)], { gone: { c: 9 } }), listOf([review('b', 2)]));
    expect(shown(merged)).toEqual(['b@1']);
    expect(shown(apply(merged, [push(review('c', 3, 8))]))).toEqual(['b@1']);
  });
});

describe('applyToEntry', () => {
  it('LIVE1 takes a higher version of its own document alone', () => {
    const entry = review('a', 1, 2);
    expect(applyToEntry(entry, push(review('a', 1, 3)), 0).version).toBe(3);
    expect(applyToEntry(entry, push(review('a', 1, 1)), 0)).toBe(entry);
    expect(applyToEntry(entry, push(review('b', 1, 9)), 0)).toBe(entry);
  });

  it('LIVE1 does not go back behind the version at which its document left', () => {
    const entry = review('a', 1, 2);
    expect(applyToEntry(entry, gone('a', 5), 0)).toBe(entry);
    expect(applyToEntry(entry, push(review('a', 1, 4)), 5)).toBe(entry);
    expect(applyToEntry(entry, push(review('a', 1, 6)), 5).version).toBe(6);
  });
});
