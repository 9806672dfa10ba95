import { userIdOf } from '../identity/user-id.ts';
import { userDecider } from '../shop/user/decide-user.ts';
import type { UserState } from '../shop/user/user.ts';
import type { ApiDependencies } from './dependencies.ts';

/**
 * Returns the user id and state of the first generation of an e-mail address that is not closed (LOG3). The state is no
 * older than the log's head.
 */
export async function currentGeneration(
  { handler, secrets }: Pick<ApiDependencies, 'handler' | 'secrets'>,
  email: string,
): Promise<{ readonly userId: string; readonly state: Exclude<UserState, { status: 'closed' }> }> {
  for (let generation = 1; ; generation += 1) {
    const userId = userIdOf(email, secrets.userId, generation);
    const { state } = await handler.load(userDecider, userId);
    if (state.status !== 'closed') return { userId, state };
  }
}
