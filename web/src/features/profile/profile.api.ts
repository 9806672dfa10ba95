import { type Deleted, deletedSchema } from '@micro-center/services/contracts/answers.ts';
import { type UserSaved, userSavedSchema } from '@micro-center/services/contracts/people/user-answers.ts';
import type { UserSave } from '@micro-center/services/contracts/people/user-requests.ts';
import { userViewSchema } from '@micro-center/services/contracts/people/user-view.ts';
import * as z from 'zod/mini';
import { shopApi } from '../../api/shop-api.ts';
import { fetchLive, type LiveDispatch } from '../../live/follow.ts';
import { liveAnswer } from '../../live/live-document.ts';

const profilePath = (email: string) => `/users/${encodeURIComponent(email)}`;

/** A live response: an array whose only element is the profile of the user with this email. */
export const profileOf = (email: string) =>
  liveAnswer(
    'user',
    profilePath(email),
    z.array(userViewSchema).check(z.minLength(1)),
    ({ view }) => view !== null && 'email' in view && view.email === email,
  );

const profileApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /**
     * Returns everything stored about a user. This endpoint is a mutation rather than a query, so that its response
     * isn't cached.
     */
    exportPerson: build.mutation<unknown, string>({
      query: (email) => ({ path: `${profilePath(email)}/export` }),
      responseSchema: z.looseObject({ exportedAt: z.string() }),
    }),
    erasePerson: build.mutation<Deleted, string>({
      query: (email) => ({ path: profilePath(email), method: 'DELETE' }),
      responseSchema: deletedSchema,
    }),
    saveProfile: build.mutation<UserSaved, UserSave & { email: string }>({
      query: (profile) => ({ path: profilePath(profile.email), method: 'PUT', body: profile }),
      responseSchema: userSavedSchema,
      async onQueryStarted({ email }, { dispatch, queryFulfilled }) {
        await queryFulfilled.then(
          () => (dispatch as LiveDispatch)(fetchLive(profilePath(email))),
          () => undefined,
        );
      },
    }),
  }),
});

export const { useSaveProfileMutation, useExportPersonMutation, useErasePersonMutation } = profileApi;
