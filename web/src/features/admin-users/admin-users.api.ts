import { type Deleted, deletedSchema, type Updated, updatedSchema } from '@micro-center/services/contracts/answers.ts';
import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import { shopApi, withQuery } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';
import { liveList } from '../../live/follow.ts';

/** All users who have signed in at least once, newest first. If `q` is given, only those that match this search. */
export const usersFound = (q: string | undefined) =>
  liveList('user', withQuery('/users', { q }), (user) => q === undefined || isFoundBy(searchTexts.user(user), q));

const adminUsersApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Makes the user with this email an admin. A retry changes nothing. */
    makeAdmin: build.mutation<Updated, string>({
      query: (email) => ({ path: `/users/admin/${encodeURIComponent(email)}`, method: 'PUT', body: {} }),
      responseSchema: updatedSchema,
      onQueryStarted: refetchUnlessLive('user'),
    }),
    /** Makes an admin a customer again. The shop refuses to demote its last admin. */
    removeAdmin: build.mutation<Deleted, string>({
      query: (email) => ({ path: `/users/admin/${encodeURIComponent(email)}`, method: 'DELETE' }),
      responseSchema: deletedSchema,
      onQueryStarted: refetchUnlessLive('user'),
    }),
  }),
});

export const { useMakeAdminMutation, useRemoveAdminMutation } = adminUsersApi;
