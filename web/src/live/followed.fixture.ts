import { afterEach, beforeEach, vi } from 'vitest';
import { follow, liveList, refetchLive } from './follow.ts';
import { heldFetch } from './held-fetch.fixture.ts';
import { openStore } from './live-store.fixture.ts';

export const ALL = liveList('review', '/reviews', () => true);
export const least = (ratings: number) =>
  liveList('review', ratings === 0 ? '/reviews' : `/reviews?least=${ratings}`, (view) => view.ratings >= ratings);

/** Creates a new store and a new `heldFetch` stub before each test in the file. */
export function followedStore() {
  let net: ReturnType<typeof heldFetch>;
  let opened: ReturnType<typeof openStore>;
  beforeEach(() => {
    net = heldFetch();
    opened = openStore();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return {
    net: {
      get calls() {
        return net.calls;
      },
      call: (index: number) => net.call(index),
    },
    opened: {
      get store() {
        return opened.store;
      },
      view: (id: string) => opened.view(id),
      listAt: (path: string) => opened.listAt(path),
    },
    push: (...args: Parameters<typeof opened.push>) => opened.push(...args),
    gone: (...args: Parameters<typeof opened.gone>) => opened.gone(...args),
    rows: (path?: string) => opened.rows(path),
    show: (resource: Parameters<typeof follow>[0]) => opened.store.dispatch(follow(resource)),
    catchUp: () => opened.store.dispatch(refetchLive()),
  };
}
