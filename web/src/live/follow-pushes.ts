import { type ViewKind, type Views, viewSchemas } from '@micro-center/services/contracts/views.ts';
import type { Draft } from '@reduxjs/toolkit';
import type { BaseQueryApi } from '@reduxjs/toolkit/query/react';
import { mayPass, unreadable } from '../api/problem.ts';
import { shopApi, withQuery } from '../api/shop-api.ts';
import { applyToEntry, applyToList, ENDED, type LiveList, mergeWindow, type VersionedPush } from './apply-push.ts';
import { type BaseQuery, fetchRows } from './fetch-rows.ts';
import { type FollowedPush, type PushHub, pushHub } from './push-hub.ts';
import { type Dispatch, refetch, whenSettled } from './refetch.ts';
import { replacing } from './replacing.ts';

/** Rows that a list asks for at first. */
export const FIRST_ROWS = 200;
/** As many rows as the server answers at once. */
export const LARGEST_PAGE = 1000;
/** A refetch that failed while older data is on the screen is tried again after this long, in milliseconds. */
const RETRY_AFTER = 10_000;

/** What both lifecycle callbacks of a query receive, as far as it is used here. */
interface Lifecycle<Data> {
  dispatch: Dispatch;
  getCacheEntry(): { data?: Data | undefined };
  updateCachedData(recipe: (draft: Draft<Data>) => Draft<Data>): unknown;
}

/** Replaces the cached data by `merge(data)`, unless that is the same object. */
function update<Data extends object>(cache: Lifecycle<Data>, merge: (data: Data) => Data): void {
  if (cache.getCacheEntry().data === undefined) return;
  cache.updateCachedData(replacing(merge));
}

interface Followed<Data> {
  kind: ViewKind;
  /** what refetches this entry: first the tag that it has alone */
  tags: readonly [string, ...string[]];
  merge: (data: Data, push: VersionedPush) => Data;
  onPush?: (push: VersionedPush, cache: Lifecycle<Data>) => void;
}

/**
 * The lifecycle of a cache entry that follows pushes (LIVE2). Every fetch subscribes before it asks, and merges the pushes
 * that came meanwhile once it has settled: its answer may be older than they are.
 */
function lifecycle<Data extends object>(followed: (arg: never) => Followed<Data>, hub: PushHub) {
  return {
    async onQueryStarted(arg: never, cache: Lifecycle<Data> & { queryFulfilled: PromiseLike<unknown> }): Promise<void> {
      const { kind, merge, tags } = followed(arg);
      const buffered: VersionedPush[] = [];
      const unsubscribe = hub.subscribe((push) => push.kind === kind && buffered.push(push));
      const { error, outdated } = await whenSettled(tags, cache.queryFulfilled);
      unsubscribe();
      update(cache, (data) => buffered.reduce(merge, data));
      if (outdated) refetch(cache.dispatch, [tags[0]]);
      else if (cache.getCacheEntry().data !== undefined && mayPass(error)) {
        setTimeout(() => refetch(cache.dispatch, [tags[0]]), RETRY_AFTER);
      }
    },
    async onCacheEntryAdded(
      arg: never,
      cache: Lifecycle<Data> & { cacheEntryRemoved: PromiseLike<void> },
    ): Promise<void> {
      const { kind, merge, onPush } = followed(arg);
      const unsubscribe = hub.subscribe((push) => {
        if (push.kind !== kind) return;
        update(cache, (data) => merge(data, push));
        onPush?.(push, cache);
      });
      await cache.cacheEntryRemoved;
      unsubscribe();
    },
  };
}

/** `providesTags` of a query. */
const provided = (tags: readonly string[]) => tags.map((id) => ({ type: 'Live' as const, id }));

/** The query's cached data at this moment; undefined at its first fetch. */
function cachedData(api: BaseQueryApi): unknown {
  const state = api.getState() as {
    [shopApi.reducerPath]: { queries: Record<string, { data?: unknown } | undefined> };
  };
  return state[shopApi.reducerPath].queries[api.queryCacheKey ?? '']?.data;
}

interface ListRules<V, Arg> {
  /** the path that answers the list, and its filter as query parameters */
  path: (arg: Arg) => string;
  params?: (arg: Arg) => Record<string, string | number | boolean | undefined>;
  fits: (view: V, arg: Arg) => boolean;
}

/**
 * The parts of a list endpoint that follows pushes of `kind`: `build.query<LiveList<View>, Arg>(liveList(...))`. The
 * answer is newest first; a refetch asks for the loaded window alone, as deep as the screen looks into it.
 */
export function liveList<K extends ViewKind, Arg>(kind: K, rules: ListRules<Views[K], Arg>, hub: PushHub = pushHub) {
  type V = Views[K];
  const followed = (arg: Arg): Followed<LiveList<V>> => ({
    kind,
    tags: [`${kind}?${JSON.stringify(arg)}`, kind],
    merge: (list, push) => applyToList(list, push as VersionedPush<V>, (view) => rules.fits(view, arg)),
  });
  return {
    async queryFn(arg: Arg, api: BaseQueryApi, _extra: unknown, baseQuery: BaseQuery) {
      await hub.untilJoined();
      const list = () => cachedData(api) as LiveList<V> | undefined;
      const before = list();
      const atFirst = windowOf(before);
      // A page that came meanwhile has made the window deeper; what was pushed meanwhile is merged anyway.
      const wanted = () => (list()?.next === before?.next ? atFirst : windowOf(list()));
      const limit = Math.min(atFirst, LARGEST_PAGE);
      const path = withQuery(rules.path(arg), { ...rules.params?.(arg), sort: 'newest', limit });
      const answer = await fetchRows(kind, path, wanted, baseQuery);
      return answer.error !== undefined ? answer : { data: Object.freeze(mergeWindow(list(), answer.data)) };
    },
    // Merging has kept what stayed the same; comparing all rows once more would only take time.
    structuralSharing: false,
    providesTags: (_data: unknown, _error: unknown, arg: Arg) => provided(followed(arg).tags),
    ...lifecycle(followed as (arg: never) => Followed<LiveList<V>>, hub),
  };
}

/** How many rows from the top a fetch has to bring. */
function windowOf(list: LiveList | undefined): number {
  return Math.max(Math.min(list?.items.length ?? 0, list?.depth ?? Number.POSITIVE_INFINITY), FIRST_ROWS);
}

interface EntryRules<Arg> {
  id: (arg: Arg) => string;
  path: (arg: Arg) => string;
}

/**
 * The parts of a single document's endpoint that follows pushes of `kind`. When the document leaves the lists it is
 * asked for again: what it has become is the server's to say.
 */
export function liveEntry<K extends ViewKind, Arg>(kind: K, rules: EntryRules<Arg>, hub: PushHub = pushHub) {
  type V = Views[K];
  const entryTags = (arg: Arg) => [`${kind}/${rules.id(arg)}`, `${kind}/*`] as const;
  const followed = (arg: Arg): Followed<V> => {
    const id = rules.id(arg);
    let left = 0;
    return {
      kind,
      tags: entryTags(arg),
      merge: (entry, push) => applyToEntry(entry, push as VersionedPush<V>, left),
      onPush: (push, cache) => {
        if (push.id !== id || push.view !== null || push.version <= left) return;
        if (push.version !== ENDED) left = push.version;
        refetch(cache.dispatch, [`${kind}/${id}`]);
      },
    };
  };
  return {
    async queryFn(arg: Arg, _api: BaseQueryApi, _extra: unknown, baseQuery: BaseQuery) {
      await hub.untilJoined();
      const answer = await baseQuery({ path: rules.path(arg) });
      if (answer.error !== undefined) return { error: answer.error };
      const parsed = viewSchemas[kind].safeParse(answer.data);
      return parsed.success ? { data: parsed.data as V } : { error: unreadable(200) };
    },
    providesTags: (_data: unknown, _error: unknown, arg: Arg) => provided(entryTags(arg)),
    ...lifecycle(followed as (arg: never) => Followed<V>, hub),
  };
}

interface AnswerRules<Arg> {
  /** names the entry among those of its kind */
  tag: (arg: Arg) => string;
  /** whether the answer has changed with this push */
  concerns: (push: FollowedPush, arg: Arg) => boolean;
}

/** The parts of an endpoint whose answer is no view, and so is asked for again when a push of `kind` concerns it. */
export function liveAnswer<Arg>(kind: ViewKind, rules: AnswerRules<Arg>, hub: PushHub = pushHub) {
  const tags = (arg: Arg) => [rules.tag(arg), `${kind}/*`];
  return {
    providesTags: (_data: unknown, _error: unknown, arg: Arg) => provided(tags(arg)),
    async onQueryStarted(arg: Arg, cache: { dispatch: Dispatch; queryFulfilled: PromiseLike<unknown> }) {
      const { outdated } = await whenSettled(tags(arg), cache.queryFulfilled);
      if (outdated) refetch(cache.dispatch, [rules.tag(arg)]);
    },
    async onCacheEntryAdded(arg: Arg, cache: { dispatch: Dispatch; cacheEntryRemoved: PromiseLike<void> }) {
      const unsubscribe = hub.subscribe((push) => {
        if (push.kind === kind && rules.concerns(push, arg)) refetch(cache.dispatch, [rules.tag(arg)]);
      });
      await cache.cacheEntryRemoved;
      unsubscribe();
    },
  };
}
