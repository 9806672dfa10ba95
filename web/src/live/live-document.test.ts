import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { ALL, followedStore } from './followed.fixture.ts';
import { liveAnswer, liveEntry } from './live-document.ts';
import { review } from './live-store.fixture.ts';
import { ENDED, type LiveAnswer } from './views.ts';

const { net, opened, push, gone, rows, show, catchUp } = followedStore();

describe('a single document that follows pushes', () => {
  const entry = () => opened.view('a');

  it('LIVE1 the highest version of a single document is shown, in whatever order its pushes and the response arrive', async () => {
    show(liveEntry('review', 'a', '/reviews/a'));
    const first = await net.call(0);
    push(review('a', 1, 4));
    first.answer(review('a', 1, 3));
    await vi.waitFor(() => expect(entry()?.version).toBe(4));
    push(review('a', 1, 2));
    push(review('b', 1, 9));
    expect(entry()).toEqual(review('a', 1, 4));
  });

  it('LIVE1 when a push removes a document from the lists, the document itself is refetched, and no older version is shown', async () => {
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

describe('data that is not a view', () => {
  const STEPS = liveAnswer('review', '/reviews/a/steps', z.array(z.number()), (push) => push.id === 'a');

  it('LIVE2 data that is not a view is refetched when the document that it belongs to is pushed, and on a reconnect', async () => {
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

  it('LIVE2 after this client has deleted a document, each push of the document triggers a refetch, but no list shows the document again', async () => {
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

  it('LIVE2 data that is not a view is fetched once more if the document that it belongs to is pushed during the fetch', async () => {
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
