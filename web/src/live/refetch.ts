import type { ThunkDispatch } from '@reduxjs/toolkit';
import type { UnknownAction } from 'redux';
import { shopApi } from '../api/shop-api.ts';

export type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** A query's fetch that has not settled. */
interface RunningFetch {
  tags: readonly string[];
  /** whether its tags were refetched after it was asked for, so that its answer may be too old */
  outdated: boolean;
}

const running = new Set<RunningFetch>();

/**
 * Fetches every shown query that carries one of `tags` again; all of them where `tags` is left out. Nobody waits for
 * another: what is at rest is fetched at once, and what is being fetched once more as soon as it has settled
 * (`whenSettled`).
 */
export function refetch(dispatch: Dispatch, tags?: readonly string[]): void {
  for (const fetch of running) {
    if (tags === undefined || fetch.tags.some((tag) => tags.includes(tag))) fetch.outdated = true;
  }
  dispatch(shopApi.util.invalidateTags(tags?.map((id) => ({ type: 'Live', id })) ?? ['Live']) as UnknownAction);
}

/** How a fetch of the query with `tags` has ended. */
export interface Settled {
  /** undefined where it was answered */
  error: unknown;
  /** whether it was asked for too early, and is to be asked for again */
  outdated: boolean;
}

export async function whenSettled(tags: readonly string[], fulfilled: PromiseLike<unknown>): Promise<Settled> {
  const fetch: RunningFetch = { tags, outdated: false };
  running.add(fetch);
  try {
    await fulfilled;
    return { error: undefined, outdated: fetch.outdated };
  } catch (reason) {
    return { error: (reason as { error: unknown }).error, outdated: fetch.outdated };
  } finally {
    running.delete(fetch);
  }
}
