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

function catchUpUnlessLive(kinds: ViewKind[], api: Pick<CommandLifecycle<unknown>, 'dispatch' | 'getState'>): void {
  if (selectIsLive(api.getState() as { live: LiveState })) return;
  api.dispatch(refetchLive(({ kind }) => kinds.includes(kind)));
}

/** `onQueryStarted` of a command: fetches again what it changed, where no push will bring it. */
export function refetchUnlessLive(...kinds: ViewKind[]) {
  return async (_arg: unknown, api: CommandLifecycle<unknown>): Promise<void> => {
    try {
      await api.queryFulfilled;
    } catch {
      return;
    }
    catchUpUnlessLive(kinds, api);
  };
}

/** `onQueryStarted` of a command that ends the document whose id it takes: its row goes at once, for good. */
export function endsDocument(kind: ViewKind) {
  return async (id: string, api: CommandLifecycle<Deleted>): Promise<void> => {
    try {
      const { data } = await api.queryFulfilled;
      if (data.deletedCount > 0) api.dispatch(takePushes([{ kind, id, version: ENDED, view: null }]));
    } catch {
      return;
    }
    catchUpUnlessLive([kind], api);
  };
}
