import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { Accounts } from '../../identity/accounts.ts';
import { userIdOf } from '../../identity/user-id.ts';
import { userDecider } from './decide-user.ts';
import { isClosedForErasure, type UserState } from './user.ts';

type Loading = Pick<CommandHandler, 'load'>;

/**
 * Each account opened for an e-mail address is a new generation with its own user id (LOG3). Returns the user id and
 * state of the address's current generation, which is the first one that isn't closed. The state is at least as recent
 * as the log's head at the time of the call. `secret` is the one that user ids are derived with.
 */
export async function currentGeneration(
  handler: Loading,
  secret: string,
  email: string,
): Promise<{ readonly userId: string; readonly state: Exclude<UserState, { status: 'closed' }> }> {
  for (let generation = 1; ; generation += 1) {
    const userId = userIdOf(email, secret, generation);
    const { state } = await handler.load(userDecider, userId);
    if (state.status !== 'closed') return { userId, state };
  }
}

export function createAccounts(handler: Loading, secret: string): Accounts {
  return {
    idOf: async (email) => (await currentGeneration(handler, secret, email)).userId,
    async find(userId) {
      const { state } = await handler.load(userDecider, userId);
      return state.status === 'registered' ? { uid: state.uid, name: state.profile.name, admin: state.admin } : null;
    },
    isClosedForErasure: async (userId) => isClosedForErasure((await handler.load(userDecider, userId)).state),
  };
}
