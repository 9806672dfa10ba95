import { type DocumentKind, documentOf, type StreamName } from '../../contracts/ids.ts';
import type { ReadYourWrites } from '../../http/read-your-writes.ts';
import type { World } from './world.ts';

/** How long a request for a list waits for earlier changes, in ms (READ1). */
const WAIT_MS = 1_000;

const LISTS: Readonly<Record<string, DocumentKind>> = {
  '/orders': 'order',
  '/individual': 'order',
  '/products': 'product',
  '/users': 'user',
  '/reviews': 'review',
};

/**
 * Checks the lists of one process (READ1). A list has to reflect each append that the process had made before the
 * request arrived. The only exception is an append for which a request has already waited for a second.
 */
export interface ListWatch extends ReadYourWrites {
  /** Call this when a request arrives. The returned function checks the response. */
  expect(url: string): (body: unknown) => void;
}

/** `own` is the object that the process itself uses. */
export function createListWatch({ time, fault }: World, own: ReadYourWrites): ListWatch {
  const newest = new Map<StreamName, number>();
  /** the version of each stream for which a request has waited for a second */
  const awaited = new Map<StreamName, number>();
  const raise = (versions: Map<StreamName, number>, stream: StreamName, version: number) =>
    void versions.set(stream, Math.max(version, versions.get(stream) ?? 0));

  return {
    appended(stream, version) {
      own.appended(stream, version);
      if (documentOf(stream)) raise(newest, stream, version);
    },
    projected: own.projected,
    async caughtUp(kind) {
      const before = new Map(newest);
      const begin = time.now();
      const result = await own.caughtUp(kind);
      if (time.now() - begin < WAIT_MS) return result;
      for (const [stream, version] of before) {
        if (documentOf(stream)?.kind === kind) raise(awaited, stream, version);
      }
      return result;
    },
    expect(url) {
      const kind = LISTS[new URL(url, 'http://shop.invalid').pathname];
      const before = new Map(newest);
      return (body) => {
        if (kind === undefined || !Array.isArray(body)) return;
        for (const { _id: id, version } of body as { _id: string; version: number }[]) {
          const least = before.get(`${kind}-${id}`) ?? 0;
          if (version >= least || least <= (awaited.get(`${kind}-${id}`) ?? 0)) continue;
          fault(`READ1 a list has ${kind} ${id} at version ${version} after version ${least} was confirmed`);
        }
      };
    },
  };
}
