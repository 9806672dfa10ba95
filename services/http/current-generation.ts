import { userIdOf } from '../identity/user-id.ts';
import { userDecider } from '../shop/people/decide-user.ts';
import type { UserState } from '../shop/people/user.ts';
import type { ApiDependencies } from './dependencies.ts';

/**
 * Each account opened for an e-mail address is a new generation with its own user id (LOG3). Returns the user id and
 * state of the address's current generation, which is the first one that isn't closed. The state is at least as recent
 * as the log's head at the time of the call.
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
