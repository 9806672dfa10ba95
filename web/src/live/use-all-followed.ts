import { useEffect } from 'react';
import { follow, unfollow } from './follow.ts';
import { isSame, useLive, useLiveDispatch } from './use-live.ts';
import type { Resource } from './views.ts';

/** Follows each of `asked` while the component is there, and says how they stand, in their order. */
export function useAllFollowed(asked: readonly Resource[]): readonly (Resource | undefined)[] {
  const dispatch = useLiveDispatch();
  const paths = asked.map(({ path }) => path);
  const epoch = useLive(({ views }) => views.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths say what is asked for; after an epoch it is forgotten
  useEffect(() => {
    for (const one of asked) dispatch(follow(one));
    return () => {
      for (const path of paths) dispatch(unfollow(path));
    };
  }, [dispatch, paths.join(' '), epoch]);
  return useLive(({ views }) => paths.map((path) => views.followed[path]), isSame);
}
