import type { Deleted } from '@micro-center/services/contracts/answers.ts';
import type { ViewKind } from '@micro-center/services/contracts/views.ts';
import { type LiveDispatch, refetchLive, takePushes } from './follow.ts';
import { type LiveState, selectIsLive } from './live-slice.ts';
import { ENDED } from './views.ts';

interface CommandLifecycle<Answer> {
  dispatch: LiveDispatch;
  getState(): unknown;
  queryFulfilled: PromiseLike<{ data: Answer }>;
}

/**
 * Once a command has succeeded, calls `act`. If the page isn't live, also refetches what the command changed, since no
 * push will bring it.
 */
async function afterSuccess<Answer>(
  kinds: ViewKind[],
  { dispatch, getState, queryFulfilled }: CommandLifecycle<Answer>,
  act: (answer: Answer) => void = () => {},
): Promise<void> {
  try {
    act((await queryFulfilled).data);
  } catch {
    return;
  }
  if (!selectIsLive(getState() as { live: LiveState })) dispatch(refetchLive(({ kind }) => kinds.includes(kind)));
}

/** `onQueryStarted` of a command. Refetches what the command changed if no push will bring it. */
export const refetchUnlessLive =
  (...kinds: ViewKind[]) =>
  (_arg: unknown, api: CommandLifecycle<unknown>) =>
    afterSuccess(kinds, api);

/**
 * `onQueryStarted` of a command that takes a document's id and ends the document. The document's row disappears at
 * once, for good.
 */
export const endsDocument = (kind: ViewKind) => (id: string, api: CommandLifecycle<Deleted>) =>
  afterSuccess([kind], api, ({ deletedCount }) => {
    if (deletedCount > 0) api.dispatch(takePushes([{ kind, id, version: ENDED, view: null }]));
  });
