import { userIdOf } from '../identity/user-id.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import type { UserState } from '../shop/user/user.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Whom an e-mail address stands for now, or would after the next sign-in: `state` is then absent. */
export interface Generation {
  readonly userId: string;
  readonly state: Exclude<UserState, { status: 'closed' }>;
}

/**
 * The generation that an e-mail address has come to (LOG3): the first whose account is not closed. Its state is no older
 * than the log's head at the time of the call.
 */
export async function currentGeneration(
  { handler, settings }: Pick<ApiDependencies, 'handler' | 'settings'>,
  email: string,
): Promise<Generation> {
  for (let generation = 1; ; generation += 1) {
    const userId = userIdOf(email, settings.userIdSecret, generation);
    const { state } = await handler.load(userDecider, userId);
    if (state.status !== 'closed') return { userId, state };
  }
}
