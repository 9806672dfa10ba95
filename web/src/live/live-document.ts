import { type ViewKind, viewSchemas } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { unreadable } from '../api/problem.ts';
import { readShop } from '../api/shop-api.ts';
import { UNASKED } from './follow.ts';
import { takeDocuments } from './take-answers.ts';
import {
  type LiveAnswer,
  type LiveApi,
  type LiveEntry,
  type Push,
  patch,
  type Transition,
  type ViewsState,
} from './views.ts';

export type OneKind<K extends ViewKind> = LiveEntry & { kind: K };

/** Returns a resource for the document with this id, fetched from `path`. */
export const liveEntry = <K extends ViewKind>(kind: K, id: string, path: string, headers?: Record<string, string>) =>
  liveEntries(kind, [id], path, headers);

/**
 * Returns a resource for the documents with these ids, fetched with one request to `path`. A document that the response
 * omits has no view. If a push reports that one of the documents is no longer in any list, all of the documents are
 * refetched, because that push doesn't contain the document's new state.
 */
export const liveEntries = <K extends ViewKind>(
  kind: K,
  ids: readonly string[],
  path: string,
  headers: Record<string, string> = {},
): OneKind<K> => ({
  ...UNASKED,
  type: 'entry',
  kind,
  ids,
  path,
  ask: (api) => {
    const schema = z.union([viewSchemas[kind], z.array(viewSchemas[kind])]);
    return ask(path, schema, api, (state, answered) => takeDocuments(state, kind, [answered].flat()), headers);
  },
  isOutdatedBy: ({ id, view }) => view === null && ids.includes(id),
});

/**
 * Returns a resource for the response from `path`. The response is refetched after each push of `kind` for which
 * `isOutdatedBy` returns true.
 */
export const liveAnswer = <Data>(
  kind: ViewKind,
  path: string,
  schema: z.ZodMiniType<Data>,
  isOutdatedBy: (push: Push) => boolean,
): LiveAnswer<Data> => ({
  ...UNASKED,
  type: 'answer',
  kind,
  path,
  data: null,
  ask: (api) => ask(path, schema, api, (state, data) => patch<LiveAnswer>(state, path, { data })),
  isOutdatedBy,
});

/**
 * Fetches `path` and resolves with the state transition that applies the response. `takeIn` applies the response's data
 * to the state.
 */
async function ask<Data>(
  path: string,
  schema: z.ZodMiniType<Data>,
  api: LiveApi,
  takeIn: (state: ViewsState, data: Data) => ViewsState,
  headers: Record<string, string> = {},
): Promise<Transition> {
  const answer = await readShop(path, api, null, headers);
  const failed = (error: unknown) => (state: ViewsState) => patch(state, path, { request: null, error });
  if ('error' in answer) return failed(answer.error);
  const { success, data } = schema.safeParse(answer.body);
  return success
    ? (state) => patch(takeIn(state, data), path, { request: null, error: null })
    : failed(unreadable(200));
}
