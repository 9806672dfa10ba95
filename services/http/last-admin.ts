import { userDecider } from '../shop/user/decide-user.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Two admins who take each other's role at once must not both succeed: the second has to see the first's doing. */
const ENDING_A_ROLE = 'revoke-admin';

/**
 * Does what may end the role of an admin, once at a time in the whole shop. `work` is told how many admins there are
 * beside that user: 0, or 1 for any number. @throws ExclusiveUnavailable before anything was done
 */
export function withOtherAdmins<T>(
  shop: ApiDependencies,
  userId: string,
  work: (otherAdmins: number) => Promise<T>,
): Promise<T> {
  return shop.exclusive.run(ENDING_A_ROLE, async () => work((await hasOtherAdmin(shop, userId)) ? 1 : 0));
}

/** The read models say who may be an admin; whether they still are is read from their streams, as at every request (AUTH2). */
async function hasOtherAdmin(shop: ApiDependencies, userId: string): Promise<boolean> {
  await shop.recentAppends.settled('user');
  for (const id of await shop.readModels.adminIds()) {
    if (id === userId) continue;
    const { state } = await shop.handler.load(userDecider, id);
    if (state.status === 'registered' && state.admin) return true;
  }
  return false;
}
