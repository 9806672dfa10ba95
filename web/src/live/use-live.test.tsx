import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it } from 'vitest';
import { writtenRows } from './follow.ts';
import { ALL } from './followed.fixture.ts';
import { openStore, review } from './live-store.fixture.ts';
import { useIsChanged, useView } from './use-live.ts';

it('LIVE1 a push re-renders only the rows that show the pushed document', () => {
  const { store, push } = openStore();
  store.dispatch(writtenRows(ALL, { views: [review('b', 2), review('a', 1)], next: null, etag: null }));
  const renders = { a: 0, b: 0 };
  const show = (id: 'a' | 'b') =>
    renderHook(
      () => {
        renders[id] += 1;
        return [useView('review', id)?.version, useIsChanged(id)];
      },
      { wrapper: ({ children }) => <Provider store={store}>{children}</Provider> },
    ).result;
  const [a, b] = [show('a'), show('b')];
  act(() => void push(review('a', 1, 2)));
  expect([a.current, b.current]).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(renders).toEqual({ a: 2, b: 1 });
});
