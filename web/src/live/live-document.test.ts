import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { ALL, followedStore } from './followed.fixture.ts';
import { liveAnswer, liveEntry } from './live-document.ts';
import { review } from './live-store.fixture.ts';
import { ENDED, type LiveAnswer } from './views.ts';

const { net, opened, push, gone, rows, show, catchUp } = followedStore();

describe('a single document that follows pushes', () => {
  const entry = () => opened.view('a');

  it('LIVE1 a single document shows its highest version, in whatever order pushes and the response arrive', async () => {
    show(liveEntry('review', 'a', '/reviews/a'));
    const first = await net.call(0);
    push(review('a', 1, 4));
    first.answer(review('a', 1, 3));
    await vi.waitFor(() => expect(entry()?.version).toBe(4));
    push(review('a', 1, 2));
    push(review('b', 1, 9));
    expect(entry()).toEqual(review('a', 1, 4));
  });

  it('LIVE1 a single document is refetched when it leaves the lists, and never shows an older version', async () => {
    show(liveEntry('review', 'a', '/reviews/a'));
    (await net.call(0)).answer(review('a', 1, 3));
    await vi.waitFor(() => expect(entry()?.version).toBe(3));
    gone('a', 6);
    push(review('a', 1, 5));
    expect(entry()?.version).toBe(3);
    (await net.call(1)).answer(review('a', 1, 6));
    await vi.waitFor(() => expect(entry()?.version).toBe(6));
    gone('a', 6);
    expect(net.calls).toHaveLength(2);
  });
});

describe('a response that is not a view', () => {
  const STEPS = liveAnswer('review', '/reviews/a/steps', z.array(z.number()), (push) => push.id === 'a');

  it('LIVE2 a response that is not a view is refetched when a push concerns it, and on a reconnect', async () => {
    show(STEPS);
    const steps = () => (opened.store.getState().views.followed[STEPS.path] as LiveAnswer).data;
    (await net.call(0)).answer([1]);
    await vi.waitFor(() => expect(steps()).toEqual([1]));
    push(review('b', 1, 2));
    expect(net.calls).toHaveLength(1);
    push(review('a', 1, 2));
    (await net.call(1)).answer([1, 2]);
    await vi.waitFor(() => expect(steps()).toEqual([1, 2]));
    catchUp();
    (await net.call(2)).answer([1, 2, 3]);
    await vi.waitFor(() => expect(steps()).toEqual([1, 2, 3]));
  });

  it('LIVE2 pushes of a document that this client has ended refetch the document and its details, but no list shows it again', async () => {
    show(ALL);
    (await net.call(0)).answer([review('a', 1, 4)]);
    await vi.waitFor(() => expect(rows()).toEqual(['a@4']));
    show(STEPS);
    show(liveEntry('review', 'a', '/reviews/a'));
    (await net.call(1)).answer([1]);
    (await net.call(2)).answer(review('a', 1, 4));
    const steps = () => (opened.store.getState().views.followed[STEPS.path] as LiveAnswer).data;
    for (const [version, asked] of [
      [ENDED, 3],
      [6, 5],
      [7, 7],
    ] as const) {
      gone('a', version);
      (await net.call(asked)).answer([version]);
      (await net.call(asked + 1)).answer(review('a', 1, version === ENDED ? 5 : version));
      await vi.waitFor(() => expect(steps()).toEqual([version]));
    }
    await vi.waitFor(() => expect(opened.view('a')?.version).toBe(7));
    push(review('a', 1, 8));
    expect(rows()).toEqual([]);
  });

  it('U3 LIVE2 a response that is not a view is fetched once more if a push concerns it during the fetch', async () => {
    show(STEPS);
    const first = await net.call(0);
    push(review('b', 1, 2));
    push(review('a', 1, 2));
    first.answer([1]);
    (await net.call(1)).answer([1, 2]);
    const steps = () => (opened.store.getState().views.followed[STEPS.path] as LiveAnswer).data;
    await vi.waitFor(() => expect(steps()).toEqual([1, 2]));
    expect(net.calls).toHaveLength(2);
  });
});
