import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it } from 'vitest';
import { followedStore } from './followed.fixture.ts';
import { liveEntry } from './live-document.ts';
import { review } from './live-store.fixture.ts';
import { useLiveEntry } from './use-live-document.ts';

const { net, opened } = followedStore();

it('LIVE1 refetching a document on demand never returns the response to an earlier request', async () => {
  const { result } = renderHook(() => useLiveEntry(liveEntry('review', 'a', '/reviews/a')), {
    wrapper: ({ children }) => <Provider store={opened.store}>{children}</Provider>,
  });
  const earlier = await net.call(0);
  const fetched = act(() => result.current.refetch());
  earlier.answer(review('a', 1, 1));
  (await net.call(1)).answer(review('a', 1, 2));
  expect(await fetched).toMatchObject({ version: 2 });
});
