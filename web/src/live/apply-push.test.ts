import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { describe, expect, it } from 'vitest';
import {
  appendPage,
  applyToEntry,
  applyToList,
  askForPage,
  ENDED,
  giveUpPage,
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
  return { items, next: null, end: null, asked: null, pageError: null, depth: null, gone: {}, ...rest };
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

describe('appendPage', () => {
  const PATH = '/reviews?cursor=x';
  const windowOf = (...items: ReviewView[]) => listOf(items, { next: PATH, end: keyOf(items.at(-1) as ReviewView) });
  const waitingFor = (request: string, list: LiveList<ReviewView>) => askForPage(list, request);
  const lastPage = (...items: ReviewView[]) => ({ items, next: null, end: null });

  it('LIST1 puts the next page below what is loaded, and the end of the list where the page has it', () => {
    const oldest = review('c', 3);
    const page = { items: [oldest], next: '/reviews?cursor=y', end: keyOf(oldest) };
    const grown = appendPage(waitingFor('one', windowOf(review('e', 5), review('d', 4))), 'one', page);
    expect(shown(grown)).toEqual(['e@1', 'd@1', 'c@1']);
    expect(grown).toMatchObject({ next: '/reviews?cursor=y', end: keyOf(oldest), asked: null });
    expect(shown(apply(grown, [push(review('c', 3, 2)), push(review('a', 1))]))).toEqual(['e@1', 'd@1', 'c@2']);
  });

  it('LIVE2 a push that overtakes the page it belongs to is not lost, whatever the page says', () => {
    const pushes = [push(review('c', 3, 4)), push(review('b', 2, 1)), push(review('a', 1, 2)), gone('a', 3)];
    for (const order of permutations(pushes)) {
      const waiting = apply(waitingFor('one', windowOf(review('d', 4))), order);
      const grown = appendPage(waiting, 'one', lastPage(review('c', 3, 2), review('a', 1, 1)));
      expect(shown(grown)).toEqual(['d@1', 'c@4', 'b@1']);
    }
  });

  it('LIST1 a page that was asked for before the window was fetched anew is dropped', () => {
    const waiting = waitingFor('one', windowOf(review('d', 4)));
    const refetched = mergeWindow(waiting, windowOf(review('d', 4, 2)));
    expect(appendPage(refetched, 'one', lastPage(review('c', 3)))).toBe(refetched);
    const again = waitingFor('two', refetched);
    expect(appendPage(again, 'one', lastPage(review('c', 3)))).toBe(again);
    expect(giveUpPage(again, 'one', 'late')).toBe(again);
  });

  it('LIST1 a page is asked for once at a time, and none where everything is loaded', () => {
    const waiting = waitingFor('one', windowOf(review('d', 4)));
    expect(waitingFor('two', waiting)).toBe(waiting);
    const all = listOf([review('d', 4)]);
    expect(waitingFor('one', all)).toBe(all);
  });

  it('LIST1 after a page that could not be had pushes below the window are let go again', () => {
    const list = giveUpPage(waitingFor('one', windowOf(review('d', 4))), 'one', 'no answer');
    expect(list).toMatchObject({ asked: null, pageError: 'no answer' });
    expect(waitingFor('two', list).pageError).toBeNull();
    expect(applyToList(list, push(review('a', 1)), anything)).toBe(list);
  });
});

describe('a long list', () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => ({
    ...review(String(1_000_000 - n), 0),
    postedAt: new Date(Date.UTC(2026, 0, 1) - n * 1000).toISOString(),
  }));
  const list = listOf(rows);

  it('LIVE1 finds the row of a push by its key, and leaves all others the objects they were', () => {
    const pushed = { ...(rows[70_000] as ReviewView), version: 2 };
    const after = applyToList(list, push(pushed), anything);
    expect(after.items[70_000]).toBe(pushed);
    expect(after.items[69_999]).toBe(rows[69_999]);
    expect(shown(applyToList(list, gone(pushed._id, 2), anything))).toHaveLength(99_999);
  });

  it('LIVE1 remembers the last thousand ids that left, and for good what this client ended', () => {
    let after = applyToList(listOf(rows.slice(0, 500)), gone('mine', ENDED), anything);
    for (let n = 0; n < 3000; n += 1) after = applyToList(after, gone(`g${n}`, 2), anything);
    expect(Object.keys(after.gone).length).toBeLessThanOrEqual(2001);
    expect(after.gone.mine).toBe(ENDED);
    expect(after.gone.g2999).toBe(2);
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
