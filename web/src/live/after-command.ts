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
 * Calls `act` with the response once a command has succeeded. If the page isn't live, also refetches all resources of
 * the given kinds, since no push will update them.
 */
async function afterSuccess<Answer>(
  kinds: ViewKind[],
  { dispatch, getState, queryFulfilled }: CommandLifecycle<Answer>,
  act: (answer: Answer) => void = () => {},
): Promise<void> {
  let answer: Answer;
  try {
    answer = (await queryFulfilled).data;
  } catch {
    return;
  }
  act(answer);
  if (!selectIsLive(getState() as { live: LiveState })) dispatch(refetchLive(({ kind }) => kinds.includes(kind)));
}

/**
 * Returns the `onQueryStarted` handler for a command. If the page isn't live when the command succeeds, the handler
 * refetches all resources of the given kinds.
 */
export const refetchUnlessLive =
  (...kinds: ViewKind[]) =>
  (_arg: unknown, api: CommandLifecycle<unknown>) =>
    afterSuccess(kinds, api);

/**
 * Returns the `onQueryStarted` handler for a command that cancels or deletes the document with the given id. When the
 * command succeeds, the document's row disappears immediately, and no later push brings the row back.
 */
export const endsDocument = (kind: ViewKind) => (id: string, api: CommandLifecycle<Deleted>) =>
  afterSuccess([kind], api, ({ deletedCount }) => {
    if (deletedCount > 0) api.dispatch(takePushes([{ kind, id, version: ENDED, view: null }]));
  });
